// Stores of files: the common behaviour of a folder and a bucket of S3, on a real folder and a server of S3.
import { createHash, randomBytes } from 'node:crypto'
import { readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { openStore } from '../../../net/objects/open.ts'
import type { ObjectStore } from '../../../net/objects/store.ts'
import { startProxy } from '../../support/proxy.ts'
import { REQUIRED_VARIABLE, startS3 } from '../../support/s3/server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Minimum size of a part that the server of S3 accepts. */
const PART = 5 * 2 ** 20
const QUICK = { firstDelayMs: 1, partBytes: PART }

async function temporary(t: Test): Promise<string> {
  const folder = temporaryFolder(t)
  return folder
}

async function names(store: ObjectStore, prefix = ''): Promise<string[]> {
  const found: string[] = []
  for await (const name of store.list(prefix)) found.push(name)
  return found
}

/** A stream of the bytes in pieces of an odd size. May fail after the last one. */
function inPieces(bytes: Buffer, failure?: Error): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 65_521) yield bytes.subarray(at, at + 65_521)
      if (failure) throw failure
    })(),
    { objectMode: false },
  )
}

/** Behaviour of every writable store. */
async function behaviour(t: Test, store: ObjectStore): Promise<void> {
  t.equal(await store.read('none'), null)
  t.equal(await store.open('telos/none'), null)
  t.same(await names(store), [])

  const body = randomBytes(100_000)
  await store.write('telos/blocks-0001.bin', body)
  await store.write('telos/empty', Buffer.alloc(0))
  await store.write('telos-2/a+b=c,d@e', Readable.from([Buffer.from('pie'), Buffer.from('ces')]))
  t.ok(body.equals((await store.read('telos/blocks-0001.bin'))!))
  t.ok(body.equals(await buffer((await store.open('telos/blocks-0001.bin'))!)))
  t.equal((await store.read('telos/empty'))!.length, 0)
  t.equal((await store.read('telos-2/a+b=c,d@e'))!.toString(), 'pieces')

  t.same(await names(store), ['telos-2/a+b=c,d@e', 'telos/blocks-0001.bin', 'telos/empty'])
  t.same(await names(store, 'telos/b'), ['telos/blocks-0001.bin'])
  t.same(await names(store, 'wax'), [])

  // The same content is accepted without a change; other content is refused, and the file stays.
  await store.write('telos/blocks-0001.bin', body)
  await store.write('telos/blocks-0001.bin', inPieces(body))
  const other = Buffer.from(body).fill(0, 50_000, 50_001)
  other[50_000] = body[50_000]! ^ 1
  for (const bytes of [other, inPieces(other), body.subarray(1)])
    await t.rejects(store.write('telos/blocks-0001.bin', bytes), {
      code: 'OBJECT_DIFFERS',
      message: `${store.address}: telos/blocks-0001.bin is there with another content`,
    })
  t.ok(body.equals((await store.read('telos/blocks-0001.bin'))!))

  await store.replace('manifest.json', Buffer.from('1'))
  await store.replace('manifest.json', Buffer.from('two'))
  t.equal((await store.read('manifest.json'))!.toString(), 'two')

  await t.rejects(store.read('telos/blocks-0001.bin', { maxBytes: 99_999 }), {
    code: 'OBJECT_TOO_LARGE',
    message: /99999 bytes/,
  })
  t.equal((await store.read('telos/blocks-0001.bin', { maxBytes: 100_000 }))!.length, 100_000)

  // A body that fails leaves no file.
  const large = randomBytes(2 * PART + 7)
  await t.rejects(store.write('broken', inPieces(large.subarray(0, PART + 9), new Error('the source broke'))), {
    message: 'the source broke',
  })
  t.equal(await store.read('broken'), null)

  await store.write('large', inPieces(large))
  const back = createHash('sha256')
  for await (const piece of (await store.open('large'))!) back.update(piece)
  t.equal(back.digest('hex'), createHash('sha256').update(large).digest('hex'))

  for (const name of [
    '',
    '/etc/passwd',
    '../x',
    'a/../../x',
    'a//b',
    'a/',
    '.',
    'a\0b',
    'a\\b',
    'a b',
    'a?b',
    '.part.x',
  ])
    for (const call of [
      () => store.read(name),
      () => store.open(name),
      () => store.write(name, Buffer.from('x')),
      () => store.replace(name, Buffer.from('x')),
    ])
      await t.rejects(call() as Promise<unknown> as Promise<void>, { code: 'OBJECT_NAME' }, JSON.stringify(name))
  await t.rejects(names(store, '../'), { code: 'OBJECT_NAME' })
}

t.test('a folder', async (t) => {
  const folder = await temporary(t)
  const store = openStore(join(folder, 'packs'), {})
  await behaviour(t, store)

  t.test('unfinished files are not listed, and old ones are removed', async (t) => {
    const old = join(folder, 'packs/telos/.part.x.1')
    const young = join(folder, 'packs/telos/.part.x.2')
    for (const path of [old, young]) await writeFile(path, 'x')
    await utimes(old, 0, 0)
    t.same(await names(store, 'telos/'), ['telos/blocks-0001.bin', 'telos/empty'])
    await openStore(join(folder, 'packs'), {}).write('telos/z', Buffer.from('z'))
    t.same((await readdir(join(folder, 'packs/telos'))).sort(), ['.part.x.2', 'blocks-0001.bin', 'empty', 'z'])
  })

  t.test('writers of one name at once: the first wins, the others see whether it has their content', async (t) => {
    const bodies = ['a', 'b', 'a', 'b', 'a', 'b'].map((text) => Buffer.from(text))
    const ends = await Promise.allSettled(bodies.map((body) => store.write('race', body)))
    const winner = (await store.read('race'))!.toString()
    t.same(
      ends.map(({ status }) => status),
      bodies.map((body) => (body.toString() === winner ? 'fulfilled' : 'rejected')),
    )
    t.notOk((await readdir(join(folder, 'packs'))).some((name) => name.startsWith('.part')))
  })

  t.test('errors name the folder and what to change', async (t) => {
    await symlink(join(folder, 'packs/large'), join(folder, 'file'))
    await t.rejects(openStore(join(folder, 'file'), {}).write('a', Buffer.from('x')), {
      code: 'OBJECTS_FOLDER',
      hint: /a part of the path is a file|another folder/,
    })
    await t.rejects(store.read('telos'), { code: 'OBJECTS_FOLDER', message: /telos: it is no file/ })
    t.equal(await openStore(join(folder, 'nowhere'), {}).read('a'), null)
  })
})

t.test('addresses', async (t) => {
  for (const address of [
    '',
    ' ',
    'ftp://host/x',
    'file:///x',
    'a\0b',
    's3://',
    's3://UP/x',
    's3://bucket/a/../b',
    's3://b/x',
  ])
    t.throws(() => openStore(address, { accessKeyId: 'a', secretAccessKey: 'b' }), { code: 'OBJECTS_ADDRESS' }, address)
  t.throws(() => openStore('s3://bucket', {}), { code: 'OBJECTS_KEYS', hint: /AWS_ACCESS_KEY_ID/ })
  t.throws(() => openStore('s3://bucket', { accessKeyId: 'a', secretAccessKey: 'b', endpoint: 'host:9000' }), {
    code: 'OBJECTS_ADDRESS',
    message: /AWS_ENDPOINT_URL_S3/,
  })
  t.equal(openStore('https://user:word@host/packs/?key=secret', {}).address, 'https://host/packs')
  t.equal(openStore('s3://bucket/a/b/', { accessKeyId: 'a', secretAccessKey: 'b' }).address, 's3://bucket/a/b')
})

t.test('the secret key is read from a file that only its owner may read', async (t) => {
  const file = join(await temporary(t), 'secret')
  await writeFile(file, 'S3RVER\n', { mode: 0o600 })
  t.ok(openStore('s3://packs', { accessKeyId: 'S3RVER', secretAccessKeyFile: file }))
  const open = (path: string) => openStore('s3://packs', { accessKeyId: 'S3RVER', secretAccessKeyFile: path })
  t.throws(() => open(`${file}-no`), { code: 'OBJECTS_SECRET_FILE', message: /ENOENT/ })
  await writeFile(`${file}-2`, 'S3RVER', { mode: 0o644 })
  t.throws(() => open(`${file}-2`), { code: 'OBJECTS_SECRET_FILE', message: /others than its owner/ })
})

const s3 = await startS3(t)
if ('missing' in s3) {
  if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(s3.missing)
  else t.comment(`not run: ${s3.missing}`)
} else {
  const { settings, port } = s3
  t.test('a store does not list another one whose prefix begins with its own', async (t) => {
    await openStore('s3://packs/many', settings, QUICK).write('f', Buffer.from('x'))
    t.same(await names(openStore('s3://packs/man', settings, QUICK)), [])
  })

  t.test('a bucket of S3', (t) => behaviour(t, openStore('s3://packs/own/prefix', settings, QUICK)))

  t.test('refusals say what to change', async (t) => {
    const refused = (address: string, more: object) =>
      openStore(address, { ...settings, ...more }, QUICK).replace('x', Buffer.from('x'))
    await t.rejects(refused('s3://absent/p', {}), {
      code: 'OBJECTS_REFUSED',
      message: /s3:\/\/absent\/p: x: .*NoSuchBucket/,
      hint: /make the bucket absent/,
    })
    await t.rejects(refused('s3://packs', { secretAccessKey: 'wrong' }), {
      code: 'OBJECTS_REFUSED',
      hint: /the secret is wrong/,
    })
    await t.rejects(refused('s3://packs', { accessKeyId: 'other' }), {
      code: 'OBJECTS_REFUSED',
      hint: /does not know AWS_ACCESS_KEY_ID/,
    })
  })

  t.test('a long file is written and read although connections break', async (t) => {
    const proxy = await startProxy({ port })
    t.teardown(() => proxy.stop())
    const endpoint = `http://127.0.0.1:${proxy.port}`
    const store = openStore('s3://packs/cut', { ...settings, endpoint }, { ...QUICK, attempts: 20 })
    const bytes = randomBytes(3 * PART + 1)
    let cuts = 0
    // Cut between the pieces of the body, and so before and within requests.
    async function* cutting(source: AsyncIterable<Buffer>) {
      let seen = 0
      for await (const piece of source) {
        yield piece
        seen += piece.length
        if (seen < 2 ** 20) continue
        seen = 0
        cuts++
        proxy.cut()
      }
    }
    await store.write('large', Readable.from(cutting(inPieces(bytes)), { objectMode: false }))
    const read = await buffer(cutting((await store.open('large')) as AsyncIterable<Buffer>))
    t.ok(bytes.equals(read))
    t.ok(cuts > 20, `${cuts} cuts`)
    t.ok(proxy.accepted > 10, `${proxy.accepted} connections`)
  })
}
