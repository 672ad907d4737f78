// Accounts, transactions, blocks and bridge transfers that a search names, from the database.
import type { Queryable } from '../../kit/snapshot.ts'
import { SCORE, type Weighed } from './found.ts'
import type { SearchQuery } from './query.ts'
import { ACCOUNTS_FROM, BLOCK_FOUND, DEPOSIT_LEG, LEGS_OF_TRANSACTION, TRANSACTION, WITHDRAWAL_LEG } from './sql.ts'

/** No name is longer, and none sorts after this one. */
const LAST_NAME = 'z'.repeat(13)

/** Everything of the database that a search names, unsorted. At most `limit` accounts. */
export async function storedFound(
  database: Queryable,
  chain: string,
  query: SearchQuery,
  limit: number,
): Promise<Weighed[]> {
  const { account, hash, block } = query
  const parts = await Promise.all([
    account === null ? [] : accounts(database, chain, account, limit),
    hash === null ? [] : transactions(database, chain, hash),
    block === null ? [] : blocks(database, chain, block),
    legs(database, query),
  ])
  return parts.flat()
}

async function accounts(database: Queryable, chain: string, start: string, limit: number): Promise<Weighed[]> {
  const values = [chain, start, `${start}${LAST_NAME}`, limit]
  const { rows } = await database.query<{ name: string }>({ name: 'search-accounts', text: ACCOUNTS_FROM, values })
  // In the order of some collations, other names stand between names with this beginning.
  return rows
    .filter(({ name }) => name.startsWith(start))
    .map(({ name }) => ({
      kind: 'account',
      id: name,
      chain,
      label: name,
      detail: null,
      score: name === start ? SCORE.accountName : SCORE.accountStart,
      final: null,
      weight: 0,
    }))
}

interface TransactionRow {
  dataset: string
  block: number
  isFinal: boolean
}

async function transactions(database: Queryable, chain: string, id: string): Promise<Weighed[]> {
  const statement = { name: 'search-transaction', text: TRANSACTION, values: [chain, id] }
  const { rows } = await database.query<TransactionRow>(statement)
  const [first] = rows
  if (first === undefined) return []
  const detail = `block ${first.block}: ${rows.map(({ dataset }) => dataset).join(', ')}`
  return [{ kind: 'transaction', id, chain, label: id, detail, score: SCORE.id, final: first.isFinal, weight: 0 }]
}

interface BlockRow {
  num: number
  id: string
  producer: string
  isFinal: boolean
}

async function blocks(
  database: Queryable,
  chain: string,
  { num, idStart }: NonNullable<SearchQuery['block']>,
): Promise<Weighed[]> {
  const statement = { name: 'search-block', text: BLOCK_FOUND, values: [chain, num, idStart] }
  const { rows } = await database.query<BlockRow>(statement)
  return rows.map(({ num, id, producer, isFinal }) => ({
    kind: 'block',
    id: String(num),
    chain,
    label: `block ${num}`,
    detail: `${id} by ${producer}`,
    score: idStart === '' ? SCORE.blockNumber : SCORE.id,
    final: isFinal,
    weight: 0,
  }))
}

interface LegRow {
  chain: string
  key: string
  from: string | null
  to: string | null
  isFinal: boolean
}

async function legs(database: Queryable, { leg, hash }: SearchQuery): Promise<Weighed[]> {
  const statement =
    hash !== null
      ? { name: 'search-legs', text: LEGS_OF_TRANSACTION, values: [hash] }
      : leg === null
        ? null
        : leg.kind === 'deposit'
          ? { name: 'search-deposit', text: DEPOSIT_LEG, values: [leg.domain, leg.nonce] }
          : { name: 'search-withdrawal', text: WITHDRAWAL_LEG, values: [leg.id] }
  if (statement === null) return []
  const { rows } = await database.query<LegRow>(statement)
  return rows.map(({ chain, key, from, to, isFinal }) => ({
    kind: 'bridge',
    id: key,
    chain,
    label: `${key.startsWith('w') ? 'withdrawal' : 'deposit'} ${key}`,
    detail: [from === null ? '' : `from ${from}`, to === null ? '' : `to ${to}`].join(' ').trim() || null,
    // The transaction itself stands before its legs.
    score: hash === null ? SCORE.id : SCORE.id - 1,
    final: isFinal,
    weight: 0,
  }))
}
