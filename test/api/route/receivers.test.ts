// Equal requests share one route; the receiver is filled in with the answer. Many concurrent requests, while blocks come,
// never contain another request's receiver.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { Exchange, id, swapOf, token } from './exchange.ts'

const WAX = token('WAX')
const TLM = token('TLM')
const USDT = token('USDT')
const EOS = token('EOS')
const ORE = token('ORE')
const seed = seedFromEnvironment()
/** Few, so that most are requested often. */
const TRADES = [
  [TLM, WAX, '90000'],
  [TLM, USDT, '4000000'],
  [EOS, USDT, '300'],
  [WAX, TLM, '2500'],
  [ORE, EOS, '7000'],
] as const
const CALLERS = 240
/** No name is part of another name or of any other text in an answer. */
const nameOf = (caller: number) => `zq${(caller + 1000).toString(5).replaceAll('0', 'x')}qz`

interface Asked {
  path: string
  /** Receiver; null: none is named. */
  name: string | null
}

function asked(random: Random, caller: number): Asked {
  const name = caller % 6 === 0 ? null : nameOf(caller)
  const [input, output, amount] = random.pick([...TRADES])
  const pair = `input=${id(input)}&output=${id(output)}&amount=${amount}`
  const own = (parameter: string) => (name === null ? '' : `&${parameter}=${name}`)
  const v2 = `v2/swapRouter/getRoute?trade_type=EXACT_INPUT&${pair}&v2=1${own('receiver')}`
  const v3 = `v3/swapRouter/getRoute?tradeType=exactIn&${pair}${own('account')}`
  return { path: `/api/${random.pick([v2, v3])}`, name }
}

/** Lists all texts in a value. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}

t.test(`no answer contains the receiver of another request, seed ${seed}`, async (t) => {
  const random = new Random(seed)
  const exchange = await Exchange.open(t, random)
  await exchange.api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = exchange.api.app.server.address() as AddressInfo
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const asking = request({ host: '127.0.0.1', port, path, headers: { host: 'wax.localhost', ...headers } }).end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    return { status: response.statusCode, headers: response.headers, text: await textOf(response) }
  }
  const names = Array.from({ length: CALLERS }, (_, caller) => nameOf(caller))

  const check = (t: Test, { name, path }: Asked, answer: unknown) => {
    const strangers = names.filter((one) => one !== name)
    const all = texts(answer)
    const text = all.join('\n')
    const found = strangers.filter((one) => text.includes(one))
    const memos = all.filter((one) => one.startsWith('swapexact'))
    const receivers = new Set(memos.map((memo) => memo.split('#')[2]))
    const nobody = path.includes('/v2/') ? '<receiver>' : '<account>'
    if (found.length > 0) t.fail(`${path} tells of ${found}`)
    // A trade over order books alone has no memo with a receiver.
    else if (memos.length > 0) t.same([...receivers], [name ?? nobody], path)
    return memos.length
  }
  t.test('hundreds at once over the wire, while blocks come', async (t) => {
    let memos = 0
    let blocks = 0
    let done = false
    const callers = names.map(async (_, caller) => {
      const wanted = asked(random, caller)
      await delay(caller * 2)
      const { status, text } = await get(wanted.path)
      t.equal(status, 200, wanted.path)
      memos += check(t, wanted, JSON.parse(text))
    })
    const producing = (async () => {
      while (!done) {
        exchange.produce([[swapOf(WAX, 1000 + blocks, [2], TLM)]])
        await exchange.follow()
        blocks++
      }
    })()
    await Promise.all(callers).finally(() => {
      done = true
    })
    await producing
    t.ok(memos > CALLERS / 2 && blocks > 0, `${memos} memos, ${blocks} blocks`)
  })

  t.test('consecutive requests of different accounts on one block get the same route', async (t) => {
    const [input, output, amount] = TRADES[1]
    const pair = `input=${id(input)}&output=${id(output)}&amount=${amount}`
    const v2 = `/api/v2/swapRouter/getRoute?trade_type=EXACT_INPUT&${pair}&v2=1`
    const v3 = `/api/v3/swapRouter/getRoute?tradeType=exactIn&${pair}`
    const bodies: string[] = []
    for (const name of names.slice(0, 20))
      for (const path of [`${v2}&receiver=${name}`, `${v3}&account=${name}`]) {
        const { text } = await get(path)
        check(t, { path, name }, JSON.parse(text))
        bodies.push(text.replaceAll(name, '@'))
      }
    t.equal(new Set(bodies).size, 2, 'but for the receiver they are the same')
    for (const path of [v2, v3]) check(t, { path, name: null }, JSON.parse((await get(path)).text))
  })

  t.test('a proxy may cache an answer for its own address, and must revalidate it', async (t) => {
    const [name] = names
    const path = `/api/v3/swapRouter/getRoute?tradeType=exactIn&input=${id(TLM)}&output=${id(WAX)}&amount=5&account=${name}`
    const first = await get(path)
    t.equal(first.headers['cache-control'], 'public, no-cache')
    const again = await get(path, { 'if-none-match': String(first.headers.etag) })
    t.same([again.status, again.text], [304, ''])
  })
})
