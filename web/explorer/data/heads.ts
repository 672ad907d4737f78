// The newest known block of each chain, from answers and from streams, and the last irreversible one.
import { batch, signal } from '@preact/signals'

export interface Head {
  block: number
  /** Time of the block, Unix milliseconds; null when only its number is known. */
  time: number | null
}

/** When the server was last heard, by an answer or a message of a stream, Unix milliseconds. */
let heardAt = Date.now()

export function noteHeard(): void {
  heardAt = Date.now()
}

export const lastHeard = () => heardAt

/** By chain name; '' when the page has no chain. */
export const heads = signal<Readonly<Record<string, Head>>>({})

/** Last irreversible block of each chain, by the stream of facts. */
export const finals = signal<Readonly<Record<string, number>>>({})

/** A block never stops being irreversible, so of two streams the one that is ahead is right. */
export function noteFinal(chain: string | null, block: number): void {
  const name = chain ?? ''
  if (block > (finals.peek()[name] ?? 0)) finals.value = { ...finals.peek(), [name]: block }
}

/** Whether a block number is irreversible, as far as streams have reported. A fact of it may be of a replaced block. */
export function isFinalBlock(chain: string | null, block: number): boolean {
  return block <= (finals.value[chain ?? ''] ?? 0)
}

export interface Fork {
  /** Number of forks so far. */
  count: number
  /** Block above which the newest one replaced everything. */
  above: number
  /** Newest known block of the replaced branch. */
  newest: number
  /** Unix milliseconds. */
  at: number
}

/** The newest fork of each chain, by the streams. */
export const forks = signal<Readonly<Record<string, Fork>>>({})

/** Time in which an answer can still be of a replaced branch, milliseconds. */
const REPLACED_MS = 2000

/** Notes the block in an answer's headers. */
export function noteHead(chain: string | null, headers: Headers): void {
  const block = Number(headers.get('x-block-num'))
  const time = Date.parse(headers.get('x-block-time') ?? '')
  const fork = forks.peek()[chain ?? '']
  const isDoubtful =
    fork !== undefined && block > fork.above && block <= fork.newest && Date.now() - fork.at < REPLACED_MS
  if (block > 0 && !isDoubtful) advance(chain, block, Number.isNaN(time) ? null : time)
}

/** A fork replaced all blocks above one. */
export function rewind(chain: string | null, block: number): void {
  const name = chain ?? ''
  const old = heads.peek()[name]
  if (old === undefined || old.block <= block) return
  const count = (forks.peek()[name]?.count ?? 0) + 1
  batch(() => {
    heads.value = { ...heads.peek(), [name]: { block, time: null } }
    forks.value = { ...forks.peek(), [name]: { count, above: block, newest: old.block, at: Date.now() } }
  })
}

/** A head that is lower by fewer blocks than this comes from a late answer, not from a fork. */
const MIN_FORK_BLOCKS = 5

export function advance(chain: string | null, block: number, time: number | null): void {
  const name = chain ?? ''
  const old = heads.peek()[name]
  // A lower number is a fork, unless it is lower by only a few blocks: then it is a late answer.
  if (old !== undefined && old.block === block && (time === null || old.time !== null)) return
  if (old !== undefined && block < old.block && old.block - block < MIN_FORK_BLOCKS) return
  heads.value = { ...heads.peek(), [name]: { block, time } }
}
