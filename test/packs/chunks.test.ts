// However the reading of a file ends, the file is closed.
import { createHash } from 'node:crypto'
import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { CHUNK, fileEnd, fileHead, packChunk, readChunks } from '../../packs/format/chunks.ts'
import { packFolder } from './scene.ts'

t.test('a file is closed after its end, after damage, and when its reader stops', async (t) => {
  const chunks = [
    await packChunk(CHUNK.data, Buffer.alloc(300_000, 'a')),
    await packChunk(CHUNK.data, Buffer.from('b')),
  ]
  const whole = Buffer.concat([fileHead(), ...chunks, fileEnd()])
  const sha256 = createHash('sha256').update(whole).digest('hex')
  const path = join(packFolder(t), 'file.pack')
  for (const [what, bytes, most] of [
    ['whole', whole, Number.POSITIVE_INFINITY],
    ['stopped', whole, 1],
    ['not a pack', Buffer.concat([Buffer.from('x'), whole]), Number.POSITIVE_INFINITY],
    ['cut', whole.subarray(0, -3), Number.POSITIVE_INFINITY],
    ['longer', Buffer.concat([whole, Buffer.alloc(500_000)]), Number.POSITIVE_INFINITY],
  ] as const) {
    writeFileSync(path, bytes)
    const stream = createReadStream(path, { highWaterMark: 64 })
    const closed = new Promise<void>((resolve) => stream.once('close', resolve))
    let read = 0
    let error: unknown = null
    try {
      for await (const _ of readChunks(stream, { name: 'file.pack', bytes: whole.length, sha256 }))
        if (++read >= most) break
    } catch (found) {
      error = found
    }
    t.match(error, what === 'whole' || what === 'stopped' ? null : { code: 'PACK_DAMAGED' }, what)
    await closed
    t.ok(stream.destroyed, what)
  }
})
