// Payloads as all generations of nodes write them, and damaged payloads.
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { adler32 } from '../../../../core/antelope/logs/adler32.ts'
import { readEntryHeader } from '../../../../core/antelope/logs/entry.ts'
import { readPayload } from '../../../../core/antelope/logs/payload.ts'
import { entryOf, payloadOf, type Style, storedStream, u64 } from '../../../support/log-writer.ts'
import { Random } from '../../../support/random.ts'

const STYLES: readonly [Style, encoding: string, lengthField: string][] = [
  ['eosio', 'zlib', 'length'],
  ['leap3', 'zlib', 'zero'],
  ['leap5', 'zlib', 'size'],
  ['spring', 'stored', 'size'],
  ['split', 'stored', 'size'],
]
const random = new Random(19)
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.integer(0, 255))
/** Compressible and incompressible data, below and above the size of one stored block. */
const CONTENTS = [bytes(1), bytes(100), Buffer.alloc(5000, 'abc'), bytes(65_535), bytes(65_536), bytes(200_000)]

t.test('content is the same from every form', async (t) => {
  for (const [style, encoding, lengthField] of STYLES) {
    for (const content of style === 'split' ? CONTENTS.slice(0, 3) : CONTENTS) {
      const read = readPayload(payloadOf(content, style))
      t.equal(Buffer.compare(read.content, content), 0, `${style}, ${content.length} bytes`)
      // Incompressible data is stored at every level.
      if (content === CONTENTS[2]) t.match(read, { encoding, lengthField })
    }
  }
})

t.test('an empty payload is empty content', async (t) => {
  t.match(readPayload(Buffer.from([0, 0, 0, 0])), { content: { length: 0 }, encoding: 'empty' })
  for (const style of ['leap5', 'spring', 'split'] as const)
    t.equal(readPayload(payloadOf(new Uint8Array(), style)).content.length, 0, style)
  t.throws(() => readPayload(Buffer.from([0, 0, 0])), { code: 'LOG_PAYLOAD' })
})

t.test('stored blocks of every length are joined', async (t) => {
  const content = bytes(300)
  for (let longest = 1; longest <= 301; longest++) {
    const payload = Buffer.concat([Buffer.from([1, 0, 0, 0]), u64(content.length), storedStream(content, longest)])
    if (Buffer.compare(readPayload(payload).content, content) !== 0) t.fail(`blocks of ${longest} bytes`)
  }
  t.pass('300 bytes in blocks of 1 to 301')
})

t.test('content in one stored block is not copied', async (t) => {
  const payload = payloadOf(bytes(1000), 'spring')
  t.equal(readPayload(payload).content.buffer, payload.buffer)
})

t.test('stored and compressed blocks in one stream', async (t) => {
  // A full flush ends the compressed blocks; the stored rest has its own header, and the sum covers both.
  const [first, second] = [Buffer.alloc(500, 'xy'), bytes(40)]
  const content = Buffer.concat([first, second])
  const flushed = deflateSync(first, { finishFlush: 3 })
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(adler32(content))
  const stored = storedStream(second, 100)
  const stream = Buffer.concat([flushed, stored.subarray(2, -4), sum])
  const payload = Buffer.concat([Buffer.from([1, 0, 0, 0]), u64(content.length), stream])
  t.same(Buffer.from(readPayload(payload).content), content)
})

t.test('every altered byte is found, or changes nothing in the content', async (t) => {
  const content = Buffer.concat([Buffer.alloc(60, 'ab'), bytes(40)])
  for (const [style] of STYLES) {
    const payload = payloadOf(content, style)
    let silent = 0
    for (let at = 0; at < payload.length; at++) {
      for (const change of [1, 0x10, 0x80, 0xff]) {
        const altered = Buffer.from(payload)
        altered[at]! ^= change
        try {
          const read = readPayload(altered)
          if (Buffer.compare(read.content, content) !== 0)
            t.fail(`${style}: byte ${at} ^ ${change} gives other content`)
          silent++
        } catch (error) {
          if ((error as { code?: string }).code !== 'LOG_PAYLOAD') t.fail(`${style}: byte ${at}: ${error}`)
        }
      }
    }
    // Bytes that need not be checked: the level in the stream's header, and unused bits before the length of a stored
    // block.
    t.ok(silent <= (style === 'split' ? 32 : 4), `${style}: ${silent} alterations are harmless`)
  }
})

t.test('a truncated payload is refused at every byte', async (t) => {
  for (const [style] of STYLES) {
    const payload = payloadOf(bytes(100), style)
    for (let length = 0; length < payload.length; length++) {
      if (style === 'leap3' && length === 4) continue // empty content
      t.throws(() => readPayload(payload.subarray(0, length)), { code: 'LOG_PAYLOAD' }, `${style}, ${length} bytes`)
    }
    t.throws(
      () => readPayload(Buffer.concat([payload, Buffer.from([0])])),
      { code: 'LOG_PAYLOAD' },
      `${style}, a byte more`,
    )
  }
})

t.test('a content above the limit is refused before it is made', async (t) => {
  for (const [style] of STYLES) {
    if (style === 'split') continue
    const payload = payloadOf(Buffer.alloc(100_000, 'a'), style)
    t.throws(() => readPayload(payload, 1000), { code: 'LOG_CONTENT_SIZE', hint: /maxFrameBytes/ }, style)
  }
})

t.test('adler32 equals zlib’s', async (t) => {
  for (const content of [...CONTENTS, Buffer.alloc(100_000, 255), new Uint8Array()]) {
    const stream = deflateSync(content)
    t.equal(adler32(content), stream.readUInt32BE(stream.length - 4), `${content.length} bytes`)
  }
})

t.test('headers', async (t) => {
  const id = `000000ff${'ab'.repeat(28)}`
  const entry = entryOf(id, Buffer.alloc(20), 0)
  t.same(readEntryHeader(entry), { id, num: 255, payloadSize: 20, isPruned: false })
  t.match(readEntryHeader(entryOf(id, Buffer.alloc(20), 0, 0xc35d500000010000n)), { isPruned: true })
  for (const magic of [0xc35d500000000001n, 0xc35d500000020000n, 0xc35d500000010001n])
    t.throws(() => readEntryHeader(entryOf(id, Buffer.alloc(20), 0, magic)), { code: 'LOG_VERSION' })
  t.throws(() => readEntryHeader(entryOf(id, Buffer.alloc(20), 0, 0xc35d500100000000n)), { code: 'LOG_ENTRY' })
  t.throws(() => readEntryHeader(entry.subarray(0, 47)), { code: 'LOG_ENTRY' })
})
