// Durations of recent transfers, and the progress of relayers.

/**
 * Seconds of recent deposits to the ledger's chain, $1, by source: $2 domains, $3 their chains.
 *
 * @param limit  for each
 */
export const depositTimes = (limit: number): string => `
  select c.domain::text, t.seconds
  from unnest($2::numeric[], $3::text[]) c(domain, chain)
  join lateral (
    select array_agg(r.seconds::float8 order by r.arrived desc) as seconds from (
      select e.block_time as arrived, greatest(0, extract(epoch from e.block_time - s.block_time)) as seconds
      from (${['credited', 'parked']
        .map(
          (type) => `(select x.nonce, x.block_time, x.global_seq from ledger.deposit_events x
          where x.chain = $1 and x.domain = c.domain and x.type = '${type}' order by x.block_time desc, x.global_seq desc limit ${limit})`,
        )
        .join(' union all ')}) e
      join lateral (
        select v.block_time from ledger.vault_deposits v where v.chain = c.chain and v.nonce = e.nonce
        union all select d.block_time from ledger.deposits d where d.chain = c.chain and d.nonce = e.nonce limit 1) s on true
      order by e.block_time desc, e.global_seq desc limit ${limit}) r) t on true
  where t.seconds is not null`

/**
 * Seconds of recent payouts on Antelope chains: $1 the ledger's chain, $2 domains, $3 their chains.
 *
 * @param limit  for each
 */
export const payoutTimes = (limit: number): string => `
  select c.domain::text, t.seconds
  from unnest($2::numeric[], $3::text[]) c(domain, chain)
  join lateral (
    select array_agg(r.seconds::float8 order by r.paid desc) as seconds from (
      select e.block_time as paid, greatest(0, extract(epoch from e.block_time - b.block_time)) as seconds
      from (select x.id, x.block_time from ledger.withdrawal_events x where x.chain = c.chain and x.type = 'paid'
        order by x.block_time desc, x.global_seq desc limit ${limit}) e
      join ledger.withdrawals b on b.chain = $1 and b.id = e.id and b.domain = c.domain) r) t on true
  where t.seconds is not null`

/**
 * Seconds from recent burns to the block that carries a certificate over them: $1 the ledger's chain, $2 domains.
 *
 * @param limit  for each domain
 */
export const proofTimes = (limit: number): string => `
  select c.domain::text, t.seconds
  from unnest($2::numeric[]) c(domain)
  join lateral (
    select array_agg(extract(epoch from k.block_time - b.block_time)::float8 order by b.block_time desc) as seconds
    from (select x.block_num, x.block_time from ledger.withdrawals x where x.chain = $1 and x.domain = c.domain
      order by x.block_time desc, x.global_seq desc limit ${limit}) b
    join lateral (
      select q.block_time from ledger.finality f
      join lateral (select k.block_time from ledger.certificates k
        where k.chain = $1 and k.target = f.block_num and k.strong order by k.block_num limit 1) q on true
      where f.chain = $1 and f.claim_num >= b.block_num order by f.claim_num, f.block_num limit 1) k on true) t on true
  where t.seconds is not null`

/**
 * Progress of the relayers by domain, from the newest $4 facts of each kind: $1 the ledger's chain, $2 domains, $3 their
 * chains.
 *
 * - `paid`: burn time of the withdrawal that was burned last, among those paid on an Antelope chain or released on an EVM
 *   chain; Unix milliseconds.
 * - `arrived`, `forwarded`: highest nonce of the credited or parked deposits, and highest nonce of the forwarded ones.
 */
export const NEWEST_DONE = `
  select c.domain::text,
    (select max(date_part('epoch', b.block_time)) * 1000
      from ((select x.id from ledger.withdrawal_events x where x.chain = c.chain and x.type = 'paid'
          order by x.block_time desc, x.global_seq desc limit $4)
        union all (select o.id from ledger.withdrawal_outcomes o where o.chain = c.chain and o.type = 'released'
          order by o.block_time desc, o.global_seq desc limit $4)) e
      join ledger.withdrawals b on b.chain = $1 and b.id = e.id and b.domain = c.domain) as paid,
    (select max(e.nonce) from (select x.nonce from unnest(array['credited', 'parked']) k(type)
        cross join lateral (select x.nonce from ledger.deposit_events x
          where x.chain = $1 and x.domain = c.domain and x.type = k.type
          order by x.block_time desc, x.global_seq desc limit $4) x) e)::text as arrived,
    (select max(e.nonce) from (select x.nonce from ledger.deposit_events x
        where x.chain = $1 and x.domain = c.domain and x.type = 'forwarded'
        order by x.block_time desc, x.global_seq desc limit $4) e)::text as forwarded
  from unnest($2::numeric[], $3::text[]) c(domain, chain)`
