// Roots of SSZ objects: SHA-256 trees of 32-byte chunks, padded with zeros to a power of two. Source: consensus-specs,
// ssz/simple-serialize.md. Generalised index: the root is 1, the children of i are 2i and 2i + 1.
import { itemAt } from '../../required.ts'
import { sha256 } from '../../sha256.ts'

const CHUNK = 32

/** Roots of all-zero trees, by height. */
const zeros: Uint8Array[] = [new Uint8Array(CHUNK)]

function zeroRoot(height: number): Uint8Array {
  for (let top = itemAt(zeros, -1); zeros.length <= height; ) zeros.push((top = sha256(top, top)))
  return itemAt(zeros, height)
}

/**
 * Root of a tree of chunks.
 *
 * @param limit  maximum chunks of the type, which determines the height
 */
export function chunksRoot(chunks: readonly Uint8Array[], limit = chunks.length): Uint8Array {
  const height = Math.ceil(Math.log2(Math.max(1, limit)))
  let level = [...chunks]
  for (let at = 0; at < height; at++) {
    if (level.length % 2 === 1) level.push(zeroRoot(at))
    level = Array.from({ length: level.length / 2 }, (_, i) => sha256(itemAt(level, 2 * i), itemAt(level, 2 * i + 1)))
  }
  return level[0] ?? zeroRoot(height)
}

/** Chunk of an integer: little-endian. @param value  0 or more, below 2^256 */
export function integerChunk(value: bigint): Uint8Array {
  const chunk = new Uint8Array(CHUNK)
  for (let i = 0, rest = value; rest > 0n; i++, rest >>= 8n) chunk[i] = Number(rest & 0xffn)
  return chunk
}

/** Root of a vector of bytes. */
export function bytesRoot(bytes: Uint8Array): Uint8Array {
  return chunksRoot(chunksOf(bytes))
}

/** Root of a list of bytes. @param limit  maximum bytes of the type */
export function byteListRoot(bytes: Uint8Array, limit: number): Uint8Array {
  return sha256(chunksRoot(chunksOf(bytes), Math.ceil(limit / CHUNK)), integerChunk(BigInt(bytes.length)))
}

/**
 * The root of a node and its branch.
 *
 * @param branch  siblings from the node upwards
 * @returns null when the number of siblings is not the index's depth
 */
export function climbBranch(node: Uint8Array, branch: readonly Uint8Array[], index: number): Uint8Array | null {
  if (branch.length !== Math.floor(Math.log2(index))) return null
  let at = index
  let root = node
  for (const sibling of branch) {
    root = at % 2 === 1 ? sha256(sibling, root) : sha256(root, sibling)
    at = Math.floor(at / 2)
  }
  return root
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, i) => {
    const chunk = new Uint8Array(CHUNK)
    chunk.set(bytes.subarray(i * CHUNK, (i + 1) * CHUNK))
    return chunk
  })
}
