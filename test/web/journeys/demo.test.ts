// The demo as a user has it: the started command, its page on a phone, its wallets. Tokens both ways between the EVM
// node and both simulated chains, checked on the chains themselves; then a swap with paid CPU.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { VISITOR } from '../../../devnet/contracts/exchange.ts'
import { VISITOR_ADDRESS } from '../../../devnet/evm/accounts.ts'
import { USDC_ADDRESS, USDT_ADDRESS } from '../../../devnet/evm/addresses.ts'
import { encode } from '../../../devnet/evm/deploy.ts'
import { EvmRpc } from '../../../devnet/evm/rpc.ts'
import { AntelopeNode } from '../../../devnet/relayer/antelope-node.ts'
import { sponsoredSwap } from '../../../devnet/sponsor/swap.ts'
import { start } from '../../bin/program.ts'
import { browserFor, PHONE } from '../bridge/browser.ts'
import { FAULTS } from '../bridge/faults.ts'
import { Person, type Wish } from './person.ts'

const isLong = Boolean(process.env.HEADWATER_TEST_LONG)

/** Days of history: fewer than the default of two weeks, to start sooner. */
const DAYS = '2'
const EVM_TOKENS: Record<string, string> = { USDC: USDC_ADDRESS, USDT: USDT_ADDRESS }
// On a phone `innerWidth` grows with the document, `clientWidth` does not.
const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

const trip = (from: string, to: string, token: string, amount: string): Wish => ({
  ...{ from, to, token, amount },
  recipient: to === 'mainnet' ? VISITOR_ADDRESS : VISITOR,
})
const TRIPS: readonly [Wish, actions: readonly string[]][] = [
  [trip('mainnet', 'telos', 'USDC', '12.5'), ['collect']],
  [trip('telos', 'mainnet', 'USDC', '20'), ['release']],
  [trip('mainnet', 'wax', 'USDT', '31.25'), []],
  [trip('wax', 'mainnet', 'USDT', '30'), ['release']],
  [trip('telos', 'wax', 'USDC', '6'), []],
  [trip('wax', 'telos', 'USDC', '7.5'), ['collect']],
]

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const browser = isLong ? await browserFor(t) : null
if (browser === null) t.test('the demo, walked through', { skip: 'in long runs only, with a browser' }, async () => {})
else {
  const port = await freePort()
  const data = mkdtempSync(join(tmpdir(), 'headwater-demo-'))
  const { child, output, outcome } = start(['demo', '--days', DAYS], { PORT: String(port), HEADWATER_DATA: data })
  t.teardown(async () => {
    child.kill('SIGTERM')
    await outcome
    rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  })
  const site = `http://localhost:${port}`
  const until = async (what: string, is: () => Promise<boolean>) => {
    for (let tries = 0; tries < 480; tries++) {
      if (await is().catch(() => false)) return
      await sleep(250)
    }
    throw new Error(`${what} is not so after two minutes\n${output.stdout}\n${output.stderr.slice(-4000)}`)
  }
  await until('the demo', async () => (await fetch(`${site}/health/ready`)).ok)
  const printed = (form: RegExp) => form.exec(output.stdout)?.[1] ?? ''
  const nodes = {
    telos: new AntelopeNode(printed(/Node of telos +(http\S+) /)),
    wax: new AntelopeNode(printed(/Node of wax +(http\S+) /)),
  }
  const evm = new EvmRpc(printed(/EVM +(http\S+) /))

  /** The visitor's balance on a chain, raw units. */
  const holds = async (chain: string, token: string): Promise<bigint> => {
    if (chain === 'mainnet') {
      const data = encode('PlainToken', 'balanceOf', [VISITOR_ADDRESS])
      return BigInt(await evm.call<string>('eth_call', { to: EVM_TOKENS[token], data }, 'latest'))
    }
    const node = nodes[chain as keyof typeof nodes]
    const rows = await node.rows<{ balance: string }>('wrap.svc', VISITOR, 'accounts')
    const [quantity = '0'] = rows.find(({ balance }) => balance.endsWith(` ${token}`))?.balance.split(' ') ?? []
    return BigInt(quantity.replace('.', ''))
  }
  await until('the visitor has tokens', async () => (await holds('mainnet', 'USDT')) > 0n)

  t.test('tokens in both directions, on a phone, with the wallets of the demo', async (t) => {
    for (const [wish, actions] of TRIPS) {
      const { from, to, token, amount } = wish
      await t.test(`${token} from ${from} to ${to}`, async (t) => {
        const before = await Promise.all([holds(from, token), holds(to, token)])
        const { recipient: _, ...query } = wish
        const page = await browser.open(`${site}/v/wax/bridge?${new URLSearchParams(query)}`, PHONE)
        const person = new Person(page)
        await person.press('[data-field=recipient] button')
        await person.prepare(from)
        t.equal(await person.fact('To'), wish.recipient, 'the account that the demo has given')
        await page.picture(`demo-${from}-${to}-review`)
        t.same(await person.walk(wish), actions)
        await person.phase('delivered')
        const units = BigInt(Number(amount) * 1e6)
        const after = await Promise.all([holds(from, token), holds(to, token)])
        t.same(after, [before[0] - units, before[1] + units], 'gone there, arrived here')
        t.notOk(await page.evaluate(WIDE), 'nothing is wider than the phone')
        t.same(person.complaints, [])
        await page.picture(`demo-${from}-${to}-delivered`)
        await page.visit('about:blank#')
      })
    }
  })

  t.test('the cosigner pays for a swap of the visitor', async (t) => {
    const status = async () => {
      const answer = await fetch(`${site}/api/v2/cpu/status`, { method: 'POST' })
      return ((await answer.json()) as { signing: boolean }).signing
    }
    await until('CPU is paid for', status)
    const { billed, swap } = await sponsoredSwap({ api: site, wax: nodes.wax, user: VISITOR, amount: 5 })
    t.ok(billed.payer > 0)
    t.equal(billed.user, 0)
    t.match(swap, { sender: VISITOR })
  })

  t.test('the page of the paid swap, on a phone', async (t) => {
    const page = await browser.open(printed(/CPU paid for +(http\S+) /), PHONE)
    await page.until(`document.querySelector('[data-is=Has]')`)
    const problem = `document.querySelector('#amount-problem').textContent`
    for (const [text, wrong] of [
      ['0', 'zero'],
      ['10,000', '10,000 can mean 10000 or 10:'],
    ] as const) {
      await page.fill('[name=amount]', text)
      t.match(await page.evaluate(problem), wrong)
      t.ok(await page.evaluate(`document.querySelector('[type=submit]').disabled`), 'nothing is swapped')
    }
    await page.fill('[name=amount]', '5')
    t.equal(await page.evaluate(problem), '')
    t.equal(await page.evaluate(`document.querySelector('#amount-hint').textContent`), 'You send 5.00000000 WAX.')
    const fails = `void (window.asked = fetch, window.fetch = (url, options) =>
      String(url).includes('/getRoute') ? Promise.resolve(new Response('no route', { status: 400 })) : asked(url, options))`
    await page.evaluate(fails)
    await page.activate('[type=submit]')
    await page.until(`document.querySelector('[role=alert]').textContent === 'no route'`)
    t.equal(await page.evaluate(`document.querySelector('[data-stage=route]').dataset.state`), 'failed')
    await page.evaluate('void (window.fetch = asked)')
    await page.activate('[type=submit]')
    const prompt = 'dialog.wallet-prompt'
    await page.until(`document.querySelector('${prompt}')`)
    const asks = await page.evaluate<string>(`document.querySelector('${prompt}').innerText`)
    for (const part of [/liquid\.svc::noop/, /5\.00000000 WAX/, /a swap in pool \d+/, /at least [\d.]+ USDT/])
      t.match(asks, part, 'what is signed, in words')
    await page.picture('demo-paid-swap-asks')
    await page.evaluate(`[...document.querySelectorAll('${prompt} button')].at(-1).click()`)
    await page.until(`document.querySelector('[role=alert]').textContent === 'You did not sign. Nothing was sent.'`)
    t.equal(await page.evaluate(`document.querySelector('[data-stage=sign]').dataset.state`), 'failed')
    await page.activate('[type=submit]')
    await page.activate(`${prompt} button.primary`)
    await page.until(`document.querySelector('[data-id]')`)
    t.match(
      await page.evaluate(`document.querySelector('[role=status]').textContent`),
      /^Swapped in block \d+\. Billed: liquid\.svc [1-9]\d* µs, visitor 0 µs\.$/,
    )
    t.equal(await page.evaluate(`document.querySelectorAll('[data-state=done]').length`), 6)
    const id = await page.evaluate<string>(`document.querySelector('[data-id]').dataset.id`)
    t.match(await page.evaluate(`document.querySelector('[data-stage=send] a').href`), `/wax/tx/${id}`)
    const swaps = async () => (await fetch(`${site}/api/v3/swaps/newest?limit=100`)).text()
    await until('the swap is shown', async () => (await swaps()).includes(id))
    t.same(await page.evaluate(FAULTS), [])
    t.same(page.complaints, [])
    await page.picture('demo-paid-swap')
  })
}
