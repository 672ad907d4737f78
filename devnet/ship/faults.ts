// Faults of a state-history server, for tests. Each fires once.

export interface Faults {
  /** Blocks that are skipped. */
  gap: Set<number>
  /** Blocks for which an empty result is sent. */
  empty: Set<number>
  /** Blocks that are sent twice. */
  duplicate: Set<number>
  /** Blocks whose parent's id is changed. */
  wrongPrev: Set<number>
  /** Blocks whose traces and deltas lose their last byte. */
  truncated: Set<number>
  /** Blocks whose frame declares too large a length for its last part. */
  lyingLength: Set<number>
  /** Blocks whose deltas are enlarged, with their size in bytes. */
  giant: Map<number, number>
  /** The server stops sending before these blocks; the socket stays open. */
  silence: Set<number>
  /** The connection closes before these blocks. */
  disconnect: Set<number>
  /** The connection closes in the middle of these blocks' frames. */
  cut: Set<number>
  /** A wrong chain id for status responses; null for the real one. */
  chainId: string | null
}

export function noFaults(): Faults {
  return {
    gap: new Set(),
    empty: new Set(),
    duplicate: new Set(),
    wrongPrev: new Set(),
    truncated: new Set(),
    lyingLength: new Set(),
    giant: new Map(),
    silence: new Set(),
    disconnect: new Set(),
    cut: new Set(),
    chainId: null,
  }
}
