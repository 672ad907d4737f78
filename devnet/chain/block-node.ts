// A reversible block in the tree of branches.

import type { DposState } from './dpos.ts'
import type { ActionTrace } from './execute.ts'
import type { Certificate } from './finalizers.ts'
import type { StoredBlock } from './frame-store.ts'
import type { SavannaState } from './savanna.ts'
import type { Change } from './state.ts'

export interface BlockNode {
  num: number
  id: string
  /** Null for the last irreversible block. */
  parent: BlockNode | null
  /** Slot. */
  timestamp: number
  packedHeader: Uint8Array
  savanna: SavannaState | null
  /** Null once finalizers make blocks final. */
  dpos: DposState | null
  /** Journal of the block, to undo and redo it. */
  changes: Change[]
  globalSequenceBefore: number
  globalSequence: number
  /** In execution order; dropped once the block is irreversible. */
  actions: readonly ActionTrace[]
  /** Without the certificate that the block carries. */
  stored: StoredBlock
  /** On the block that `savanna` claims, when that claim is new. */
  certificate: Certificate | null
}
