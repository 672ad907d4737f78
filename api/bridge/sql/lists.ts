// Lists of legs, newest first. The plan of such a statement depends on its limit, and for an account that half of all
// legs may belong to, on the account. So both are part of the text.
import pg from 'pg'

/** A statement for a limit of rows. */
export type Limited = (rows: number) => string

const COLUMNS = (row: string, domain: string, number: string) =>
  `date_part('epoch', ${row}.block_time) * 1000 as time, ${domain} as domain, ${row}.${number}::text as number`

/**
 * Facts of a table, newest first: $1 chain, $2 exclusive upper bound in Unix seconds.
 *
 * @param domain  expression; null where all rows are of one domain
 * @param number  column of the leg's id or nonce
 */
const newest =
  (table: string, row: string, domain: string, number: string, condition = 'true'): Limited =>
  (rows) =>
    `select ${COLUMNS(row, domain, number)} from ledger.${table} ${row}
  where ${row}.chain = $1 and ${condition} and ${row}.block_time < to_timestamp($2)
  order by ${row}.block_time desc, ${row}.global_seq desc limit ${Math.trunc(rows)}`

const vaultDeposits = (condition?: string) => newest('vault_deposits', 'v', 'null::text', 'nonce', condition)
const antelopeDeposits = (condition?: string) => newest('deposits', 'd', 'null::text', 'nonce', condition)
const depositEvents = (condition?: string) => newest('deposit_events', 'e', 'e.domain::text', 'nonce', condition)
const burns = (condition?: string) => newest('withdrawals', 'w', 'null::text', 'id', condition)

export const VAULT_DEPOSITS = vaultDeposits()
export const ANTELOPE_DEPOSITS = antelopeDeposits()
export const DEPOSIT_EVENTS = depositEvents()
export const BURNS = burns()

/** Deposits to an account: as logged on their source chains, and as they arrive with a memo. */
export const vaultDepositsTo = (account: string) => vaultDeposits(`v.telos_to = ${pg.escapeLiteral(account)}`)
export const antelopeDepositsTo = (account: string) => antelopeDeposits(`d.beneficiary = ${pg.escapeLiteral(account)}`)
export const arrivalsAt = (account: string) =>
  depositEvents(`e.account = ${pg.escapeLiteral(account)} and e.type = 'parked'`)
/** Deposits that the hop contract has forwarded, by the time of its log. */
export const HOP_DEPOSITS = newest('hops', 'h', 'h.src_domain::text', 'src_nonce')

const HAS_EVENT = (row: string) => `exists (select from ledger.deposit_events x
    where x.chain = $4 and x.domain = $5::numeric and x.nonce = ${row}.nonce and x.type = $3)`
/** Deposits with an event of type $3 on the ledger's chain, $4; $5 the domain of $1. */
export const VAULT_DEPOSITS_WITH_EVENT = vaultDeposits(HAS_EVENT('v'))
export const ANTELOPE_DEPOSITS_WITH_EVENT = antelopeDeposits(HAS_EVENT('d'))
export const DEPOSIT_EVENTS_WITH_EVENT = depositEvents('e.type = $3')
/** $3: `released` or `refunded`. */
export const BURNS_WITH_OUTCOME = burns(`exists (select from ledger.withdrawal_events x
      where x.id = w.id and (x.type = $3 or $3 = 'released' and (x.type = 'paid' or x.released))
    union all
    select from ledger.withdrawal_outcomes x where x.id = w.id and $3 = 'released' and x.type = 'released')`)

/** Legs with an event of type $2 on the ledger's chain, $1. Any rows, in any order, up to the limit. */
export const RARE_DEPOSITS: Limited = (rows) => `select ${COLUMNS('e', 'e.domain::text', 'nonce')}
  from ledger.deposit_events e where e.chain = $1 and e.type = $2 and e.domain = $3::numeric limit ${Math.trunc(rows)}`
export const RARE_REFUNDS: Limited = (rows) => `select ${COLUMNS('e', 'null::text', 'id')}
  from ledger.withdrawal_events e where e.chain = $1 and e.type = $2 limit ${Math.trunc(rows)}`

/** Rows of a table that name a party of a leg. */
interface PartyFact {
  kind: 'd' | 'w'
  table: string
  row: string
  /** Expression for a deposit's domain; null if it is the domain of the row's chain. */
  domain: string | null
  /** Column of the leg's nonce or id. */
  number: string
  /** Condition that the party is $1. */
  party: string
}

const ofSource = (table: string, row: string, party: string): PartyFact => {
  return { kind: 'd', table, row, domain: null, number: 'nonce', party }
}
const ofLedger = (kind: 'd' | 'w', table: string, row: string, number: string, party: string): PartyFact => {
  const domain = { deposit_events: 'e.domain', hops: 'h.src_domain' }[table] ?? null
  return { kind, table, row, domain, number, party }
}
const onRoute = (row: string, part: 2 | 4) =>
  `meta.hop_route(${row}.memo) is not null and lower((meta.hop_route(${row}.memo))[${part}]) = $1`

/** Facts on the source chains of deposits. */
const SOURCE_FACTS = [
  ofSource('vault_deposits', 'v', 'meta.address(v.from_address) = $1'),
  ofSource('vault_deposits', 'v', 'meta.address(v.refund_to) = $1'),
  ofSource('vault_deposits', 'v', 'v.telos_to = $1'),
  ofSource('vault_deposits', 'v', onRoute('v', 2)),
  ofSource('vault_deposits', 'v', onRoute('v', 4)),
  ofSource('deposits', 'd', 'd.sender = $1'),
  ofSource('deposits', 'd', 'd.beneficiary = $1'),
  ofSource('deposits', 'd', onRoute('d', 2)),
  ofSource('deposits', 'd', onRoute('d', 4)),
]

/** Facts on the ledger's chain. */
const LEDGER_FACTS = [
  ofLedger('d', 'deposit_events', 'e', 'nonce', 'e.account = $1'),
  ofLedger('d', 'deposit_events', 'e', 'nonce', 'meta.address(e.refund_to) = $1'),
  ofLedger('w', 'withdrawals', 'w', 'id', 'w.sender = $1'),
  ofLedger('w', 'withdrawals', 'w', 'id', 'meta.address(w.recipient) = $1'),
  ofLedger('d', 'hops', 'h', 'src_nonce', 'lower(h.recipient) = $1'),
  ofLedger('d', 'hops', 'h', 'src_nonce', 'lower(h.back) = $1'),
]

/** The newest rows of a fact. @param chain  condition on the row's chain */
const newestFacts = ({ kind, table, row, domain, number, party }: PartyFact, chain: string, limit: number) => `
  (select '${kind}' as kind, ${row}.chain, ${domain ?? 'null'}::text as domain, ${row}.${number}::text as number, ${row}.block_time, ${row}.global_seq
    from ledger.${table} ${row} where ${row}.chain ${chain} and ${party} and ${row}.block_time < to_timestamp($2)
    order by ${row}.block_time desc, ${row}.global_seq desc limit ${limit})`

/**
 * Facts of a party, newest first. The same rows as `head.bridge_parties`, but each part stops at the limit. $1 party,
 * $2 exclusive upper bound in Unix seconds, $3 chains, $4 the ledger's chain.
 */
export const PARTY: Limited = (rows) => {
  const limit = Math.trunc(rows)
  const facts = [
    ...SOURCE_FACTS.map((fact) => newestFacts(fact, '= any($3::text[])', limit)),
    ...LEDGER_FACTS.map((fact) => newestFacts(fact, '= $4', limit)),
  ]
  return `
  select kind, chain, domain, number, date_part('epoch', block_time) * 1000 as time from (${facts.join(' union all ')}
    union all
    (select 'w', w.chain, null, w.id::text, w.block_time, w.global_seq
      from (select t.id from state.wdraws t where t.chain = $4 and t.owner = $1
        and t.id <= (select x.id from ledger.withdrawals x where x.chain = $4 and x.block_time < to_timestamp($2)
          order by x.block_time desc, x.global_seq desc limit 1)
        order by t.id desc limit ${limit}) o
      join ledger.withdrawals w on w.chain = $4 and w.id = o.id)) p
  order by block_time desc, global_seq desc limit ${limit}`
}

/** Whether a row names $1 as a party of the leg `k`. @param chain  expression for the chain of the row */
const names = ({ table, row, domain, number, party }: PartyFact, chain: string) =>
  `exists (select from ledger.${table} ${row} where ${row}.chain = ${chain} and ${row}.${number} = k.number
      and ${domain === null ? '' : `${domain} = k.domain and `}${party})`
const ofKind = (kind: 'd' | 'w') => LEDGER_FACTS.filter((fact) => fact.kind === kind).map((fact) => names(fact, '$2'))

/**
 * The given legs of a party, by the same facts as `PARTY`. $1 party, $2 the ledger's chain; of deposits $3 domains, $4
 * nonces, $5 source chains, null if not indexed; of withdrawals $6 ids.
 */
export const LEGS_OF_PARTY = `
  select 'd' as kind, k.domain::text, k.number::text from unnest($3::numeric[], $4::numeric[], $5::text[]) k(domain, number, chain)
  where ${[...SOURCE_FACTS.map((fact) => names(fact, 'k.chain')), ...ofKind('d')].join('\n    or ')}
  union all
  select 'w', null, k.number::text from unnest($6::numeric[]) k(number)
  where ${ofKind('w').join('\n    or ')}
    or exists (select from state.wdraws t where t.chain = $2 and t.id = k.number and t.owner = $1)`
