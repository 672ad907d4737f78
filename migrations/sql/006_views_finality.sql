-- Views of proof data, and of the single events of the bridge's legs.

select meta.create_view('finality', 'Finality data of the blocks of a chain under Savanna, where the chain keeps what proofs are made from.',
  'select f.chain, f.block_num, f.block_time, f.slot, f.parent_slot, encode(f.finality_mroot, ''hex'') as finality_mroot,
    encode(f.policy_digest, ''hex'') as policy_digest, f.policy_start, f.active_generation, f.last_pending_generation,
    encode(f.action_mroot, ''hex'') as action_mroot, encode(f.reversible_mroot, ''hex'') as reversible_mroot, f.claim_num,
    encode(f.claim_digest, ''hex'') as claim_digest, f.claim_slot, encode(f.base_digest, ''hex'') as base_digest,
    encode(f.finality_digest, ''hex'') as finality_digest, f.nodes from @finality f', array[]::text[]);

select meta.create_view('finalizer_policies', 'Finalizer policies, with the block in which each became pending; the first with the Savanna genesis block.',
  'select p.chain, p.generation, p.block_num, p.block_time, p.slot, encode(p.digest, ''hex'') as digest, p.policy from @finalizer_policies p',
  array[]::text[]);

select meta.create_view('certificates', 'Quorum certificates as blocks carry them.',
  'select c.chain, c.block_num, c.block_time, c.target, c.strong, c.verified, c.certificate from @certificates c', array[]::text[]);

select meta.create_view('legacy_blocks', 'Blocks before Savanna, where the chain keeps what proofs are made from.',
  'select l.chain, l.block_num, l.block_time, l.version, l.nodes, l.header, l.signatures from @legacy_blocks l', array[]::text[]);

select meta.create_view('producer_schedules', 'Producer schedules of a chain before Savanna, with the block whose header brings each.',
  'select s.chain, s.version, s.block_num, s.block_time, s.schedule from @producer_schedules s', array[]::text[]);

select meta.create_view('bridge_logs', 'Log actions of the bridge among the actions of their block: what proofs to other chains begin with.',
  'select n.chain, n.block_num, n.block_time, n.action_index, n.name,
    case n.name when ''wdlog'' then ''w:'' || n.id else ''d:'' || m.domain || '':'' || n.id end as key, n.id, n.recv_sequence,
    encode(n.witness, ''hex'') as witness, n.receipt, n.data, n.leaves
    from @bridge_logs n left join meta.chain_domains m on m.chain = n.chain',
  array['key', 'Key of the leg: w:<id>, or d:<domain of the chain>:<nonce>.']);

select meta.create_view('deposit_logs', 'Deposits locked in the bridge account of an Antelope chain, as logged.',
  'select d.chain, d.block_num, d.block_time, d.global_seq, encode(d.trx_id, ''hex'') as trx_id, ''d:'' || m.domain || '':'' || d.nonce as key,
    m.domain, d.nonce, d.bridge, d.token_contract, d.token_symbol, d.token_decimals, d.sender, d.raw as amount,
    meta.quantity(d.raw, d.token_decimals) as quantity, d.canonical, d.beneficiary, d.memo
    from @deposits d left join meta.chain_domains m on m.chain = d.chain',
  array['key', 'Key of the leg: d:<domain>:<nonce>; null, as the domain, when neither name nor id of the chain tells the domain.',
    'domain', 'Domain of the chain.', 'amount', 'Raw units deposited.', 'quantity', 'The same in tokens.']);

select meta.create_view('deposit_events', 'What became of deposits on the ledger''s chain, event by event; deposits sums them up.',
  'select e.chain, e.block_num, e.block_time, e.global_seq, encode(e.trx_id, ''hex'') as trx_id, ''d:'' || e.domain || '':'' || e.nonce as key,
    e.domain, e.nonce, e.type, e.account, e.amount, meta.quantity(e.amount, e.decimals) as quantity, e.symbol, e.decimals, e.memo,
    meta.address(e.refund_to) as refund_to, e.withdrawal_id from @deposit_events e',
  array['key', 'Key of the leg: d:<domain>:<nonce>.', 'quantity', 'Amount in tokens.']);

select meta.create_view('withdrawal_events', 'What became of withdrawals on Antelope chains, event by event; withdrawals sums them up.',
  'select e.chain, e.block_num, e.block_time, e.global_seq, encode(e.trx_id, ''hex'') as trx_id, ''w:'' || e.id as key, e.id, e.type,
    e.released, e.account, e.amount, meta.quantity(e.amount, e.decimals) as quantity, e.symbol, e.decimals from @withdrawal_events e',
  array['key', 'Key of the leg: w:<id>.', 'quantity', 'Amount in tokens.']);

select meta.create_view('hop_returns', 'Hops that came back and were sent on to their way-back address.',
  'select r.chain, r.block_num, r.block_time, r.global_seq, encode(r.trx_id, ''hex'') as trx_id, r.id, r.withdrawal_id,
    ''w:'' || r.withdrawal_id as withdrawal_key from @hop_returns r',
  array['withdrawal_key', 'Key of the leg of the way back: w:<id>.']);

select meta.create_view('chain_domains', 'Bridge domains of the EVM chains and of the indexed chains.',
  'select d.chain, d.domain from meta.chain_domains d',
  array['chain', 'Chain name.', 'domain', 'Domain: the number of an EVM chain, else the first 8 bytes of the chain id; null when neither name nor id tells.']);
