-- Data for proofs.

select meta.create_view('finality', 'Finality data of the blocks of a chain under Savanna, if the data for proofs is stored.',
  $view$select f.chain, f.block_num, f.block_time, f.slot, f.parent_slot, encode(f.finality_mroot, 'hex') as finality_mroot,
    encode(f.policy_digest, 'hex') as policy_digest, f.policy_start, f.active_generation, f.last_pending_generation,
    encode(f.action_mroot, 'hex') as action_mroot, encode(f.reversible_mroot, 'hex') as reversible_mroot, f.claim_num,
    encode(f.claim_digest, 'hex') as claim_digest, f.claim_slot, encode(f.base_digest, 'hex') as base_digest,
    encode(f.finality_digest, 'hex') as finality_digest, f.nodes from @finality f$view$,
  array[]::text[]);

select meta.create_view('finalizer_policies', 'Finalizer policies, with the block in which each became pending; the first with the Savanna genesis block.',
  $view$select p.chain, p.generation, p.block_num, p.block_time, p.slot, encode(p.digest, 'hex') as digest, p.policy from @finalizer_policies p$view$,
  array[]::text[]);

select meta.create_view('certificates', 'Quorum certificates as blocks carry them.',
  $view$select c.chain, c.block_num, c.block_time, c.target, c.strong, c.verified, c.certificate from @certificates c$view$,
  array[]::text[]);

select meta.create_view('legacy_blocks', 'Blocks before Savanna, if the data for proofs is stored.',
  $view$select l.chain, l.block_num, l.block_time, l.version, l.nodes, l.header, l.signatures from @legacy_blocks l$view$,
  array[]::text[]);

select meta.create_view('producer_schedules', 'Producer schedules of a chain before Savanna, with the block whose header brings each.',
  $view$select s.chain, s.version, s.block_num, s.block_time, s.schedule from @producer_schedules s$view$,
  array[]::text[]);

select meta.create_view('bridge_logs', 'Log actions of the bridge among the actions of their block: the start of proofs to other chains.',
  $view$select n.chain, n.block_num, n.block_time, n.action_index, n.name,
    case n.name when 'wdlog' then 'w:' || n.id else 'd:' || m.domain || ':' || n.id end as key, n.id, n.recv_sequence,
    encode(n.witness, 'hex') as witness, n.receipt, n.data, n.leaves
    from @bridge_logs n left join meta.chain_domains m on m.chain = n.chain$view$,
  array['key', 'Key of the leg: w:<id>, or d:<domain of the chain>:<nonce>.']);
