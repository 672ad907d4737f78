// A sink slower than the server: read data waits in memory in its order, up to a limit.
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { ReadAhead } from '../../../indexer/export/read-ahead.ts'
import type { Sink } from '../../../indexer/export/sink.ts'

class SlowSink implements Sink {
  rows = 0
  readonly seen: string[] = []
  private open: () => void = () => {}
  private readonly gate = new Promise<void>((resolve) => {
    this.open = resolve
  })

  begin(): void {
    this.seen.push('begin')
  }

  async add(chunk: Buffer): Promise<void> {
    await this.gate
    if (chunk.toString() === 'bad') throw new Error('cannot be written')
    this.rows++
    this.seen.push(chunk.length > 100 ? 'large' : chunk.toString())
  }

  end(): void {}

  release(): void {
    this.open()
  }
}

async function* output(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

t.test('the next statement is read before the sink has the last one', async (t) => {
  const sink = new SlowSink()
  const counts: number[] = []
  const ahead = new ReadAhead(sink, (rows) => counts.push(rows))
  await ahead.add(output('a', 'b'))
  await ahead.add(output())
  await ahead.add(output('c'))
  t.same(sink.seen, ['begin'])
  sink.release()
  await ahead.end()
  t.same(sink.seen, ['begin', 'a', 'b', 'begin', 'begin', 'c'])
  t.same(counts, [1, 2, 3])
})

t.test('beyond the limit the server waits', async (t) => {
  const sink = new SlowSink()
  const ahead = new ReadAhead(sink)
  let read = 0
  const added = ahead.add(
    (async function* () {
      for (; read < 60; read++) yield Buffer.alloc(2 ** 20)
    })(),
  )
  for (let turn = 0; turn < 200; turn++) await setImmediate()
  t.ok(read > 30 && read < 40, `${read} megabytes are in memory`)
  sink.release()
  await added
  await ahead.end()
  t.equal(sink.rows, 60)
})

t.test('what the sink throws reaches the reader', async (t) => {
  const sink = new SlowSink()
  const ahead = new ReadAhead(sink)
  await ahead.add(output('a', 'bad', 'c'))
  sink.release()
  await t.rejects(ahead.end(), { message: 'cannot be written' })
  await t.rejects(ahead.add(output('d', 'e')), { message: 'cannot be written' })
  t.same(sink.seen, ['begin', 'a'])
})

t.test('a failure frees a reader that waits', async (t) => {
  const sink = new SlowSink()
  const ahead = new ReadAhead(sink)
  const added = ahead.add(
    (async function* () {
      yield Buffer.from('bad')
      for (;;) yield Buffer.alloc(2 ** 20)
    })(),
  )
  sink.release()
  await t.rejects(added, { message: 'cannot be written' })
})
