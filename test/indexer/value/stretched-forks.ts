// The canonical blocks of the recording with forks, stretched in time, every block final.
import { readFile } from 'node:fs/promises'
import type { BlockSource } from '../../../indexer/source/source.ts'
import { LinearSource } from '../replay/index-recording.ts'
import type { ForksFile } from '../replay/node-tables.ts'
import { StretchedSource } from './stretched.ts'

const fixtures = new URL('../../fixtures/recordings/', import.meta.url).pathname
const truth = JSON.parse(await readFile(`${fixtures}forks.json`, 'utf8')) as ForksFile
const ids = Object.entries(truth.canonical).map(([num, id]) => ({ num: Number(num), id }))

/** The last block. */
export const LAST = ids.reduce((x, y) => (y.num > x.num ? y : x))

/** @param factor  how many times as long as the recording, which has 3.5 minutes */
export function stretchedForks(factor: number): BlockSource {
  return {
    name: 'final',
    async *blocks(start, signal) {
      const wanted = ids.map(({ id }) => id)
      const linear = new LinearSource(`${fixtures}forks.ship.gz`, wanted)
      const stretched = new StretchedSource(linear, factor, Date.parse('2026-11-21T00:16:00Z'))
      for await (const block of stretched.blocks(start, signal)) yield { ...block, lib: LAST, head: LAST }
    },
  }
}
