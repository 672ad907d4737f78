// Frames read by the client of the ws package, and the bytes sent to a slow socket.
import { Duplex, type Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import * as ws from 'ws'
import { COPIED_UP_TO, FRAGMENT, textFrames } from '../../../../api/market/stream/frame.ts'
import { FrameMemory } from '../../../../api/market/stream/frame-memory.ts'
import { Outbox } from '../../../../api/market/stream/outbox.ts'

/** The frame reader of the client; the package's types omit it. */
const { Receiver } = ws as unknown as { Receiver: new (options: object) => Writable }

t.test('messages of every length are read as they were written', async (t) => {
  const lengths = [0, 1, 125, 126, 127, 65535, FRAGMENT - 1, FRAGMENT, FRAGMENT + 1, 2 * FRAGMENT, 300_000]
  for (const length of lengths) {
    // Three bytes a letter, so that fragments end inside letters.
    const text = '€'.repeat(Math.floor(length / 3)) + 'x'.repeat(length % 3)
    const receiver = new Receiver({ isServer: false })
    const read = new Promise<string>((resolve) => receiver.on('message', (data: Buffer) => resolve(data.toString())))
    for (const frame of textFrames(text)) receiver.write(frame)
    t.ok((await read) === text, `${length} bytes`)
  }
})

t.test('one write at a time: the next message waits until the socket has taken the last one', async (t) => {
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

/** A socket that accepts nothing until the test allows it. It then copies the bytes as they are at that time. */
function stuckSocket() {
  const taken: Buffer[] = []
  let take = () => {}
  const socket = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      take = () => {
        taken.push(Buffer.from(chunk))
        done()
      }
    },
  })
  return { socket, taken, take: () => take() }
}

t.test('frames from the memory of a block equal separate frames, for every length and character', async (t) => {
  const memory = new FrameMemory()
  for (let round = 0; round < 3; round++) {
    const texts = ['', 'a', 'x'.repeat(125), 'x'.repeat(126), '€'.repeat(60), 'ü'.repeat(125), 'x'.repeat(5000)]
    texts.push('x'.repeat(COPIED_UP_TO), '€'.repeat(30_000))
    for (let i = 0; i < 300; i++) texts.push(`${round} ${i} `.repeat(100))
    const frames = texts.map((text) => memory.frames(text))
    for (const [i, text] of texts.entries())
      if (!Buffer.concat(frames[i]!).equals(Buffer.concat(textFrames(text)))) t.fail(`${text.slice(0, 9)}… is another`)
    const before = memory.epoch
    memory.clear()
    t.ok(memory.epoch > before)
  }
})

t.test('data that waits for a slow socket does not change when its memory is reused', async (t) => {
  const memory = new FrameMemory()
  const texts = [['a'.repeat(300)], ['b'.repeat(40), 'c'.repeat(50)], Array.from({ length: 9 }, () => 'd'.repeat(3000))]
  const sockets = texts.map(stuckSocket)
  for (const [i, { socket }] of sockets.entries()) {
    const outbox = new Outbox(socket, () => {})
    outbox.send(texts[i]!.flatMap((text) => memory.frames(text)))
  }
  memory.clear()
  for (let i = 0; i < 20; i++) memory.frames('z'.repeat(5000))
  const free = stuckSocket()
  new Outbox(free.socket, () => {}).send(textFrames('y'.repeat(9000)))
  for (const [i, { taken, take }] of sockets.entries()) {
    take()
    const wanted = Buffer.concat(texts[i]!.flatMap((text) => textFrames(text)))
    const found = Buffer.concat(taken)
    t.ok(found.length > 0 && wanted.subarray(0, found.length).equals(found), `socket ${i}`)
  }
})
