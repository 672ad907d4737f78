// Every endpoint of the API on primary and standby at the same block, and of two APIs on one server: equal
// headers, equal bytes except for the server's time.
import type { Test } from 'tap'
import { endpointUrls, MOVING } from '../api/exchange/endpoint-urls.ts'
import { testApi, testChain } from '../support/api.ts'
import { type TestDatabase, testPool } from '../support/database.ts'
import type { ReplicatedServers } from '../support/standby.ts'

/** Members whose definition is a time of the server: of the answer, or of the feed's last refresh. */
const SERVER_TIMES = /"ts":\d+|"refreshedAt":"[^"]+"/g
/** Headers that a client or a cache compares. */
const HEADERS = ['etag', 'x-block-num', 'x-block-time', 'content-type', 'cache-control', 'vary']

export async function answersAreEqual(
  t: Test,
  { standby, replayed }: ReplicatedServers,
  database: TestDatabase,
): Promise<void> {
  await replayed()
  const there = { url: standby.url('scene'), pool: testPool(t, standby.url('scene'), { max: 4 }) }
  const chains = [testChain('wax')]
  const apis = [
    await testApi(t, database, { chains }),
    await testApi(t, there, { chains }),
    await testApi(t, database, { chains }),
  ]
  const [first] = apis
  if (first === undefined) return
  const urls = (await endpointUrls(first)).map(({ url }) => url).filter((url) => !MOVING.test(url))
  let answered = 0
  for (const url of urls) {
    const answers = await Promise.all(
      apis.map(async (api) => {
        const { status, headers, text } = await api.get(url)
        return { status, headers: HEADERS.map((name) => headers[name]), text: text.replaceAll(SERVER_TIMES, '') }
      }),
    )
    if (answers[0]?.status === 200) answered++
    t.same(answers[1], answers[0], `${url} on the standby`)
    t.same(answers[2], answers[0], `${url} of another API`)
  }
  t.ok(answered > 40, `${answered} of ${urls.length} endpoints answer with 200`)
}
