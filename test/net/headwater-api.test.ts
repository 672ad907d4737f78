// Answers of another instance without the form of digests.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { ApiSide } from '../../net/headwater-api.ts'

let answer = { status: 200, body: '' }
const server = createServer((_, response) => void response.writeHead(answer.status).end(answer.body))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
t.teardown(() => new Promise((resolve) => server.close(resolve)))
const side = new ApiSide(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
const summary = { chain: 'wax', chainId: null, firstBlock: 2, lastBlock: 9, leaf: 4096, contracts: [], tables: [] }

t.test('an HTML page instead of JSON is refused', async (t) => {
  answer = { status: 200, body: '<!doctype html>' }
  const refused = { code: 'COMPARE_ANSWER', message: /sends no digests, but "<!doctype html>"/ }
  await t.rejects(side.summary(), refused)
  await t.rejects(side.digests({ from: 1, to: 2 }), refused)
  await t.rejects(side.rows('blocks', 1), refused)
})

t.test('JSON of another form is refused', async (t) => {
  answer = { status: 200, body: JSON.stringify(summary) }
  t.same(await side.summary(), summary)
  for (const change of [{ leaf: 0 }, { leaf: 0.5 }, { firstBlock: '2' }, { tables: [{}] }, { contracts: undefined }]) {
    answer = { status: 200, body: JSON.stringify({ ...summary, ...change }) }
    await t.rejects(side.summary(), { code: 'COMPARE_ANSWER' }, JSON.stringify(change))
  }
  answer = { status: 200, body: '[{"from":1,"to":2}]' }
  await t.rejects(side.digests({ from: 1, to: 2 }), { code: 'COMPARE_ANSWER' })
  answer = { status: 200, body: '{"columns":["a"],"key":["a"],"rows":[[1]],"more":false}' }
  await t.rejects(side.rows('blocks', 1), { code: 'COMPARE_ANSWER' })
})

t.test('a chain that cannot be compared yet is distinguished from an older program', async (t) => {
  answer = { status: 409, body: '{"statusCode":409,"message":"nothing of the chain wax is indexed"}' }
  await t.rejects(side.summary(), { code: 'COMPARE_NOT_READY', message: /: nothing of the chain wax is indexed$/ })
  answer = { status: 404, body: '{"statusCode":404,"message":"GET /api/v3/digests is not here"}' }
  await t.rejects(side.summary(), { code: 'COMPARE_OLDER', message: /is not here$/ })
  answer = { status: 403, body: 'no' }
  await t.rejects(side.summary(), { code: 'COMPARE_REFUSED', message: /answers 403: no$/ })
})
