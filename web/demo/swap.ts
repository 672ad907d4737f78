// The demo's page for a swap with paid CPU: each step as it is done, and the accounts that were billed.
import { ChainApi } from '../bridge/core/antelope/chain-api.ts'
import type { AntelopeAction, BridgeConfig, Stage, TransactionRef } from '../bridge/core/types.ts'
import { fill, h, say } from '../bridge/page/dom.ts'
import { field } from '../bridge/page/fields.ts'
import { timeline } from '../bridge/page/timeline.ts'
import { actionRows } from '../bridge/wallets/action-words.ts'
import { showPrompt } from '../bridge/wallets/prompt.ts'
import { amountField, formatUnits } from '../shared/amounts.ts'
import { NOOP, type Quote, Sponsored } from './sponsored.ts'

const CHAIN = 'wax'
const WAX = { symbol: 'WAX', decimals: 8 }

const STEPS: readonly Pick<Stage, 'id' | 'title' | 'actor'>[] = [
  { id: 'status', title: 'Ask whether CPU is paid', actor: 'automatic' },
  { id: 'route', title: 'Ask the router for the swap', actor: 'automatic' },
  { id: 'build', title: 'Put the noop before it', actor: 'automatic' },
  { id: 'sign', title: 'Sign', actor: 'you' },
  { id: 'cosign', title: 'Have the exchange sign', actor: 'automatic' },
  { id: 'send', title: 'Send it with both signatures', actor: 'automatic' },
]

const config = JSON.parse(document.getElementById('config')?.textContent ?? '{}') as BridgeConfig
const node = config.chains.find(({ id }) => id === CHAIN)?.node ?? ''
const { account = '', key = '' } = config.demo ?? {}
const chain = new ChainApi('WAX', node, (url, init) => fetch(url, init))
const sponsored = new Sponsored({ api: '', node, account, key })

const amount = field(
  'Amount of WAX',
  h('input', {
    name: 'amount',
    inputmode: 'decimal',
    autocomplete: 'off',
    maxlength: 50,
    value: '5',
    oninput: () => typed(),
  }),
)
const button = h('button', { type: 'submit', class: 'primary' }, 'Swap to USDT')
const status = h('p', { class: 'headline', role: 'status' })
const failure = h('p', { class: 'bad', role: 'alert' })
const held = h('dl', { class: 'summary' })
const steps = h('div')
const details = new Map<string, string>()
/** The sent transaction. */
let sent: TransactionRef | null = null

/** Shows what was understood of the amount, or what is wrong. @returns the amount; null when there is none */
function typed(): string | null {
  const read = amountField(amount.input.value, WAX)
  amount.problem(read.problem)
  amount.hint(read.full === null ? '' : `You send ${read.full}.`)
  button.disabled = read.amount === null
  return read.amount
}

/** @param at  the current step; null for none @param hasFailed  whether it failed */
function show(at: string | null, hasFailed = false): void {
  const index = STEPS.findIndex(({ id }) => id === at)
  const stateOf = (i: number): Stage['state'] =>
    at === null
      ? 'waiting'
      : at === 'done' || i < index
        ? 'done'
        : i > index
          ? 'waiting'
          : hasFailed
            ? 'failed'
            : 'active'
  const stages = STEPS.map((step, i) => {
    const transactions = step.id === 'send' && sent !== null ? [sent] : []
    return { ...step, detail: details.get(step.id) ?? '', state: stateOf(i), deadline: null, transactions }
  })
  fill(steps, timeline(stages))
}

async function showHeld(): Promise<void> {
  const [wax, usdt] = await Promise.all([
    chain.balance('eosio.token', account, 'WAX'),
    chain.balance('usdt.svc', account, 'USDT'),
  ])
  const rows = { Account: account, Has: `${formatUnits(wax, 8)} WAX, ${formatUnits(usdt, 6)} USDT` }
  fill(held, ...Object.entries(rows).flatMap(([name, text]) => [h('dt', {}, name), h('dd', { 'data-is': name }, text)]))
}

/** Shows what is signed, in words, as a wallet does. @throws Error when it is refused */
function agreed({ actions }: Quote): Promise<void> {
  const rows = [NOOP, ...(actions as readonly AntelopeAction[])].flatMap(actionRows)
  return new Promise((resolve, reject) => {
    showPrompt(
      {
        title: `Sign as ${account}?`,
        body: 'The demo holds the key of this account. A wallet would ask like this.',
        elements: [
          { type: 'rows', data: rows },
          { type: 'accept', label: 'Sign' },
        ],
      },
      { accept: resolve, cancel: () => reject(new Error('You did not sign. Nothing was sent.')) },
    )
  })
}

async function swap(sends: string): Promise<void> {
  let at = ''
  const step = async <T>(id: string, work: () => Promise<T>, describe: (result: T) => string): Promise<T> => {
    at = id
    show(at)
    const result = await work()
    details.set(id, describe(result))
    return result
  }
  details.clear()
  sent = null
  say(failure, '')
  say(status, 'Swapping…')
  button.disabled = amount.input.readOnly = true
  try {
    await step(
      'status',
      () => sponsored.status(),
      ({ percent }) => `The payer has used ${percent ?? 0} % of its CPU.`,
    )
    const quote = await step(
      'route',
      () => sponsored.quote(sends),
      ({ sends, receives }) => `${sends} for about ${receives}.`,
    )
    // The transaction expires two minutes after it is built: the person decides before.
    await agreed(quote)
    const named = (one: { account: unknown; name: unknown }) => `${one.account}::${one.name}`
    const made = await step(
      'build',
      () => sponsored.build(quote),
      ({ actions }) => actions.map(named).join(', then '),
    )
    const own = await step(
      'sign',
      () => sponsored.sign(made),
      (text) => text,
    )
    const payers = await step(
      'cosign',
      () => sponsored.cosign(made),
      (text) => text,
    )
    const { id, block, billed } = await step(
      'send',
      () => sponsored.send(made, [payers, own]),
      (paid) => `In block ${paid.block}.`,
    )
    sent = { label: 'Transaction', chain: CHAIN, ref: id, url: `/${CHAIN}/tx/${id}` }
    show('done')
    steps.dataset.id = id
    say(status, `Swapped in block ${block}. Billed: liquid.svc ${billed.payer} µs, ${account} ${billed.user} µs.`)
    await showHeld()
  } catch (error) {
    show(at, true)
    say(status, '')
    say(failure, (error as Error).message)
  }
  amount.input.readOnly = false
  typed()
}

function onsubmit(event: Event): void {
  event.preventDefault()
  const sends = typed()
  if (sends !== null) void swap(sends)
}

const note =
  'The first authoriser is billed, so the signer of the noop pays for all actions after it. The swap is yours alone.'
fill(
  document.getElementById('main') as HTMLElement,
  h('h1', {}, 'A swap whose CPU is paid'),
  h(
    'form',
    { class: 'card', novalidate: true, onsubmit },
    h('p', { class: 'quiet' }, note),
    held,
    amount.node,
    button,
    status,
    failure,
    steps,
  ),
)
document.getElementById('main')?.removeAttribute('aria-busy')
show(null)
typed()
showHeld().catch((error: Error) => say(failure, error.message))
