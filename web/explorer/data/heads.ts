// The newest block of each chain that this page has heard of, by answers and by the stream.
import { signal } from '@preact/signals'

export interface Head {
  block: number
  /** Time of the block, Unix milliseconds; null when only its number is known. */
  time: number | null
}

/** By chain name; the chain of the host also under its name. */
export const heads = signal<Readonly<Record<string, Head>>>({})

/** Reads the block that an answer names in its headers. */
export function heard(chain: string | null, headers: Headers): void {
  const block = Number(headers.get('x-block-num'))
  const time = Date.parse(headers.get('x-block-time') ?? '')
  if (block > 0) advance(chain, block, Number.isNaN(time) ? null : time)
}

export function advance(chain: string | null, block: number, time: number | null): void {
  const name = chain ?? ''
  const old = heads.peek()[name]
  // A fork may return to a lower number; an answer that is late by a few blocks is no fork.
  if (old !== undefined && old.block === block && (time === null || old.time !== null)) return
  if (old !== undefined && block < old.block && old.block - block < 5) return
  heads.value = { ...heads.peek(), [name]: { block, time } }
}
