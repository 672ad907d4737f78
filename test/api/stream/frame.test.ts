// Frames against the client of the ws package, and what a slow socket is sent.
import { Duplex, type Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import * as ws from 'ws'
import { FRAGMENT, textFrames } from '../../../api/stream/frame.ts'
import { Outbox } from '../../../api/stream/outbox.ts'

/** The part of the client that reads frames; the types of the package leave it out. */
const { Receiver } = ws as unknown as { Receiver: new (options: object) => Writable }

t.test('messages of every length are read as they were written', async (t) => {
  const lengths = [0, 1, 125, 126, 127, 65535, FRAGMENT - 1, FRAGMENT, FRAGMENT + 1, 2 * FRAGMENT, 300_000]
  for (const length of lengths) {
    // Three bytes a letter: fragments end inside of letters.
    const text = '€'.repeat(Math.floor(length / 3)) + 'x'.repeat(length % 3)
    const receiver = new Receiver({ isServer: false })
    const read = new Promise<string>((resolve) => receiver.on('message', (data: Buffer) => resolve(data.toString())))
    for (const frame of textFrames(text)) receiver.write(frame)
    t.ok((await read) === text, `${length} bytes`)
  }
})

t.test('one write at a time: what is sent next waits until the socket has taken the last', async (t) => {
  const writes: Buffer[] = []
  let taken = () => {}
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      writes.push(chunk)
      taken = done
    },
  })
  let free = 0
  const outbox = new Outbox(socket, () => free++)
  const frames = textFrames('x'.repeat(2.5 * FRAGMENT))
  outbox.send([...textFrames('a'), ...textFrames('b'), ...frames])
  t.notOk(outbox.isFree)
  while (writes.length < 4) {
    t.equal(free, 0)
    taken()
    await turn()
    await turn()
  }
  t.equal(free, 0, 'the last one is under way')
  t.ok(outbox.stalledFor(performance.now() + 1000) >= 1000)
  taken()
  await turn()
  await turn()
  t.equal(free, 1)
  t.ok(outbox.isFree)
  t.equal(outbox.stalledFor(performance.now()), 0)
  t.ok(Buffer.concat(writes).equals(Buffer.concat([...textFrames('a'), ...textFrames('b'), ...frames])))
  t.equal(writes[0]!.length, 6, 'small ones together')
})
