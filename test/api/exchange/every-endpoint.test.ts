// Rules for every endpoint of the API description, including future ones: only GET and HEAD, any origin, conditional
// requests, every compression.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { endpointUrls, MOVING } from './endpoint-urls.ts'
import { WAX_SCENE } from './scene.ts'

t.test('every endpoint', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database)
  const described = await endpointUrls(api)
  for (const { path, methods } of described) t.same(methods, ['get'], `GEN-01 ${path} is only read`)
  const urls = described.map(({ url }) => url)
  const ask = async (
    url: string,
    method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST',
    headers: Record<string, string> = {},
  ) => {
    const answer = await api.app.inject({ method, url, headers: { host: 'wax.localhost', ...headers } })
    return { status: answer.statusCode, headers: answer.headers, raw: answer.rawPayload }
  }
  const answered = async (url: string) => {
    const whole = await ask(url, 'GET')
    return whole.status === 200 && !MOVING.test(url) ? whole : null
  }

  t.test('most of the requests of these tests succeed', async (t) => {
    const found = await Promise.all(urls.map(answered))
    t.ok(found.filter((one) => one !== null).length > 40, 'so the rest of these tests is not for nothing')
  })

  t.test('GEN-19 HEAD is GET without the body', async (t) => {
    for (const url of urls) {
      const [whole, head] = [await ask(url, 'GET'), await ask(url, 'HEAD')]
      t.equal(head.status, whole.status, url)
      t.equal(head.raw.length, 0, url)
      t.equal(head.headers['content-type'], whole.headers['content-type'], url)
      t.equal(head.headers.etag, whole.headers.etag, url)
      if (!MOVING.test(url)) t.equal(head.headers['content-length'], whole.headers['content-length'], url)
    }
  })

  t.test('GEN-19 OPTIONS allows requests of other sites', async (t) => {
    const headers = {
      origin: 'https://example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match,x-request-id',
    }
    for (const url of urls) {
      const asked = await ask(url, 'OPTIONS', headers)
      t.equal(asked.status, 204, url)
      t.equal(asked.headers['access-control-allow-origin'], '*', url)
      t.match(asked.headers['access-control-allow-methods'], /GET/, url)
      t.match(asked.headers['access-control-allow-headers'], /if-none-match/i, url)
      t.equal((await ask(url, 'GET', headers)).headers['access-control-allow-origin'], '*', url)
    }
  })

  t.test('GEN-01 nothing takes a POST', async (t) => {
    for (const url of urls) t.ok([404, 405].includes((await ask(url, 'POST')).status), url)
  })

  t.test('a client with a current ETag gets 304, by GET and by HEAD', async (t) => {
    for (const url of urls) {
      const whole = await answered(url)
      if (whole?.headers.etag === undefined) continue
      for (const method of ['GET', 'HEAD'] as const) {
        const again = await ask(url, method, { 'if-none-match': String(whole.headers.etag) })
        t.same([again.status, again.raw.length, again.headers.etag], [304, 0, whole.headers.etag], `${method} ${url}`)
      }
    }
  })

  t.test('a compressed answer is the same answer', async (t) => {
    const decode = { gzip: gunzipSync, br: brotliDecompressSync }
    let compressed = 0
    for (const url of urls) {
      const whole = await answered(url)
      if (whole === null) continue
      for (const [encoding, open] of Object.entries(decode)) {
        const packed = await ask(url, 'GET', { 'accept-encoding': encoding })
        const used = packed.headers['content-encoding']
        if (whole.raw.length > 4000) t.equal(used, encoding, `${encoding} ${url}`)
        if (used === undefined) continue
        compressed++
        t.ok(open(packed.raw).equals(whole.raw), `${encoding} ${url}`)
        t.match(packed.headers.vary, /accept-encoding/i, url)
      }
    }
    t.ok(compressed > 20, `${compressed} answers were compressed`)
  })
})
