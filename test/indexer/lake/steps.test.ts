// Division of blocks into steps.
import t from 'tap'
import { type BlockTimes, nextBlocks, nextHours, type Step } from '../../../indexer/lake/steps.ts'

/** Blocks with these times from number 10 on. */
function blocks(...times: string[]): BlockTimes {
  const all = times.map((time, i) => ({ num: 10 + i, time: new Date(`${time}Z`) }))
  return {
    firstFrom: async (num) => all.find((block) => block.num >= num) ?? null,
    firstSince: async (time, from) => all.find((block) => block.num >= from && block.time >= time)?.num ?? null,
    lastTime: async (num) => all.findLast((block) => block.num <= num)?.time ?? null,
  }
}

/** 10 to 17. */
const two = blocks(
  ...['2026-03-08T22:10', '2026-03-08T22:50', '2026-03-08T23:30', '2026-03-09T00:00', '2026-03-09T00:40'],
  ...['2026-03-09T01:20', '2026-03-09T03:00', '2026-03-09T03:30'],
)
const step = (fromBlock: number, toBlock: number, date: string, hours: string, isOpen = false): Step => ({
  ...{ fromBlock, toBlock, date, hours, isOpen },
})

t.test('days and complete hours are one step, the hour that is not complete is one of its own', async (t) => {
  const next = (from: number, last: number, planned: Step | null = null, withOpen = true) =>
    nextHours(two, { next: from, last, planned, withOpen })
  const first = step(10, 12, '2026-03-08', '22-24')
  t.same(await next(10, 17), first)
  t.same(await next(13, 17), step(13, 15, '2026-03-09', '00-03'), 'up to the hour of the last block')
  t.same(await next(16, 17), step(16, 17, '2026-03-09', '03-04', true))
  t.equal(await next(16, 17, null, false), null)
  t.equal(await next(18, 17), null)
  t.same(await next(10, 11), step(10, 11, '2026-03-08', '22-23', true), 'blocks that are not final are not there')
})

t.test('hours that were begun keep their end', async (t) => {
  const begun = step(13, 13, '2026-03-09', '00-01', true)
  const next = (last: number) => nextHours(two, { next: 13, last, planned: begun, withOpen: true })
  t.same(await next(13), begun)
  t.same(await next(14), step(13, 14, '2026-03-09', '00-01', true))
  t.same(await next(17), step(13, 14, '2026-03-09', '00-01'), 'also when the whole day is complete')
})

t.test('without rows of blocks, as on EVM chains, blocks belong to the hours before', async (t) => {
  const sparse: BlockTimes = {
    firstFrom: async (num) => (num <= 20 ? { num: 20, time: new Date('2026-03-09T05:10Z') } : null),
    firstSince: async (time) => (time <= new Date('2026-03-09T05:10Z') ? 20 : null),
    lastTime: async () => new Date('2026-03-09T05:10Z'),
  }
  const at = { next: 7, last: 500, planned: null, withOpen: true }
  t.same(await nextHours(sparse, at), step(7, 500, '2026-03-09', '05-06', true))
  t.equal(await nextHours(sparse, { ...at, next: 501 }), null)
})

t.test('steps of blocks end with the day, and a planned one is kept', async (t) => {
  const next = (from: number, last: number, planned: Step | null = null) =>
    nextBlocks(two, { next: from, last, planned })
  t.same(await next(10, 17), step(10, 12, '2026-03-08', '00-24'))
  t.same(await next(10, 11), step(10, 11, '2026-03-08', '00-24'))
  t.same(await next(13, 17), step(13, 17, '2026-03-09', '00-24'))
  t.same(await next(13, 17, step(13, 14, '2026-03-09', '00-24')), step(13, 14, '2026-03-09', '00-24'))
  t.equal(await next(18, 17), null)
})
