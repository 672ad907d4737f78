// The ABIs of a chain's accounts through its history: which one is valid at which position of which block.
// Versions come with blocks and go with them on a fork. ABIs are compiled when first asked for, once a content.

import { type CompiledAbi, compileAbi } from '../../core/antelope/abi/compile.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import { DecodeError } from '../../core/errors.ts'

/** An ABI set in a block. */
export interface AbiChange {
  account: string
  /** Position of the `setabi` in its block; 0 when only the block's deltas tell of it: valid from the block's start. */
  globalSeq: bigint
  /** Packed; empty when the account has no ABI from here on. */
  abi: Uint8Array
  /** SHA-256 of the packed ABI, hex. */
  hash: string
}

export interface AbiVersion extends AbiChange {
  blockNum: number
}

/** Behind every action of a block. */
export const BLOCK_END = 1n << 64n

const COMPILED_LIMIT = 512

export class AbiBook {
  /** By account, oldest first. */
  private readonly versions = new Map<string, AbiVersion[]>()
  /** Compiled ABIs, or why they cannot be, by hash: used lately, and used before that. */
  private recent = new Map<string, CompiledAbi | DecodeError>()
  private older = new Map<string, CompiledAbi | DecodeError>()

  /** Adds versions from the database or from seed files (block 0), in any order. */
  load(versions: Iterable<AbiVersion>): void {
    for (const version of versions) this.apply(version)
  }

  /** Adds a version; one at the same position is replaced. */
  apply(version: AbiVersion): void {
    const list = this.versions.get(version.account)
    if (!list) {
      this.versions.set(version.account, [version])
      return
    }
    let at = list.length
    while (at > 0 && isBefore(version, list[at - 1] as AbiVersion)) at--
    const previous = list[at - 1]
    const isSamePlace = previous?.blockNum === version.blockNum && previous.globalSeq === version.globalSeq
    list.splice(isSamePlace ? at - 1 : at, isSamePlace ? 1 : 0, version)
  }

  /** Drops all versions of a block and of those above it. */
  rewind(fromBlock: number): void {
    for (const [account, list] of this.versions) {
      let length = list.length
      while (length > 0 && (list[length - 1] as AbiVersion).blockNum >= fromBlock) length--
      list.length = length
      if (length === 0) this.versions.delete(account)
    }
  }

  /** The version that an action at a position is to be read by; BLOCK_END for the rows after a block. */
  versionAt(account: string, blockNum: number, globalSeq: bigint): AbiVersion | undefined {
    const list = this.versions.get(account)
    if (!list) return undefined
    for (let i = list.length - 1; i >= 0; i--) {
      const version = list[i] as AbiVersion
      if (version.blockNum < blockNum || (version.blockNum === blockNum && version.globalSeq < globalSeq))
        return version
    }
    return undefined
  }

  /**
   * The compiled ABI at a position, the error of an ABI that cannot be compiled, or undefined for none.
   * An action before and one after a `setabi` in the same block get different ABIs.
   */
  at(account: string, blockNum: number, globalSeq: bigint): CompiledAbi | DecodeError | undefined {
    const version = this.versionAt(account, blockNum, globalSeq)
    return version && version.abi.length > 0 ? this.compiled(version) : undefined
  }

  private compiled(version: AbiVersion): CompiledAbi | DecodeError {
    const known = this.recent.get(version.hash)
    if (known) return known
    const abi = this.older.get(version.hash) ?? compile(version.abi)
    if (this.recent.size >= COMPILED_LIMIT / 2) {
      this.older = this.recent
      this.recent = new Map()
    }
    this.recent.set(version.hash, abi)
    return abi
  }
}

function isBefore(a: AbiVersion, b: AbiVersion): boolean {
  return a.blockNum < b.blockNum || (a.blockNum === b.blockNum && a.globalSeq < b.globalSeq)
}

function compile(packed: Uint8Array): CompiledAbi | DecodeError {
  try {
    return compileAbi(parseAbi(packed))
  } catch (error) {
    if (error instanceof DecodeError) return error
    throw error
  }
}
