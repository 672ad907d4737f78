// Figures of a bridge transfer's page and of the operators' page.
import type { Claims } from './collect.ts'
import { cells, type Get, type Json, plain } from './facts.ts'
import { count, moment, when } from './format.ts'

/** Names of chains in the bridge API's answers. */
export type Places = ReadonlyMap<string, string>

export async function placesFrom(get: Get): Promise<Places> {
  const { sources, ledger } = await get('/api/bridge/v1/chains')
  return new Map([...sources, ledger].map(({ id, name }: Json) => [id, name]))
}

/** Smallest units as an exact amount. */
function units(raw: string, precision: number, symbol: string | null): string {
  const digits = raw.padStart(precision + 1, '0')
  const point = digits.length - precision
  const fraction = digits.slice(point).replace(/0+$/, '')
  const exact = plain(`${digits.slice(0, point)}${fraction === '' ? '' : `.${fraction}`}`)
  return symbol === null ? exact : `${exact} ${symbol}`
}

const OUTCOMES: Record<string, string> = {
  credited: 'Credited',
  parked: 'Arrived',
  forwarded: 'Forwarded',
  bounced: 'Refused',
  released: 'Paid out',
  expired: 'Expired',
  refunded: 'Refunded',
}
const STATUSES: Record<string, string> = {
  arriving: 'Arriving',
  sending: 'On its way',
  delivered: 'Delivered',
  bounced: 'Not delivered',
  returning: 'Coming back',
  returned: 'Returned',
}

export async function transferPage(get: Get, key: string, places: Places, now: number) {
  const journey = await get(`/api/bridge/v1/hops/${key}`)
  const party = (chain: string, name: string | null) =>
    name ? `${name} on ${places.get(chain)}` : `unknown on ${places.get(chain)}`
  const { deposit, from, to, back, src_time, status, progress, next } = journey
  const overview = [
    `Amount | ${units(deposit.amount, deposit.precision, deposit.symbol)}`,
    `From | ${party(from.chain, from.address)}`,
    `To | ${party(to.chain, to.recipient)}`,
    ...(back === null || status === 'delivered' ? [] : [`Way back | ${party(back.chain, back.recipient)}`]),
    `Began | ${moment(src_time * 1000, now)}`,
  ]
  const steps: string[] = []
  const legs: string[] = []
  const transactions: string[] = []
  for (const { key: id } of journey.legs) {
    const leg = await get(`/api/bridge/v1/transfers/${id}`)
    const outcome = OUTCOMES[leg.status]
    const isWithdrawal = leg.kind === 'withdrawal'
    // A deposit ends on the ledger's chain, a payout at its destination.
    const end = isWithdrawal && leg.status !== 'refunded' ? leg.to.chain : isWithdrawal ? leg.from.chain : leg.to.chain
    steps.push(
      `Sent from ${places.get(leg.from.chain)} to ${places.get(leg.to.chain)} ${when(leg.src_time * 1000, now)}`,
    )
    transactions.push(transactionOn(places, leg.from.chain, leg.src_tx))
    if (outcome !== undefined) {
      steps.push(
        `${outcome} on ${places.get(end)} ${leg.dst_time === null ? '' : when(leg.dst_time * 1000, now)}`.trim(),
      )
      if (leg.dst_tx !== null) transactions.push(transactionOn(places, end, leg.dst_tx))
    }
    legs.push(
      `Leg | ${leg.key}`,
      `Amount | ${units(leg.amount, leg.precision, leg.symbol)}`,
      ...(leg.fee === null || leg.fee === '0'
        ? []
        : [`Fee of the release | ${units(leg.fee, leg.precision, leg.symbol)}`]),
      `Sender | ${party(leg.from.chain, leg.from.address)}`,
      `Recipient | ${party(leg.to.chain, leg.to.recipient)}`,
      ...(leg.deadline === null || outcome !== undefined ? [] : [`Deadline | ${when(leg.deadline * 1000, now)}`]),
      ...(leg.memoText ? [`Memo | ${leg.memoText}`] : []),
    )
  }
  const { stage, percent, etaSeconds } = progress
  const left = etaSeconds === null ? '' : ` about ${Math.ceil(etaSeconds / 60)} min left`
  const claims: Claims = {
    '.heading': [`Bridge transfer ${STATUSES[status]}`],
    '.identity': [journey.key === key ? key : `${key} is a leg of ${journey.key}`],
    '.progress': [`${stage[0].toUpperCase()}${stage.slice(1)}${left} =${percent} ${percent} %`],
    '[aria-labelledby=overview-title] .facts > div': overview,
    '.timeline .facts > div': legs,
    '.timeline > li > .step': next === null ? steps : [...steps, 'Next'],
    '.timeline p:has(.mono)': transactions,
    ...(next === null || next.deadline === null
      ? {}
      : { '.timeline .warn': [`Before ${when(next.deadline * 1000, now)}`] }),
    ...(next?.actor === 'recipient' && to.recipient !== null
      ? {
          '.timeline > li[aria-current] > p:nth-child(2)': [
            (text: string) => text.startsWith(`The recipient ${to.recipient} can `),
          ],
        }
      : {}),
  }
  return claims
}

function transactionOn(places: Places, chain: string, id: string): string {
  return `Transaction on ${places.get(chain)} ‹${id}› ${id.slice(0, 10)}…${id.slice(-6)}`
}

/** Seconds in two units. */
function span(seconds: number): string {
  const parts: [string, number][] = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ]
  const whole = Math.max(0, Math.round(seconds))
  const first = parts.findIndex(([, size]) => whole >= size)
  if (first === -1 || first === 3) return `${whole} s`
  return [parts[first], parts[first + 1]]
    .map((part) => part as [string, number])
    .map(
      ([name, size], i) =>
        `${Math.floor((i === 0 ? whole : whole % (parts[first] as [string, number])[1]) / size)} ${name}`,
    )
    .join(' ')
}

const STATES = [
  'deposit seen',
  'deposit provable',
  'deposit parked',
  'deposit credited',
  'deposit forwarded',
  'deposit bounced',
  'withdrawal burned',
  'withdrawal provable',
  'withdrawal released',
  'withdrawal expired',
  'withdrawal refunded',
]
const OPEN = ['seen', 'provable', 'parked', 'burned', 'expired']

/** @param clock  the page's clock, Unix milliseconds */
export async function operatorPage(get: Get, clock: number): Promise<Claims> {
  const { ledger, sources } = await get('/api/bridge/v1/chains')
  const { transfers } = await get('/api/bridge/v1/transfers?limit=500')
  const pending = await get('/api/bridge/v1/pending')
  const now = Math.max(ledger.indexed.time, ...sources.map(({ indexed }: Json) => indexed?.time ?? 0))
  const ago = (time: number) => `${span(now - time)} ago`
  const short = (text: string) => (text.length <= 20 ? text : `${text.slice(0, 10)}…${text.slice(-6)}`)
  const all = [...pending.pending, ...pending.deposits, ...pending.hops]
  const claims: Claims = {
    '.heading > .quiet': [`as of ${when(now * 1000, clock)}`],
    '[aria-labelledby=ledger-title] .facts > div': [
      `Chain | ${ledger.name}`,
      `Last block | ${count(ledger.indexed.block)}, ${ago(ledger.indexed.time)}`,
      `Last final block | ${count(ledger.indexed.final)}`,
      `Burns proved up to block | ${count(ledger.proved)}, ${count(ledger.indexed.final - ledger.proved)} before the last final one`,
    ],
    '[aria-labelledby=times-title] tbody tr': sources.flatMap(({ name, timing }: Json) =>
      ['deposit', 'withdrawal'].map((direction) => {
        const { seconds, range, measured, samples } = timing[direction]
        return cells(
          direction === 'deposit' ? `${name} to ${ledger.name}` : `${ledger.name} to ${name}`,
          span(seconds),
          range.map(span).join(' to '),
          measured ? `the last ${samples}` : 'not measured yet',
        )
      }),
    ),
    '[aria-labelledby=legs-title] thead th:last-child': [`Of the newest ${transfers.length}`],
    '[data-leg]': STATES.map((state) => {
      const legs = transfers.filter((leg: Json) => `${leg.direction} ${leg.status}` === state)
      const isOpen = OPEN.includes(state.split(' ')[1] as string)
      const oldest = Math.min(...legs.map(({ src_time }: Json) => src_time))
      return cells(
        state.replace(' ', ': '),
        isOpen ? count(legs.length) : '–',
        isOpen && legs.length > 0 ? span(now - oldest) : '–',
        count(legs.length),
      )
    }),
    '[aria-labelledby=pending-title] p': [`${all.length} in all.`],
    '[data-pending]': all.map((one: Json) => (text: string) => holdsAll(text, pendingParts(one, now))),
  }
  for (const { id, domain, indexed, vaults, roots, routes } of sources) {
    const card = `[data-chain="${id}"]`
    claims[`${card} .facts > div`] = [
      `Domain | ${domain}`,
      indexed === null
        ? 'Indexed | not by this instance'
        : `Indexed | block ${count(indexed.block)}, ${ago(indexed.time)}`,
      ...(indexed === null ? [] : [`Final | block ${count(indexed.final)}`]),
      ...vaults.map(({ vault, source, ageSeconds }: Json) => {
        const read = `read from ${source}${ageSeconds === null ? '' : ` ${span(ageSeconds)} ago`}`
        return (text: string) => text.startsWith(`Vault ${short(vault)} | ${read}`)
      }),
      ...routes.map(
        ({ symbol, precision, withdrawableNow, backing }: Json) =>
          `${symbol} | holds ${units(backing, precision, null)}, ${withdrawableNow === null ? 'allowance unknown' : `${units(withdrawableNow, precision, null)} may leave now`}`,
      ),
    ]
    claims[`${card} tbody tr`] = roots.map(({ root, lastBlock, time, generation }: Json) =>
      cells(`‹${root}› ${short(root)}`, count(lastBlock), ago(time), String(generation)),
    )
  }
  return claims
}

const holdsAll = (text: string, parts: string[]) => parts.every((part) => text.includes(part))

function pendingParts(one: Json, now: number): string[] {
  const { key, amount, precision, symbol, src_time, action, deadline, fee, track, estimatedGas, id, back } = one
  if (amount === undefined) return [key, `hop ${id} to ${back.recipient ?? ''}`]
  const parts = [key, units(amount, precision, symbol), span(now - src_time)]
  if (deadline !== undefined && action === 'release') parts.push(`${span(deadline - now)} left`)
  if (deadline !== undefined && action !== 'release') parts.push(`late by ${span(now - deadline)}`)
  if (fee !== undefined && fee !== '0') parts.push(`fee ${units(fee, precision, null)}`)
  const gas = estimatedGas == null || track === null ? null : (estimatedGas[track] ?? estimatedGas.hard)
  if (gas != null) parts.push(`${track} track, ${plain(gas)} gas`)
  return parts
}
