// The ABI versions of a chain's accounts: finds the one valid at a position of a block. Blocks add versions; a rewind
// removes them. An ABI is compiled at first use, once for each content hash.

import { type CompiledAbi, compileAbi } from '../../core/antelope/abi/compile.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import { DecodeError } from '../../core/errors.ts'

/** An ABI set in a block. */
export interface AbiChange {
  account: string
  /** Global sequence of the `setabi` action; 0 when only the block's deltas show it: valid from the block's start. */
  globalSeq: bigint
  /** Packed; empty when the account has no ABI from this position on. */
  abi: Uint8Array
  /** SHA-256 of the packed ABI, hex. */
  hash: string
}

export interface AbiVersion extends AbiChange {
  blockNum: number
}

/** Position after every action of a block. */
export const BLOCK_END = 1n << 64n

const COMPILED_LIMIT = 512

export class AbiBook {
  /** By account, oldest first. */
  private readonly versions = new Map<string, AbiVersion[]>()
  /** Compiled ABIs, or their errors, by hash. Two generations: `older` is dropped when `recent` is full. */
  private recent = new Map<string, CompiledAbi | DecodeError>()
  private older = new Map<string, CompiledAbi | DecodeError>()

  /** Adds versions from the database or from seed files (block 0), in any order. */
  load(versions: Iterable<AbiVersion>): void {
    for (const version of versions) this.apply(version)
  }

  /** Adds a version, or replaces the one at the same position. */
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

  /** Drops the versions of this block and later ones. */
  rewind(fromBlock: number): void {
    for (const [account, list] of this.versions) {
      let length = list.length
      while (length > 0 && (list[length - 1] as AbiVersion).blockNum >= fromBlock) length--
      list.length = length
      if (length === 0) this.versions.delete(account)
    }
  }

  /** The version that decodes an action at this position; BLOCK_END for the rows after a block. */
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
   * The compiled ABI at a position, the error of an ABI that cannot be compiled, or undefined when there is none.
   * Actions before and after a `setabi` of the same block get different ABIs.
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
