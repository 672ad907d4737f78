// Own process: its connections to the server of S3 stay open after the test.
// Files at a web server, and servers of S3 that fail in scripted ways.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { openStore } from '../../../net/objects/open.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Answer, serveFolder } from './web-server.ts'

const QUICK = { firstDelayMs: 1, attempts: 4, idleMs: 300 }
const body = randomBytes(1_000_000)

async function served(t: Test) {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'a.bin'), body)
  return await serveFolder(t, folder)
}

t.test('reads and opens; does not list or write', async (t) => {
  const web = await served(t)
  const store = openStore(`${web.url.replace('//', '//me:pass%20word@')}/?token=1`, {}, QUICK)
  t.ok(body.equals((await store.read('a.bin'))!))
  t.ok(body.equals(await buffer((await store.open('a.bin'))!)))
  t.equal(await store.read('none'), null)
  t.equal(web.requests[0]!.url, '/a.bin?token=1')
  t.equal(web.requests[0]!.headers.authorization, `Basic ${Buffer.from('me:pass word').toString('base64')}`)
  await t.rejects(store.list('')[Symbol.asyncIterator]().next(), { code: 'OBJECTS_NO_LIST' })
  await t.rejects(store.write('b', body), { code: 'OBJECTS_READ_ONLY' })
  await t.rejects(store.replace('b', body), { code: 'OBJECTS_READ_ONLY' })
  await t.rejects(store.read('../b'), { code: 'OBJECT_NAME' })
  await t.rejects(store.read('a.bin', { maxBytes: 999_999 }), { code: 'OBJECT_TOO_LARGE' })
})

t.test('a percent sign in a password must be escaped', async (t) => {
  const refused = { code: 'OBJECTS_ADDRESS', message: /^https:\/\/a\.example\/b: /, hint: /%25/ }
  t.throws(() => openStore('https://me:100%@a.example/b', {}), refused)
  t.throws(() => openStore('https://100%zz@a.example/b', {}), refused)
  t.equal(openStore('https://me:100%25@a.example/b', {}).address, 'https://a.example/b')
})

for (const hasRanges of [true, false])
  t.test(`a broken connection is continued, ${hasRanges ? 'by a range' : 'by reading again'}`, async (t) => {
    const web = await served(t)
    web.hasRanges = hasRanges
    const cut: Answer = (_, response) => {
      response.writeHead(200, { etag: '"1000000"', 'content-length': 1_000_000 })
      response.write(body.subarray(0, 300_000))
      setTimeout(() => response.destroy(), 20)
    }
    web.script.push(
      cut,
      (_, response) => response.destroy(),
      (_, response) => void response.writeHead(503).end(),
    )
    const store = openStore(web.url, {}, QUICK)
    t.ok(body.equals(await buffer((await store.open('a.bin'))!)))
    t.equal(web.requests.length, 4)
    const range = web.requests[3]!.headers.range
    t.match(range, /^bytes=\d+-$/)
    // A whole read begins again.
    web.script.push(cut)
    t.ok(body.equals((await store.read('a.bin'))!))
  })

t.test('a connection that breaks after the last byte', async (t) => {
  const web = await served(t)
  // Without a length, the reader does not know that it has all bytes.
  const cutAtEnd: Answer = (_, response) => {
    response.writeHead(200, { etag: '"1000000"' })
    response.write(body, () => setTimeout(() => response.destroy(), 50))
  }
  const noRange =
    (size: string): Answer =>
    (_, response) =>
      response.writeHead(416, { 'content-range': size }).end()
  const store = openStore(web.url, {}, QUICK)
  web.script.push(cutAtEnd, noRange('bytes */1000000'))
  t.ok(body.equals(await buffer((await store.open('a.bin'))!)))
  t.equal(web.requests[1]!.headers.range, 'bytes=1000000-')
  web.script.push(cutAtEnd, ...Array.from({ length: 6 }, () => noRange('bytes */999999')))
  await t.rejects(buffer((await store.open('a.bin'))!), { code: 'OBJECTS_UNREACHABLE' })
})

t.test('temporary failures are tried again, others are not', async (t) => {
  const web = await served(t)
  const store = openStore(web.url, {}, QUICK)
  const answer =
    (status: number): Answer =>
    (_, response) =>
      response.writeHead(status).end()
  web.script.push(answer(429), answer(500), (request) => request.socket.destroy())
  t.ok(body.equals((await store.read('a.bin'))!))
  t.equal(web.requests.length, 4)

  web.script.push(answer(503), answer(503), answer(503), answer(503))
  await t.rejects(store.read('a.bin'), {
    code: 'OBJECTS_UNREACHABLE',
    message: `${web.url}: a.bin: the server answers 503 (4 attempts)`,
    place: { file: 'a.bin' },
  })
  web.script.push(answer(403))
  await t.rejects(store.read('a.bin'), { code: 'OBJECTS_REFUSED', hint: /USER:PASSWORD/ })
  // Silence, at the beginning and in the middle.
  web.script.push((_, response) => void response.writeHead(200, { 'content-length': 5 }).write('ab'))
  t.ok(body.equals((await store.read('a.bin'))!))
  web.script.push((_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
  await t.rejects(store.read('a.bin'), { code: 'OBJECTS_ENCODED' })
  await t.rejects(openStore('http://127.0.0.1:2', {}, QUICK).read('a'), {
    code: 'OBJECTS_UNREACHABLE',
    message: /ECONNREFUSED/,
  })
})

t.test('a file that changes during a read is an error', async (t) => {
  const web = await served(t)
  web.script.push((_, response) => {
    response.writeHead(200, { etag: '"older"', 'content-length': 1_000_000 })
    response.write(body.subarray(0, 300_000))
    setTimeout(() => response.destroy(), 20)
  })
  const stream = await openStore(web.url, {}, QUICK).open('a.bin')
  await t.rejects(buffer(stream!), { code: 'OBJECTS_UNREACHABLE', message: /changed while it was read/ })
})

t.test('an aborted read ends at once', async (t) => {
  const web = await served(t)
  const stop = new AbortController()
  web.script.push(
    () => stop.abort(new Error('stopped')),
    () => {},
  )
  await t.rejects(openStore(web.url, {}, QUICK).read('a.bin', { signal: stop.signal }), { message: 'stopped' })
})

t.test('S3 with conditional writes', async (t) => {
  const web = await served(t)
  const settings = { accessKeyId: 'a', secretAccessKey: 'b', endpoint: web.url }
  const store = openStore('s3://own/p', settings, QUICK)
  const xml =
    (status: number, code: string, headers = {}): Answer =>
    (_, response) =>
      response.writeHead(status, headers).end(`<Error><Code>${code}</Code></Error>`)
  const content =
    (text: string): Answer =>
    (_, response) =>
      response.end(text)

  t.test('another writer was faster, with the same content and with another', async (t) => {
    web.script.push(
      xml(404, 'NoSuchKey'),
      xml(409, 'ConditionalRequestConflict'),
      xml(412, 'PreconditionFailed'),
      content('x'),
    )
    await store.write('f', Buffer.from('x'))
    t.equal(web.requests.at(-2)!.headers['if-none-match'], '*')
    t.match(web.requests.at(-2)!.headers.authorization, /AWS4-HMAC-SHA256 .*SignedHeaders=[^,]*if-none-match/)
    web.script.push(xml(404, 'NoSuchKey'), xml(412, 'PreconditionFailed'), content('y'))
    await t.rejects(store.write('f', Buffer.from('x')), { code: 'OBJECT_DIFFERS' })
    t.equal(web.script.length, 0)
  })

  t.test('a write whose answer was lost', async (t) => {
    web.script.push(
      xml(404, 'NoSuchKey'),
      (request) => request.socket.destroy(),
      xml(412, 'PreconditionFailed'),
      content('x'),
    )
    await store.write('f', Buffer.from('x'))
    t.equal(web.script.length, 0)
  })

  t.test('S3 without conditional writes', async (t) => {
    const plain = openStore('s3://own/p', settings, QUICK)
    web.script.push(xml(404, 'NoSuchKey'), xml(501, 'NotImplemented'), content(''), xml(404, 'NoSuchKey'), content(''))
    await plain.write('f', Buffer.from('x'))
    await plain.write('g', Buffer.from('x'))
    t.equal(web.script.length, 0)
    t.equal(web.requests.at(-1)!.headers['if-none-match'], undefined)
  })

  t.test('an upload in parts that fails at its end is removed', async (t) => {
    const parts = openStore('s3://own/p', settings, { ...QUICK, partBytes: 10 })
    const tagged: Answer = (_, response) => response.writeHead(200, { etag: '"e"' }).end()
    const failing = [xml(404, 'NoSuchKey'), content('<UploadId>u&amp;1</UploadId>'), tagged, tagged]
    web.script.push(...failing, xml(200, 'MalformedXML'), content(''))
    await t.rejects(parts.write('f', Buffer.alloc(15)), { code: 'OBJECTS_REFUSED', message: /MalformedXML/ })
    t.equal(web.requests.at(-1)!.method, 'DELETE')
    t.equal(web.script.length, 0)
  })

  t.test('a list of several pages, encoded or not', async (t) => {
    const page = (more: boolean, ...keys: string[]) =>
      content(
        `<R><IsTruncated>${more}</IsTruncated>${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</R>`,
      )
    const encoded = content(
      '<R><EncodingType>url</EncodingType><Contents><Size>1</Size><Key>p/z%2Bz+z</Key></Contents></R>',
    )
    web.script.push(page(true, 'p/a-b', 'p/a/b'), page(true, 'p/c&amp;d', 'p/folder/'), encoded)
    const found: string[] = []
    for await (const name of store.list('')) found.push(name)
    t.same(found, ['a-b', 'a/b', 'c&d', 'z+z z'])
    t.match(web.requests.at(-1)!.url, /start-after=p%2Ffolder%2F/)
    t.match(web.requests.at(-2)!.url, /prefix=p%2F&start-after=p%2Fa%2Fb/)
  })

  t.test('errors for another region, missing rights and a wrong clock', async (t) => {
    const refused = async (answer: (typeof web.script)[number], expected: object) => {
      web.script.push(answer)
      await t.rejects(store.read('f'), { code: 'OBJECTS_REFUSED', ...expected })
    }
    await refused(
      xml(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-1', location: 'http://127.0.0.1:1/' }),
      { hint: 'set AWS_REGION=eu-west-1' },
    )
    await refused(xml(403, 'AccessDenied'), {
      message: /s3:\/\/own\/p: f: the server answers AccessDenied/,
      hint: /s3:GetObject and s3:ListBucket/,
    })
    await refused(xml(403, 'RequestTimeTooSkewed'), { hint: /clock/ })
  })
})
