// Statements of deposit proofs. All are read-only.

/** $1 domain, $2 nonce: a deposit into a vault of an indexed EVM chain. */
export const VAULT_DEPOSIT = `
  select v.chain, v.block_num::float8 as "blockNum", b.block_id as "blockHash", v.log_index as "logIndex", v.contract,
    date_part('epoch', v.block_time)::float8 as time, v.token, v.canonical::text, v.telos_to as "telosTo", v.memo,
    v.block_num <= p.lib_num as "isFinal"
  from meta.chain_domains m
  join meta.position p on p.chain = m.chain
  join ledger.vault_deposits v on v.chain = m.chain and v.nonce = $2
  join ledger.blocks b on b.chain = v.chain and b.block_num = v.block_num
  where m.domain = $1 order by v.global_seq limit 1`

/** $1 domain, $2 nonce: a deposit into the bridge account of an indexed Antelope chain. */
export const LOCKED_DEPOSIT = `
  select d.chain, d.block_num::float8 as "blockNum",
    (select a.account from meta.accounts a where a.chain = d.chain and a.role = 'bridge' order by a.account limit 1) as bridge
  from meta.chain_domains m
  join ledger.deposits d on d.chain = m.chain and d.nonce = $2
  where m.domain = $1 order by d.global_seq limit 1`

/** $1 the ledger's chain, $2 domain. */
export const GATEWAY = `
  select account from meta.accounts where chain = $1 and role = 'gateway' and domain = $2 order by account limit 1`

/** Whether the ledger has credited a deposit of the table `row` in an irreversible block. */
const CREDITED = (row: string) => `exists (select from ledger.deposit_events e
    join meta.position l on l.chain = e.chain and e.block_num <= l.lib_num
    where e.chain = $1 and e.domain = $2 and e.nonce = ${row}.nonce and e.type in ('credited', 'parked'))`

/**
 * $1 the ledger's chain, $2 domain, $3 the deposit's chain, $4 its block: the newest block up to that one with a
 * credited deposit; if there is none, the chain's first block with a deposit.
 */
export const VAULT_SINCE = `
  select number, time from (
    (select v.block_num::float8 as number, date_part('epoch', v.block_time)::float8 as time, 1 as preference
      from ledger.vault_deposits v where v.chain = $3 and v.block_num <= $4 and ${CREDITED('v')}
      order by v.global_seq desc limit 1)
    union all
    (select v.block_num::float8, date_part('epoch', v.block_time)::float8, 2
      from ledger.vault_deposits v where v.chain = $3 order by v.global_seq limit 1)
  ) found order by preference limit 1`

/** As VAULT_SINCE, for an Antelope chain, up to its last deposit. */
export const LOCKED_SINCE = `
  select number from (
    (select d.block_num::float8 as number, 1 as preference from ledger.deposits d
      where d.chain = $3 and ${CREDITED('d')} order by d.global_seq desc limit 1)
    union all
    (select d.block_num::float8, 2 from ledger.deposits d where d.chain = $3 order by d.global_seq limit 1)
  ) found order by preference limit 1`

/**
 * $1 the ledger's chain, $2 domain, $3 the deposits' chain, $4 and $5 range of blocks, $6 the gateway: proofs that
 * credited deposits of these blocks irreversibly, in the order of the credits.
 */
const PROOFS = (deposits: string) => `
  select c.proof from ledger.${deposits} d
  join ledger.gateway_credits c on c.chain = $1 and c.domain = $2 and c.nonce = d.nonce and c.account = $6
  join meta.position l on l.chain = c.chain and c.block_num <= l.lib_num
  where d.chain = $3 and d.block_num between $4 and $5 and c.proof is not null
  order by c.global_seq limit 64`

export const VAULT_PROOFS = PROOFS('vault_deposits')
export const LOCKED_PROOFS = PROOFS('deposits')

/** $1 chain, $2 nonce: the `deplog` with its index among the actions of its block. */
export const DEPOSIT_LOG = `
  select id, data, block_num as "blockNum", recv_sequence as "recvSequence", witness, action_index as index, leaves, receipt
  from ledger.bridge_logs where chain = $1 and name = 'deplog' and id = $2 order by block_num, action_index limit 1`
