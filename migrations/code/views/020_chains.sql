-- Chains, blocks, contracts, and what could not be decoded.

-- A chain with a known id has the domain of its id: a test net that uses the name of a real chain does not get that
-- chain's domain.
create or replace view meta.chain_domains as
  select d.chain, d.domain, true as named from meta.domains d
    where d.evm and not exists (select from meta.position p where p.chain = d.chain)
  union all
  select p.chain, x.domain::numeric(20), d.domain is not null and d.domain = x.domain
  from meta.position p left join meta.domains d on d.chain = p.chain
  cross join lateral (select case when p.chain_id like 'eip155:%' then substr(p.chain_id, 8)::numeric
    else coalesce(meta.id_domain(p.chain_id), d.domain) end as domain) x;
comment on view meta.chain_domains is 'Bridge domains of the EVM chains and of the indexed chains.';
comment on column meta.chain_domains.chain is 'Chain name.';
comment on column meta.chain_domains.domain is 'Domain: of a chain with a known id, by that id; else by the name of the chain; null when neither determines it.';
comment on column meta.chain_domains.named is 'Whether the name has the same domain.';

select meta.create_view('chain_domains', 'Bridge domains of the EVM chains and of the indexed chains.',
  $view$select d.chain, d.domain from meta.chain_domains d$view$,
  array['chain', 'Chain name.', 'domain', 'Domain: the number of an EVM chain, else the first 8 bytes of the chain id; null when neither name nor id determines it.']);

create or replace view head.position as
  select chain, first_block, block_num, block_id, block_time, lib_num, head_num, updated_at, state_block from meta.position;
comment on view head.position is 'How far each chain is indexed.';
select meta.copy_comments('head.position', array['meta.position']::regclass[], '{}');

create or replace view final.position as
  select p.chain, p.first_block, p.lib_num as block_num, encode(b.block_id, 'hex') as block_id, b.block_time, p.lib_num, p.head_num,
    p.updated_at, p.state_block
  from meta.position p left join settled.blocks b on b.chain = p.chain and b.block_num = p.lib_num;
comment on view final.position is 'How far each chain is irreversible: final views end with block_num.';
select meta.copy_comments('final.position', array['meta.position']::regclass[], array['block_num', 'Last irreversible block among the indexed ones.',
  'block_id', 'Its id; null on an EVM chain when it has no event of the bridge.', 'block_time', 'Its time, UTC; null likewise.']);

select meta.create_view('blocks', 'Block headers.',
  $view$select b.chain, b.block_num, encode(b.block_id, 'hex') as block_id, encode(b.prev_id, 'hex') as prev_id, b.block_time, b.producer,
    b.block_num <= p.lib_num as irreversible from @blocks b join meta.position p on p.chain = b.chain$view$,
  array['irreversible', 'Whether the block can no longer be replaced.']);

create or replace view head.orphaned_blocks as select chain, block_num, encode(block_id, 'hex') as block_id, encode(prev_id, 'hex') as prev_id,
  block_time, producer, replaced_at from ledger.orphaned_blocks o
  where not exists (select from ledger.blocks b where b.chain = o.chain and b.block_num = o.block_num and b.block_id = o.block_id);
comment on view head.orphaned_blocks is 'Headers of indexed blocks that a fork replaced, and that were not indexed again since.';
select meta.copy_comments('head.orphaned_blocks', array['ledger.orphaned_blocks']::regclass[], '{}');

select meta.create_view('contracts', 'Contracts of the exchange on each chain, as its indexer was configured when it last started.',
  $view$select a.chain, a.role, a.account, a.domain from meta.accounts a$view$,
  array['chain', 'Chain name.', 'role', 'amm, spot, otc, bridge, hop, wrap, gateway, liquid, oracle or registry.', 'account', 'Account of the contract.',
    'domain', 'Of a gateway: the domain whose deposits it credits. Null for other roles.']);

select meta.create_view('abis', 'Every ABI of the watched contracts.',
  $view$select a.chain, a.account, a.block_num, a.global_seq, a.abi from @abis a$view$,
  array[]::text[]);

select meta.create_view('undecoded_actions', 'Actions of watched contracts that could not be decoded.',
  $view$select u.chain, u.block_num, u.block_time, u.global_seq, encode(u.trx_id, 'hex') as trx_id, u.account, u.name, u.data, u.reason_code,
    u.reason from @undecoded_actions u$view$,
  array[]::text[]);

select meta.create_view('undecoded_rows', 'Table rows of watched contracts that could not be decoded.',
  $view$select u.chain, u.block_num, u.block_time, u.row_index, u.code, u.scope, u.table_name, u.primary_key, u.present, u.data, u.reason_code,
    u.reason from @undecoded_rows u$view$,
  array[]::text[]);

select meta.create_view('stale_rows', 'Rows of the contracts whose last change could not be decoded. Other views show an older version of them, or none.',
  $view$select s.chain, s.contract, s.scope, s.table_name, s.primary_key, s.changed_block, s.changed_at, s.removed, s.current_table, s.current_key,
    s.reason_code, s.reason from @stale_rows s$view$,
  array[]::text[]);
