// Ways in which a state-history server can go wrong, for tests to ask for. Each fires once and is then forgotten.

export interface Faults {
  /** Blocks that are left out. */
  gap: Set<number>
  /** Blocks for which an empty result is sent. */
  empty: Set<number>
  /** Blocks that are sent twice. */
  duplicate: Set<number>
  /** Blocks whose parent's id is changed. */
  wrongPrev: Set<number>
  /** Blocks whose traces and deltas lose their last byte. */
  truncated: Set<number>
  /** Blocks whose frame says that its last part is longer than it is. */
  lyingLength: Set<number>
  /** Blocks whose deltas are blown up to so many bytes. */
  giant: Map<number, number>
  /** The server stops sending in front of these blocks; the socket stays open. */
  silence: Set<number>
  /** The connection ends in front of these blocks. */
  disconnect: Set<number>
  /** The connection ends in the middle of these blocks' frames. */
  cut: Set<number>
  /** The chain id that status answers tell, while it is set. */
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
