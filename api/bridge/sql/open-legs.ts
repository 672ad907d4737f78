// Legs without an irreversible end.
import pg from 'pg'

/**
 * Withdrawals that are open in the ledger's table although an outcome is known, or expired and not refunded: $1 the
 * ledger's chain.
 */
export const UNSETTLED = `
  select t.id::text, t.domain::text, t.owner, t.status = 2 as expired from state.wdraws t
  where t.chain = $1 and t.status in (0, 2) and (t.status = 2
    or exists (select from ledger.withdrawal_outcomes o where o.id = t.id and o.type in ('released', 'voided', 'expired'))
    or exists (select from ledger.withdrawal_events e where e.id = t.id and e.type = 'paid'))`

const FINAL = (row: string) => `${row}.block_num <= p.lib_num`

/** A refund to the hop contract ends a withdrawal only after the hop contract has sent it back. */
const WAITS_AT_HOP = (id: string) => `exists (select from ledger.hops h where h.chain = $1 and h.withdrawal_id = ${id}
  and not exists (select from ledger.hop_returns r join meta.position p on p.chain = r.chain where r.chain = $1 and r.id = h.id and ${FINAL('r')}))`

/** Keys of all legs without an irreversible end. $1 the ledger's chain; $2 chains, $3 their domains. */
export const OPEN_LEGS = `
  with c as (select * from unnest($2::text[], $3::numeric[]) c(chain, domain))
  select 'd' as kind, c.domain::text, x.nonce::text as number, date_part('epoch', x.block_time) * 1000 as time
    from c join lateral (
      select v.nonce, v.block_time from ledger.vault_deposits v where v.chain = c.chain
      union all select d.nonce, d.block_time from ledger.deposits d where d.chain = c.chain) x on true
    where not exists (select from ledger.deposit_events e join meta.position p on p.chain = e.chain where e.chain = $1
      and e.domain = c.domain and e.nonce = x.nonce and e.type in ('credited', 'forwarded', 'bounced') and ${FINAL('e')})
  union
  select 'd', x.domain::text, x.nonce::text, date_part('epoch', min(x.block_time)) * 1000
    from c join ledger.deposit_events x on x.chain = c.chain
    where c.chain = $1 and not exists (select from ledger.deposit_events e join meta.position p on p.chain = e.chain where e.chain = $1
      and e.domain = x.domain and e.nonce = x.nonce and e.type in ('credited', 'forwarded', 'bounced') and ${FINAL('e')})
    group by x.domain, x.nonce
  union
  select 'w', null, x.id::text, date_part('epoch', x.block_time) * 1000
    from c join ledger.withdrawals x on x.chain = c.chain
    where c.chain = $1
      and not exists (select from ledger.withdrawal_events e join meta.position p on p.chain = e.chain where e.chain = $1 and e.id = x.id
        and (e.type = 'refunded' and not ${WAITS_AT_HOP('x.id')} or e.type = 'settled' and e.released) and ${FINAL('e')})
      and not exists (select from ledger.withdrawal_events e join meta.position p on p.chain = e.chain where e.id = x.id
        and e.type = 'paid' and e.chain in (select k.chain from c k where k.domain = x.domain) and ${FINAL('e')})
      and not exists (select from ledger.withdrawal_outcomes o join meta.position p on p.chain = o.chain where o.id = x.id
        and o.type = 'released' and o.chain in (select k.chain from c k where k.domain = x.domain) and ${FINAL('o')})`

/**
 * Keys of legs with facts on a chain after a block; a journey's return gives the key of its second leg. All values are
 * part of the text: a generic plan would read the whole history and all chains.
 *
 * @param domain  null if the chain has no domain
 * @param after   number and time, Unix milliseconds, of the block
 */
export function newFacts(chain: string, domain: bigint | null, after: { num: number; time: number }): string {
  const own = domain === null ? 'null' : `'${domain}'`
  const SINCE = (row: string) =>
    `${row}.chain = ${pg.escapeLiteral(chain)} and ${row}.block_time >= to_timestamp(${Number(after.time) / 1000})
      and ${row}.block_num > ${Number(after.num)}`
  return `
  select 'd' as kind, ${own}::text as domain, v.nonce::text as number from ledger.vault_deposits v where ${SINCE('v')}
  union all select 'd', ${own}::text, d.nonce::text from ledger.deposits d where ${SINCE('d')}
  union all select 'd', e.domain::text, e.nonce::text from ledger.deposit_events e where ${SINCE('e')}
  union all select 'w', null, w.id::text from ledger.withdrawals w where ${SINCE('w')}
  union all select 'w', null, e.id::text from ledger.withdrawal_events e where ${SINCE('e')}
  union all select 'w', null, o.id::text from ledger.withdrawal_outcomes o where ${SINCE('o')}
  union all select 'w', null, h.withdrawal_id::text from ledger.hop_returns r
    join ledger.hops h on h.chain = r.chain and h.id = r.id where ${SINCE('r')}`
}

/** The given legs that have an irreversible end. $1 the ledger's chain; $2, $3 deposits; $4 withdrawals. */
export const ENDED_LEGS = `
  select 'd' as kind, w.domain::text, w.nonce::text as number from unnest($2::numeric[], $3::numeric[]) w(domain, nonce)
    where exists (select from ledger.deposit_events e join meta.position p on p.chain = e.chain where e.chain = $1
      and e.domain = w.domain and e.nonce = w.nonce and e.type in ('credited', 'forwarded', 'bounced') and ${FINAL('e')})
  union all
  select 'w', null, w.id::text from unnest($4::numeric[]) w(id)
    join lateral (select x.domain from ledger.withdrawals x where x.chain = $1 and x.id = w.id limit 1) b on true
    where exists (select from ledger.withdrawal_events e join meta.position p on p.chain = e.chain where e.id = w.id and ${FINAL('e')}
        and (e.chain = $1 and (e.type = 'refunded' and not ${WAITS_AT_HOP('w.id')} or e.type = 'settled' and e.released)
          or e.type = 'paid' and e.chain in (select m.chain from meta.chain_domains m where m.domain = b.domain)))
      or exists (select from ledger.withdrawal_outcomes o join meta.position p on p.chain = o.chain where o.id = w.id
        and o.type = 'released' and ${FINAL('o')} and o.chain in (select m.chain from meta.chain_domains m where m.domain = b.domain))`
