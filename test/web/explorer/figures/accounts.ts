// Figures of the pages of accounts, transactions, blocks, large trades, the status, and of the search.
import type { Claims } from './collect.ts'
import { amount, cells, columnsOf, dollars, factDetails, factRow, type Get, type Json, type Names } from './facts.ts'
import { age, count, grouped, moment, price, short, usd, when } from './format.ts'
import { rangeOf } from './markets.ts'

/** The line below the value by hour. */
function partsOfLast(last: Json): string[] {
  if (last === undefined || last.valueUsd === null) return []
  const part = ({ valueUsd }: Json) => (valueUsd === null ? 'not known' : usd(Number(valueUsd)))
  const unvalued = last.unvalued === 0 ? '' : `; ${last.unvalued} without a price are left out`
  return [`At last: balances ${part(last.balances)}, positions ${part(last.positions)}${unvalued}`]
}

export async function accountPage(get: Get, name: string, names: Names, now: number): Promise<Claims> {
  const { totals, balances, orders, positions } = await get(`/api/v3/explore/account/${name}`)
  const { facts } = await get(`/api/v3/explore/account/${name}/activity?limit=50`)
  const { hours } = await get(`/api/v3/explore/account/${name}/value?limit=168`)
  const known = hours.filter(({ valueUsd }: Json) => valueUsd !== null)
  const values = known.map(({ valueUsd }: Json) => Number(valueUsd))
  const began = known.length === 0 ? '' : new Date(known[0].time).toISOString().slice(0, 19).replace('T', ' ')
  const history = `«Value of the account by hour: ${usd(values[0])} at first, ${usd(values.at(-1))} at last» from ${began} ${usd(Math.min(...values))} to ${usd(Math.max(...values))}`
  const lines = await Promise.all(
    positions.slice(0, 100).map(async (position: Json) => {
      const { pool } = await get(`/api/v3/market/pools/${position.pool}`)
      const pair = `‹Pool ${pool.id}› ${pool.tokenA.symbol}/${pool.tokenB.symbol}`
      const marks = `${position.locked ? ' locked' : ''}${position.liquidity === '0' ? ' closed' : ''}`
      const { tickLower, tickUpper, inRange, amountA, amountB, tokenA, tokenB, valueUsd, feesValueUsd } = position
      return cells(
        `${pair} #${position.id}${marks}`,
        rangeOf({ tickLower, tickUpper, inRange }, pool),
        dollars(valueUsd),
        dollars(feesValueUsd),
        `${amount(amountA, tokenA.symbol)} ${amount(amountB, tokenB.symbol)}`,
      )
    }),
  )
  // Tokens that share their symbol are told apart by their contracts.
  const named = ({ symbol, contract }: Json) =>
    balances.filter(({ token }: Json) => token.symbol === symbol).length > 1 ? `${symbol} ${contract}` : symbol
  return {
    h1: [name],
    '.tile': [
      `Total value ${dollars(totals.valueUsd)}`,
      `Balances ${dollars(totals.balances.valueUsd)}`,
      `Positions ${dollars(totals.positions.valueUsd)}`,
      `Fees to collect ${dollars(totals.fees.valueUsd)}`,
      `Open orders ${dollars(totals.orders.valueUsd)}`,
    ],
    '.sums-note': [
      totals.unvalued === 0
        ? ''
        : `The sums are of trusted tokens with a price: ${totals.unvalued === 1 ? 'one balance, position or order is not in them' : `${count(totals.unvalued)} balances, positions and orders are not in them`}.`,
    ],
    '.choice': ['Period 1W 1M', 'Kind of activity All Trades Orders Liquidity Farms Transfers Bridge'],
    'figure.value': known.length < 2 ? [] : [history],
    'p.left-out': partsOfLast(hours.at(-1)),
    '[aria-label="Table of balances"] tbody tr': balances.map(({ token, amount: held, valueUsd }: Json) =>
      cells(named(token), amount(held), dollars(valueUsd)),
    ),
    '[aria-label="Table of open orders"] tbody tr': orders.map(
      ({ side, base, target, price: at, offered, placed }: Json) =>
        cells(
          `${base.symbol}/${target.symbol}`,
          side === 'buy' ? 'Buy' : 'Sell',
          `‹${grouped(at)}› ${price(at)}`,
          amount(offered.amount, offered.token.split('-')[0].toUpperCase()),
          when(placed, now),
        ),
    ),
    '[aria-label="Table of positions"] tbody tr': lines,
    '.facts-list tbody tr': facts.map((fact: Json) => factRow(fact, names, now)),
    'main > .panel .note-line': ['Export as CSV'],
  }
}

export async function transactionPage(get: Get, id: string, names: Names, now: number) {
  const { facts, contracts } = await get(`/api/v3/explore/tx/${id}`)
  const [first] = facts
  const keys = new Set<string>(facts.flatMap(({ dataset, row }: Json) => keyOf(dataset, row)))
  const links = [...keys].map((key) => `‹Time line of the bridge transfer› bridge transfer ${key}`)
  const claims: Claims = {
    '.identity': [id],
    '.facts > div': [
      `State | ${facts.every(({ final }: Json) => final) ? 'Final' : 'Not final yet'}`,
      `Block | ${count(first.block)}`,
      `Time | ${moment(first.time, now)}`,
      ...(links.length === 0 ? [] : [`Bridge | ${links.join(' ')}`]),
      `Facts | ${facts.length}`,
    ],
    '.fact': facts.map((fact: Json) => factDetails(fact, names)),
    '.panel > .note-line': [contracts],
  }
  return { claims, copies: [id, ...facts.flatMap((fact: Json) => columnsOf(fact).map(([, exact]) => exact))] }
}

/** Key of the bridge transfer that a fact belongs to. */
function keyOf(dataset: string, row: Json): string[] {
  if (dataset === 'withdrawals') return [`w:${row.id}`]
  if (dataset === 'hops') return row.withdrawal_id ? [`w:${row.withdrawal_id}`] : []
  if (dataset === 'hop_returns') return row.withdrawal_key ? [row.withdrawal_key] : []
  const hasKey = ['deposits', 'withdrawal_events', 'deposit_events', 'gateway_credits'].includes(dataset)
  return hasKey && row.key ? [row.key] : []
}

export async function blockPage(get: Get, num: number, names: Names, now: number) {
  const block = await get(`/api/v3/explore/block/${num}?limit=200`)
  const claims: Claims = {
    h1: [`Block ${count(num)}`],
    '.facts > div': [
      `State | ${block.final ? 'Final' : 'Not final yet'}`,
      `Time | ${moment(block.time, now)}`,
      `Producer | ${block.producer}`,
      `Id | ${block.id}`,
      `Parent | ${count(num - 1)}`,
    ],
    '.facts-list tbody tr': block.facts.map((fact: Json) => factRow(fact, names, null)),
  }
  return { claims, copies: [block.id] }
}

export async function tradesPage(get: Get, names: Names, now: number): Promise<Claims> {
  const { facts } = await get('/api/v3/explore/large-trades?usd=100&limit=50')
  return {
    '.choice': ['Least value of a trade $100 $1,000 $10,000'],
    '.facts-list tbody tr': facts.map((fact: Json) => factRow(fact, names, now)),
  }
}

/** The server's clock goes on: an age may be a few seconds more than in the answer. */
const aged =
  (before: string, seconds: number, after = '') =>
  (text: string) =>
    Array.from({ length: 30 }, (_, i) => `${before}${age(seconds + i)}${after}`).includes(text)

/** Likewise the number of blocks that there must be by now, two each second. */
const behind = (blocks: number) => (text: string) => {
  const shown = Number(/^Behind \| ([\d,]+) blocks$/.exec(text)?.[1]?.replaceAll(',', ''))
  return shown >= blocks && shown <= blocks + 60
}

export async function statusPage(get: Get, version: string, now: number): Promise<Claims> {
  const { reasons, warnings, chains, uptimeSeconds } = await get('/health/status')
  const claims: Claims = {
    '.bottom': [`API Limits openapi.json Headwater ${version}`],
    '.reasons li': [...reasons, ...warnings],
    'main > p.quiet': [aged(`Version ${version}, up for `, uptimeSeconds)],
  }
  for (const at of chains) {
    const rows = Object.entries<number>(at.estimatedRows).filter(([, many]) => many > 0)
    const card = `[data-chain=${at.chain}]`
    claims[`${card} header`] = [`${at.chain} ${at.indexed ? 'at the head' : 'indexing'}`]
    claims[`${card} > .facts > div`] = [
      `Block | ${count(at.block)}`,
      `Head of the node | ${count(at.head)}`,
      `Irreversible | ${count(at.lib)}`,
      behind(at.lagBlocks),
      aged('Age of the block | ', at.lagSeconds),
      `Time of the block | ${when(at.blockTime, now)}`,
      `First block | ${count(at.firstBlock)}`,
    ]
    claims[`${card} summary`] = [`about ${short(rows.reduce((sum, [, many]) => sum + many, 0))} rows`]
    claims[`${card} details .facts > div`] = rows
      .sort((one, other) => other[1] - one[1])
      .map(([name, many]) => `${name} | ${count(many)}`)
  }
  return claims
}

/** The list under the search field. Beside what the server finds, it offers what a text can be by its form. */
export async function searchHits(get: Get, text: string, byForm: readonly string[]): Promise<Claims> {
  const { results } = await get(`/api/v3/explore/search?q=${encodeURIComponent(text)}&limit=10`)
  const words: Record<string, string> = {
    transaction: 'Transaction',
    block: 'Block',
    account: 'Account',
    bridge: 'Bridge transfer',
  }
  const found = results.map(({ kind, label, detail }: Json) => `${label} ${detail ?? words[kind]}`)
  return { '.top .hits [role=option]': [...found, ...byForm] }
}
