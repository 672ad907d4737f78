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
export const VAULT_DEPOSITS_THAT = vaultDeposits(HAS_EVENT('v'))
export const ANTELOPE_DEPOSITS_THAT = antelopeDeposits(HAS_EVENT('d'))
export const DEPOSIT_EVENTS_THAT = depositEvents('e.type = $3')
/** $3: `released` or `refunded`. */
export const BURNS_THAT = burns(`exists (select from ledger.withdrawal_events x
      where x.id = w.id and (x.type = $3 or $3 = 'released' and (x.type = 'paid' or x.released))
    union all
    select from ledger.withdrawal_outcomes x where x.id = w.id and $3 = 'released' and x.type = 'released')`)

/** Legs with an event of type $2 on the ledger's chain, $1. As many as the limit: the type is not rare. */
export const RARE_DEPOSITS: Limited = (rows) => `select ${COLUMNS('e', 'e.domain::text', 'nonce')}
  from ledger.deposit_events e where e.chain = $1 and e.type = $2 and e.domain = $3::numeric limit ${Math.trunc(rows)}`
export const RARE_REFUNDS: Limited = (rows) => `select ${COLUMNS('e', 'null::text', 'id')}
  from ledger.withdrawal_events e where e.chain = $1 and e.type = $2 limit ${Math.trunc(rows)}`

const OF_PARTY =
  (table: string, row: string, kind: 'd' | 'w', domain: string, number: string, party: string): Limited =>
  (rows) =>
    `
  (select '${kind}' as kind, ${row}.chain, ${domain} as domain, ${row}.${number}::text as number, ${row}.block_time, ${row}.global_seq
    from ${table} ${row} where ${row}.chain = any($3::text[]) and ${party} and ${row}.block_time < to_timestamp($2)
    order by ${row}.block_time desc, ${row}.global_seq desc limit ${rows})`
const OF_SOURCE = (table: string, row: string, party: string) => OF_PARTY(table, row, 'd', 'null::text', 'nonce', party)
const OF_LEDGER = (table: string, row: string, kind: 'd' | 'w', domain: string, number: string, party: string) =>
  OF_PARTY(table, row, kind, domain, number, `${row}.chain = $4 and ${party}`)
const ROUTE = (row: string, part: 2 | 4) =>
  `meta.hop_route(${row}.memo) is not null and lower((meta.hop_route(${row}.memo))[${part}]) = $1`

const PARTY_FACTS = [
  OF_SOURCE('ledger.vault_deposits', 'v', 'meta.address(v.from_address) = $1'),
  OF_SOURCE('ledger.vault_deposits', 'v', 'meta.address(v.refund_to) = $1'),
  OF_SOURCE('ledger.vault_deposits', 'v', 'v.telos_to = $1'),
  OF_SOURCE('ledger.vault_deposits', 'v', ROUTE('v', 2)),
  OF_SOURCE('ledger.vault_deposits', 'v', ROUTE('v', 4)),
  OF_SOURCE('ledger.deposits', 'd', 'd.sender = $1'),
  OF_SOURCE('ledger.deposits', 'd', 'd.beneficiary = $1'),
  OF_SOURCE('ledger.deposits', 'd', ROUTE('d', 2)),
  OF_SOURCE('ledger.deposits', 'd', ROUTE('d', 4)),
  OF_LEDGER('ledger.deposit_events', 'e', 'd', 'e.domain::text', 'nonce', 'e.account = $1'),
  OF_LEDGER('ledger.deposit_events', 'e', 'd', 'e.domain::text', 'nonce', 'meta.address(e.refund_to) = $1'),
  OF_LEDGER('ledger.withdrawals', 'w', 'w', 'null::text', 'id', 'w.sender = $1'),
  OF_LEDGER('ledger.withdrawals', 'w', 'w', 'null::text', 'id', 'meta.address(w.recipient) = $1'),
  OF_LEDGER('ledger.hops', 'h', 'd', 'h.src_domain::text', 'src_nonce', 'lower(h.recipient) = $1'),
  OF_LEDGER('ledger.hops', 'h', 'd', 'h.src_domain::text', 'src_nonce', 'lower(h.back) = $1'),
]

/**
 * Facts of a party, newest first. The same rows as `head.bridge_parties`, but each part stops at the limit. $1 party,
 * $2 exclusive upper bound in Unix seconds, $3 chains, $4 the ledger's chain.
 */
export const PARTY: Limited = (rows) => {
  const limit = Math.trunc(rows)
  return `
  select kind, chain, domain, number, date_part('epoch', block_time) * 1000 as time from (${PARTY_FACTS.map((part) => part(limit)).join(' union all ')}
    union all
    (select 'w', w.chain, null, w.id::text, w.block_time, w.global_seq
      from (select t.id from state.wdraws t where t.chain = $4 and t.owner = $1
        and t.id <= (select x.id from ledger.withdrawals x where x.chain = $4 and x.block_time < to_timestamp($2)
          order by x.block_time desc, x.global_seq desc limit 1)
        order by t.id desc limit ${limit}) o
      join ledger.withdrawals w on w.chain = $4 and w.id = o.id)) p
  order by block_time desc, global_seq desc limit ${limit}`
}
