// HTTP requests are bounded in time and size, and only one module makes them.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { ChainApi } from '../../net/chain-api.ts'
import { request, requestJson, withoutSecrets, withoutTrailingSlash } from '../../net/http.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['api', 'bin', 'config', 'core', 'cosign', 'finality-store', 'indexer', 'migrations', 'proofs', 'relay']
const BOUNDS = { timeoutMs: 2000, maxBytes: 1000 }

async function serve(t: Test, answer: (path: string, body: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    answer(request.url ?? '', body, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('no other file calls fetch, except the demo for its own server', async (t) => {
  const others = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
      .filter((name) => /\bfetch\(|https?\.request|from 'undici'/.test(readFileSync(join(ROOT, name), 'utf8'))),
  )
  t.same(others, ['bin/commands/demo.ts'])
})

t.test('an answer of any status is returned', async (t) => {
  const url = await serve(t, (path, body, response) => response.writeHead(path === '/' ? 200 : 404).end(`got ${body}`))
  t.match(await request(url, { ...BOUNDS, body: '{}' }), { status: 200, text: 'got {}' })
  t.match(await request(`${url}/no`, BOUNDS), { status: 404, text: 'got ' })
  await t.rejects(requestJson(`${url}/no`, BOUNDS), { message: 'answers 404' })
  await t.rejects(requestJson(url, BOUNDS), { name: 'SyntaxError' })
})

t.test('an answer that is too large, too late or absent', async (t) => {
  const url = await serve(t, (path, _body, response) => {
    if (path === '/exact') response.end('x'.repeat(1000))
    // Chunks without a length, so that the limit is found while reading.
    if (path === '/large') response.write('x'.repeat(600), () => response.end('x'.repeat(401)))
    if (path === '/stops') response.write('x')
  })
  t.equal((await request(`${url}/exact`, BOUNDS)).text.length, 1000)
  await t.rejects(request(`${url}/large`, BOUNDS), {
    reason: 'too-large',
    message: 'an answer of more than 1000 bytes',
  })
  for (const path of ['silent', 'stops'])
    await t.rejects(request(`${url}/${path}`, { ...BOUNDS, timeoutMs: 50 }), {
      reason: 'no-answer',
      message: 'no answer in 0.05 s',
    })
  const stop = new AbortController()
  const stopped = request(`${url}/silent`, { ...BOUNDS, signal: stop.signal })
  stop.abort()
  await t.rejects(stopped, { reason: 'no-answer', message: /aborted/ })
  await t.rejects(request('http://127.0.0.1:9', BOUNDS), { reason: 'no-answer', message: /^fetch failed: / })
})

t.test('secrets and trailing slashes are removed from addresses', async (t) => {
  t.equal(withoutSecrets('https://me:secret@node.example/v3/key?token=1'), 'https://node.example')
  t.equal(withoutTrailingSlash('http://node.example/v1//'), 'http://node.example/v1')
})

t.test('a chain API: answers, refusals of the node, and answers of other servers', async (t) => {
  const refusal = {
    code: 500,
    error: { name: 'unknown_key', what: 'Key', details: [{ message: 'unknown key (eosio): no' }] },
  }
  const answers: Record<string, [status: number, text: string]> = {
    '/v1/chain/get_info': [200, '{"head_block_num":7}'],
    '/v1/chain/get_account': [500, JSON.stringify(refusal)],
    '/v1/chain/get_list': [200, '7'],
    '/v1/chain/get_page': [200, '<html>'],
    '/v1/chain/get_nothing': [404, `{"message":"${'long '.repeat(100)}"}`],
    '/v1/chain/get_text': [502, 'Bad Gateway'],
    '/v1/chain/get_empty': [503, ''],
  }
  const url = await serve(t, (path, _body, response) => {
    const [status, text] = answers[path] ?? [404, '']
    response.writeHead(status).end(text)
  })
  const api = new ChainApi({ url: `${url}//`, ...BOUNDS })
  t.equal(api.url, url)
  t.same(await api.ask('get_info', {}), { head_block_num: 7 })
  await t.rejects(api.ask('get_account', {}), { status: 500, kind: 'unknown_key', message: 'unknown key (eosio): no' })
  for (const path of ['get_list', 'get_page'])
    await t.rejects(api.ask(path, {}), { message: `${path} is not answered with a JSON object` })
  await t.rejects(api.ask('get_nothing', {}), { status: 404, kind: '', message: 'long '.repeat(100).slice(0, 300) })
  await t.rejects(api.ask('get_text', {}), { status: 502, kind: '', message: 'Bad Gateway' })
  await t.rejects(api.ask('get_empty', {}), { status: 503, message: 'HTTP 503' })
  await t.rejects(new ChainApi({ url: 'http://127.0.0.1:9', ...BOUNDS }).ask('get_info', {}), {
    message: /^fetch failed: /,
  })
})

t.test('an error does not show the name and password of a URL', async (t) => {
  for (const url of ['http://me:secret@127.0.0.1:9/key-of-me', 'http://me:secret@127.0.0.1:99999/']) {
    const error = await request(url, BOUNDS).catch((failed: Error) => failed)
    t.type(error, Error)
    t.match(inspect(error), /no-answer/)
    t.notMatch(inspect(error), /secret|key-of-me/, url)
  }
})
