// Merkle Patricia tries that are built once from all entries, such as a block's receipts: root, proofs, and
// verification of a proof. Source: Yellow Paper, appendix D. Nodes shorter than 32 bytes are embedded in their parent.

import { DecodeError } from '../errors.ts'
import { itemAt } from '../required.ts'
import { equalBytes, integerBytes } from './bytes.ts'
import { keccak } from './keccak.ts'
import { decodeRlp, encodeRlp, type RlpItem, rlpBytes } from './rlp.ts'

interface Entry {
  path: readonly number[]
  value: Uint8Array
}

interface Node {
  item: RlpItem
  encoded: Uint8Array
  /** Children by nibble; an extension has one child, at its path's first nibble. */
  children: Map<number, Node>
  /** Nibbles that all entries of this node share: the path of a leaf or an extension, empty for a branch. */
  path: readonly number[]
  isBranch: boolean
}

const EMPTY = new Uint8Array(0)

/** Root of a trie without entries. */
export const EMPTY_TRIE_ROOT: Uint8Array = keccak(encodeRlp(EMPTY))

export class Trie {
  readonly root: Uint8Array
  readonly #top: Node | null

  /** @param entries  with distinct keys and non-empty values */
  constructor(entries: Iterable<readonly [key: Uint8Array, value: Uint8Array]>) {
    const all = [...entries].map(([key, value]) => ({ path: nibbles(key), value }))
    this.#top = all.length === 0 ? null : build(all, 0)
    this.root = this.#top === null ? EMPTY_TRIE_ROOT : keccak(this.#top.encoded)
  }

  /** Encoded nodes from the root to the key's value, or to the node that shows its absence. Embedded nodes are not listed. */
  prove(key: Uint8Array): Uint8Array[] {
    const proof: Uint8Array[] = []
    const path = nibbles(key)
    let at = 0
    for (let node = this.#top; node !== null; ) {
      if (proof.length === 0 || node.encoded.length >= 32) proof.push(node.encoded)
      if (!node.path.every((nibble, index) => path[at + index] === nibble)) break
      at += node.path.length
      const next: Node | undefined = node.isBranch ? node.children.get(path[at] ?? -1) : node.children.get(0)
      if (node.isBranch) at++
      node = next ?? null
    }
    return proof
  }
}

/** Trie key of the receipt, or the transaction, at an index of its block. */
export function indexKey(index: number): Uint8Array {
  return encodeRlp(integerBytes(index))
}

/**
 * The value that a proof shows for a key.
 *
 * @returns null when the proof shows that the key is absent
 * @throws DecodeError TRIE_PROOF when the proof shows neither a value nor its absence; RLP_INVALID
 */
export function verifyTrieProof(root: Uint8Array, key: Uint8Array, proof: readonly Uint8Array[]): Uint8Array | null {
  const path = nibbles(key)
  let at = 0
  let used = 0
  let reference: RlpItem = root
  for (;;) {
    let node: RlpItem
    if (reference instanceof Uint8Array) {
      if (reference.length === 0) return finish(null, used, proof)
      const encoded: Uint8Array | undefined = proof[used++]
      if (encoded === undefined) {
        if (used === 1 && equalBytes(root, EMPTY_TRIE_ROOT)) return null
        throw invalid(`node ${used} is missing`)
      }
      if (!equalBytes(keccak(encoded), reference)) throw invalid(`node ${used} has another hash`)
      node = decodeRlp(encoded)
    } else node = reference
    if (node instanceof Uint8Array) {
      if (node.length === 0) return finish(null, used, proof)
      throw invalid(`node ${used} is not a list`)
    }
    if (node.length === 17) {
      const nibble = path[at++]
      if (nibble === undefined) return finish(presentValue(node[16]), used, proof)
      reference = itemAt(node, nibble)
      continue
    }
    if (node.length !== 2) throw invalid(`node ${used} has ${node.length} items`)
    const { isLeaf, path: rest } = unpackPath(rlpBytes(node[0]))
    const matches = rest.every((nibble, index) => path[at + index] === nibble)
    at += rest.length
    if (isLeaf) return finish(matches && at === path.length ? presentValue(node[1]) : null, used, proof)
    if (!matches) return finish(null, used, proof)
    reference = itemAt(node, 1)
  }
}

function finish(value: Uint8Array | null, used: number, proof: readonly Uint8Array[]): Uint8Array | null {
  if (used !== proof.length) throw invalid(`${proof.length - used} nodes too many`)
  return value
}

function presentValue(item: RlpItem | undefined): Uint8Array | null {
  const value = rlpBytes(item)
  return value.length === 0 ? null : value
}

/** @param entries  entries with the same first `depth` nibbles */
function build(entries: readonly Entry[], depth: number): Node {
  const first = itemAt(entries, 0)
  if (entries.length === 1) {
    const path = first.path.slice(depth)
    return node([packPath(path, true), first.value], { path })
  }
  const shared = sharedLength(entries, depth)
  if (shared > 0) {
    const path = first.path.slice(depth, depth + shared)
    const child = build(entries, depth + shared)
    return node([packPath(path, false), referenceTo(child)], { path, children: new Map([[0, child]]) })
  }
  const children = new Map<number, Node>()
  const items: RlpItem[] = []
  for (let nibble = 0; nibble < 16; nibble++) {
    const below = entries.filter(({ path }) => path[depth] === nibble)
    const child = below.length > 0 ? build(below, depth + 1) : null
    if (child) children.set(nibble, child)
    items.push(child ? referenceTo(child) : EMPTY)
  }
  items.push(entries.find(({ path }) => path.length === depth)?.value ?? EMPTY)
  return node(items, { children, isBranch: true })
}

function node(item: RlpItem, more: Partial<Node>): Node {
  return { item, encoded: encodeRlp(item), children: new Map(), path: [], isBranch: false, ...more }
}

function referenceTo({ item, encoded }: Node): RlpItem {
  return encoded.length < 32 ? item : keccak(encoded)
}

function sharedLength(entries: readonly Entry[], depth: number): number {
  const [first = { path: [] }, ...others] = entries
  let length = 0
  for (const nibble of first.path.slice(depth)) {
    if (!others.every(({ path }) => path[depth + length] === nibble)) break
    length++
  }
  return length
}

function nibbles(bytes: Uint8Array): number[] {
  const out: number[] = []
  for (const byte of bytes) out.push(byte >> 4, byte & 15)
  return out
}

/** Packs nibbles into bytes; the first nibble encodes leaf and odd length. */
function packPath(path: readonly number[], isLeaf: boolean): Uint8Array {
  const odd = path.length % 2
  const flags = (isLeaf ? 2 : 0) + odd
  const all = odd === 1 ? [flags, ...path] : [flags, 0, ...path]
  return Uint8Array.from({ length: all.length / 2 }, (_, i) => (itemAt(all, 2 * i) << 4) | itemAt(all, 2 * i + 1))
}

function unpackPath(packed: Uint8Array): { isLeaf: boolean; path: number[] } {
  const all = nibbles(packed)
  const flags = all[0]
  if (flags === undefined || flags > 3 || ((flags & 1) === 0 && all[1] !== 0))
    throw invalid('a path is not well formed')
  return { isLeaf: flags >= 2, path: all.slice((flags & 1) === 1 ? 1 : 2) }
}

function invalid(what: string): DecodeError {
  return new DecodeError('TRIE_PROOF', `the proof does not hold: ${what}`)
}
