-- The bridge on EVM chains, and the parties of its legs.

select meta.create_view('vault_deposits', 'Deposits locked in vaults of EVM chains, as logged.',
  $view$select v.chain, v.block_num, v.block_time, v.global_seq, encode(v.trx_id, 'hex') as trx_id, v.log_index, meta.address(v.contract) as contract,
    'd:' || m.domain || ':' || v.nonce as key, m.domain, v.nonce, meta.address(v.token) as token, meta.address(v.from_address) as from_address,
    v.amount, v.canonical, v.telos_to, meta.address(v.refund_to) as refund_to, v.fill_fee, v.filler, v.memo
    from @vault_deposits v join meta.chain_domains m on m.chain = v.chain$view$,
  array['key', 'Key of the leg: d:<domain>:<nonce>.', 'domain', 'Domain: the chain id.']);

select meta.create_view('withdrawal_outcomes', 'Outcomes of withdrawals on EVM chains, as logged.',
  $view$select o.chain, o.block_num, o.block_time, o.global_seq, encode(o.trx_id, 'hex') as trx_id, o.log_index, meta.address(o.contract) as contract,
    'w:' || o.id as key, o.id, o.type, meta.address(o.token) as token, meta.address(o.recipient) as recipient, o.amount,
    meta.address(o.fee_to) as fee_to, o.fee, o.memo from @withdrawal_outcomes o$view$,
  array['key', 'Key of the leg: w:<id>.']);

select meta.create_view('vault_changes', 'Changes of the assets, limits, pauses and owners of vaults on EVM chains.',
  $view$select c.chain, c.block_num, c.block_time, c.global_seq, encode(c.trx_id, 'hex') as trx_id, c.log_index, meta.address(c.contract) as contract,
    c.type, meta.address(c.token) as token, c.details from @vault_changes c$view$,
  array[]::text[]);

select meta.create_view('stored_roots', 'Finality roots of the ledger''s chain that light clients on EVM chains have stored.',
  $view$select r.chain, r.block_num, r.block_time, r.global_seq, encode(r.trx_id, 'hex') as trx_id, r.log_index, meta.address(r.contract) as contract,
    m.domain, '0x' || encode(r.root, 'hex') as root, r.last_block, r.root_time, r.generation
    from @stored_roots r join meta.chain_domains m on m.chain = r.chain$view$,
  array['domain', 'Domain of the EVM chain.']);

select meta.create_view('learned_policies', 'Finalizer policies of the ledger''s chain that light clients on EVM chains have learned.',
  $view$select l.chain, l.block_num, l.block_time, l.global_seq, encode(l.trx_id, 'hex') as trx_id, l.log_index, meta.address(l.contract) as contract,
    m.domain, l.generation, '0x' || encode(l.digest, 'hex') as digest, l.threshold, l.finalizers
    from @learned_policies l join meta.chain_domains m on m.chain = l.chain$view$,
  array['domain', 'Domain of the EVM chain.']);

select meta.create_view('quiet_ranges', 'Final blocks of EVM chains that were searched and hold no event of the bridge.',
  $view$select q.chain, q.first_num, q.block_num - 1 as last_num, q.block_num from @quiet_ranges q$view$,
  array['last_num', 'Last block of the range.']);

-- One row per key and role. Every branch has an index that starts with the party.
select meta.create_view('bridge_parties', 'Parties of the legs and journeys of the bridge.',
  $view$select v.chain, meta.address(v.from_address) as party, 'sender' as role, 'd:' || m.domain || ':' || v.nonce as key, v.block_time, v.global_seq
    from @vault_deposits v join meta.chain_domains m on m.chain = v.chain
  union all
  select v.chain, meta.address(v.refund_to), 'back', 'd:' || m.domain || ':' || v.nonce, v.block_time, v.global_seq
    from @vault_deposits v join meta.chain_domains m on m.chain = v.chain
  union all
  select v.chain, v.telos_to, 'recipient', 'd:' || m.domain || ':' || v.nonce, v.block_time, v.global_seq
    from @vault_deposits v join meta.chain_domains m on m.chain = v.chain
  union all
  select d.chain, d.sender, 'sender', 'd:' || m.domain || ':' || d.nonce, d.block_time, d.global_seq
    from @deposits d join meta.chain_domains m on m.chain = d.chain
  union all
  select d.chain, d.beneficiary, 'recipient', 'd:' || m.domain || ':' || d.nonce, d.block_time, d.global_seq
    from @deposits d join meta.chain_domains m on m.chain = d.chain
  union all
  select e.chain, e.account, 'recipient', 'd:' || e.domain || ':' || e.nonce, e.block_time, e.global_seq from @deposit_events e
    where e.account is not null
  union all
  select e.chain, meta.address(e.refund_to), 'back', 'd:' || e.domain || ':' || e.nonce, e.block_time, e.global_seq from @deposit_events e
    where e.refund_to is not null
  union all
  select w.chain, w.sender, 'sender', 'w:' || w.id, w.block_time, w.global_seq from @withdrawals w where w.sender is not null
  union all
  select w.chain, meta.address(w.recipient), 'recipient', 'w:' || w.id, w.block_time, w.global_seq from @withdrawals w
  union all
  select w.chain, t.owner, 'owner', 'w:' || w.id, w.block_time, w.global_seq
    from @wdraws t join @withdrawals w on w.chain = t.chain and w.id = t.id
  union all
  select v.chain, lower((meta.hop_route(v.memo))[2]), 'journey recipient', 'd:' || m.domain || ':' || v.nonce, v.block_time, v.global_seq
    from @vault_deposits v join meta.chain_domains m on m.chain = v.chain where meta.hop_route(v.memo) is not null
  union all
  select v.chain, lower((meta.hop_route(v.memo))[4]), 'journey back', 'd:' || m.domain || ':' || v.nonce, v.block_time, v.global_seq
    from @vault_deposits v join meta.chain_domains m on m.chain = v.chain where meta.hop_route(v.memo) is not null
  union all
  select d.chain, lower((meta.hop_route(d.memo))[2]), 'journey recipient', 'd:' || m.domain || ':' || d.nonce, d.block_time, d.global_seq
    from @deposits d join meta.chain_domains m on m.chain = d.chain where meta.hop_route(d.memo) is not null
  union all
  select d.chain, lower((meta.hop_route(d.memo))[4]), 'journey back', 'd:' || m.domain || ':' || d.nonce, d.block_time, d.global_seq
    from @deposits d join meta.chain_domains m on m.chain = d.chain where meta.hop_route(d.memo) is not null
  union all
  select h.chain, lower(h.recipient), 'journey recipient', 'd:' || h.src_domain || ':' || h.src_nonce, h.block_time, h.global_seq from @hops h
  union all
  select h.chain, lower(h.back), 'journey back', 'd:' || h.src_domain || ':' || h.src_nonce, h.block_time, h.global_seq from @hops h$view$,
  array['chain', 'Chain of the fact.', 'party', 'Account, or address in lower case.',
    'role', 'sender, recipient, owner or back of a leg; journey recipient or journey back: of the journey that begins with the leg, by its memo or by the hop contract.',
    'key', 'Key of the leg.', 'block_time', 'Time of the fact, UTC. A key may have several rows.', 'global_seq', 'Place of the fact in its chain.']);
