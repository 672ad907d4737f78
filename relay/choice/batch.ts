// One root for many releases: a root that the light client stores makes every older burn light. So of the withdrawals of
// a chain that have no stored root only the newest is sent with its root, and the others wait for it.
import type { Later } from './limits.ts'
import type { EvmTask } from './task.ts'

export interface Batch {
  /** Sent by a stored root, in the order of the list. */
  light: EvmTask[]
  /** The newest withdrawal without a stored root: it brings the root. Null when all have a stored root. */
  root: EvmTask | null
  /** Wait for that root. */
  waiting: EvmTask[]
}

/** Whether a stored root covers a withdrawal, by the API's estimate. */
export function isLight({ entry }: EvmTask): boolean {
  return (entry.estimatedGas?.light ?? null) !== null
}

/** @param tasks  withdrawals of one chain with a proof, in the order of the list */
export function batchOf(tasks: readonly EvmTask[]): Batch {
  const hard = tasks.filter((task) => !isLight(task))
  const root = hard.reduce<EvmTask | null>((newest, task) => {
    return newest === null || task.entry.src_time > newest.entry.src_time ? task : newest
  }, null)
  return { light: tasks.filter(isLight), root, waiting: hard.filter((task) => task !== root) }
}

/** Estimated gas of a light release where the API gives only that of a hard one. */
export const LIGHT_GAS = 180_000

/** Estimated gas of a withdrawal. @returns null when the API has no estimate */
export function gasOf({ entry }: EvmTask): bigint | null {
  const { estimatedGas } = entry
  return estimatedGas === null ? null : BigInt(estimatedGas.light ?? estimatedGas.hard)
}

/**
 * Gas that a root costs each of its withdrawals: the root is paid once and shared.
 *
 * @param root     the withdrawal that sends it
 * @param sharing  number of withdrawals under the root that would be sent
 * @returns null when the API has no estimate
 */
export function sharedGas(root: EvmTask, sharing: number): bigint | null {
  const { estimatedGas } = root.entry
  if (estimatedGas === null) return null
  const overhead = Math.max(0, estimatedGas.hard - LIGHT_GAS)
  return BigInt(LIGHT_GAS + Math.ceil(overhead / Math.max(1, sharing)))
}

/** Gas of a release with its root, at least: 21 finalizers, a pending policy, a fee (docs/bridge/proofs.md). */
export const ROOT_GAS = 550_000

/** Calls of a withdrawal after one of them, which cannot be tried yet. @param count  how many */
export function laterOf({ entry }: EvmTask, count: number): Later {
  if (count === 0) return { handoffs: 0, gas: 0n }
  const { hard, handoffs } = entry.estimatedGas ?? { hard: 0, handoffs: 0 }
  return { handoffs: count - 1, gas: BigInt(Math.max(ROOT_GAS, hard - handoffs)) }
}
