-- Legs and journeys of the bridge, rows of its tables, and single events.

select meta.create_view('bridge_routes', 'Routes of the bridge.',
  $view$select r.chain, r.id, r.domain, meta.address(r.vault) as vault, meta.address(r.token) as token, r.wrapped_contract, r.wrapped_symbol,
    r.wrapped_decimals, r.scale, r.min, r.max, r.backing, r.deposits_open, r.withdrawals_open,
    meta.quantity(r.min, r.wrapped_decimals) as quantity_min, meta.quantity(r.max, r.wrapped_decimals) as quantity_max,
    meta.quantity(r.backing, r.wrapped_decimals) as quantity_backing from @bridge_routes r$view$,
  array['quantity_min', 'Least amount in tokens.', 'quantity_max', 'Greatest amount in tokens.', 'quantity_backing', 'Amount that the vault holds for the route, in tokens.']);

select meta.create_view('claims', 'Credited deposits that their owners have not collected.',
  $view$select c.chain, c.owner, c.symbol, c.amount, meta.quantity(c.amount, c.decimals) as quantity from @claims c$view$,
  array['quantity', 'Amount in tokens.']);

-- A withdrawal is paid on the chain of its domain. If no chain has that domain and this chain has no named one, it may
-- be paid on this chain.
select meta.create_view('withdrawals', 'Withdrawals of the bridge with their outcome.',
  $view$select w.chain, 'w:' || w.id as key, w.id, w.domain,
    case when paid.trx_id is not null or outcome.released or settled.released then 'released' when refunded.trx_id is not null then 'refunded'
      when outcome.released = false or settled.released = false then 'expired'
      when w.block_num <= proved.claim_num and exists (select from @bridge_logs n where n.chain = w.chain and n.id = w.id and n.name = 'wdlog')
        or w.block_num <= p.lib_num and (w.domain >= 4294967296 or not exists (select from @finality f where f.chain = w.chain))
        then 'provable' else 'burned' end as status,
    coalesce(t.owner, w.sender) as owner, meta.address(w.recipient) as recipient, meta.address(w.token) as token, w.amount, w.fee, w.deadline,
    encode(w.trx_id, 'hex') as src_trx_id, w.block_time as src_time, w.block_num, w.global_seq,
    encode(coalesce(paid.trx_id, case when outcome.released then outcome.trx_id end, refunded.trx_id, outcome.trx_id, settled.trx_id), 'hex') as dst_trx_id,
    coalesce(paid.block_time, case when outcome.released then outcome.block_time end, refunded.block_time, outcome.block_time, settled.block_time) as dst_time, w.memo, meta.address(w.vault) as vault,
    coalesce(w.symbol, logged.symbol, t.symbol) as symbol, coalesce(w.decimals, logged.decimals, t.decimals) as decimals,
    meta.quantity(w.amount, coalesce(w.decimals, logged.decimals, t.decimals)) as quantity,
    meta.quantity(w.fee, coalesce(w.decimals, logged.decimals, t.decimals)) as quantity_fee
    from @withdrawals w
    -- Of a burn without a transfer: the bridge's table may lose its row, the logs of a hop or of a bounced deposit stay.
    left join lateral (
      select h.symbol, h.decimals from @hops h where h.chain = w.chain and h.withdrawal_id = w.id
      union all
      select a.symbol, a.decimals from @deposit_events x
        join @deposit_events a on a.chain = x.chain and a.nonce = x.nonce and a.domain = x.domain and a.type in ('credited', 'parked')
          and a.symbol is not null
        where x.chain = w.chain and x.withdrawal_id = w.id and x.type = 'bounced'
      limit 1) logged on w.symbol is null
    join meta.position p on p.chain = w.chain
    left join @wdraws t on t.chain = w.chain and t.id = w.id
    left join lateral (select f.claim_num from @certificates c join @finality f on f.chain = c.chain and f.block_num = c.target
      where c.chain = w.chain and c.strong order by c.block_num desc limit 1) proved on true
    left join lateral (select e.trx_id, e.block_time from @withdrawal_events e where e.id = w.id and e.type = 'paid'
      and (e.chain in (select n.chain from meta.chain_domains n where n.domain = w.domain)
        or e.chain = w.chain and not exists (select from meta.chain_domains n
          where n.domain = w.domain or n.chain = w.chain and n.named))
      order by e.block_time, e.global_seq limit 1) paid on true
    left join lateral (select o.trx_id, o.block_time, o.type = 'released' as released from @withdrawal_outcomes o
      where o.id = w.id and o.type in ('released', 'voided', 'expired')
      and o.chain in (select n.chain from meta.chain_domains n where n.domain = w.domain)
      order by o.type = 'released' desc, o.block_time, o.global_seq limit 1) outcome on true
    left join lateral (select e.trx_id, e.block_time, e.released from @withdrawal_events e where e.chain = w.chain and e.id = w.id
      and e.type = 'settled' order by e.block_time desc, e.global_seq desc limit 1) settled on true
    left join lateral (select e.trx_id, e.block_time from @withdrawal_events e where e.chain = w.chain and e.id = w.id
      and e.type = 'refunded' order by e.block_time desc, e.global_seq desc limit 1) refunded on true$view$,
  array['key', 'Key of the leg: w:<id>.', 'id', 'Withdrawal id; the key is w:<id>.', 'status', 'burned, provable, released, expired or refunded. Provable: a certificate covers the burn; to an Antelope chain, or where the finality of the ledger''s chain is not followed, also: the burn is irreversible.', 'owner', 'Account that withdrew.',
    'token', 'Token on the destination.', 'src_trx_id', 'Transaction of the burn.', 'src_time', 'Time of the burn.',
    'dst_trx_id', 'Transaction that paid out, refunded, expired or settled.', 'dst_time', 'Time of that transaction.',
    'symbol', 'Symbol of the wrapped token: of the transaction of the burn, else of the log of its hop or of the deposit that it takes back, else of the bridge''s table, which may lose its row; null when none has it.',
    'decimals', 'Precision of the wrapped token, that is of amount and fee; null as the symbol.', 'quantity', 'Amount in tokens.',
    'quantity_fee', 'Fee in tokens.']);

-- Deposits that the ledger knows, joined with the source chain's data; then deposits that the ledger does not know yet:
-- of Antelope chains and of EVM chains. All can be found by domain and nonce.
select meta.create_view('deposits', 'Deposits of the bridge with their outcome.',
  $view$select e.chain, 'd:' || e.domain || ':' || e.nonce as key, e.domain, e.nonce, e.status, coalesce(d.sender, e.owner) as owner,
    coalesce(e.account, d.beneficiary) as recipient, coalesce(e.symbol, d.token_symbol) as token, coalesce(e.amount, d.canonical)::numeric(20) as amount,
    encode(d.trx_id, 'hex') as src_trx_id, d.block_time as src_time, encode(e.trx_id, 'hex') as dst_trx_id, e.block_time as dst_time,
    coalesce(e.memo, d.memo) as memo, coalesce(e.decimals, d.decimals) as decimals,
    e.arrival_time, meta.address(coalesce(e.refund_to, d.refund_to)) as refund_to, b.id as back_id, 'w:' || b.id as back_key,
    meta.quantity(coalesce(e.amount, d.canonical), coalesce(e.decimals, d.decimals)) as quantity
    from (
      select f.chain, f.domain, f.nonce, (array_agg(f.type order by f.block_time desc, f.global_seq desc))[1] as status,
        (array_agg(f.account order by f.block_time, f.global_seq) filter (where f.account is not null))[1] as account,
        (array_agg(f.account order by f.block_time, f.global_seq) filter (where f.type = 'credited'))[1] as owner,
        (array_agg(f.symbol order by f.block_time, f.global_seq) filter (where f.symbol is not null))[1] as symbol,
        (array_agg(f.decimals order by f.block_time, f.global_seq) filter (where f.decimals is not null))[1] as decimals,
        (array_agg(f.amount order by f.block_time, f.global_seq) filter (where f.amount is not null))[1] as amount,
        (array_agg(f.memo order by f.block_time, f.global_seq) filter (where f.memo is not null))[1] as memo,
        (array_agg(f.refund_to order by f.block_time desc, f.global_seq desc) filter (where f.refund_to is not null))[1] as refund_to,
        (array_agg(f.withdrawal_id order by f.block_time desc, f.global_seq desc) filter (where f.type = 'bounced'))[1] as back_id,
        (array_agg(f.trx_id order by f.block_time desc, f.global_seq desc) filter (where f.type = 'bounced'))[1] as back_trx_id,
        (array_agg(f.trx_id order by f.block_time desc, f.global_seq desc))[1] as trx_id, max(f.block_time) as block_time,
        min(f.block_time) filter (where f.type in ('credited', 'parked')) as arrival_time
      from @deposit_events f group by f.chain, f.domain, f.nonce
    ) e
    left join lateral (
      select x.sender, x.beneficiary, x.token_symbol, x.canonical, x.trx_id, x.block_time, convert_to(x.memo, 'UTF8') as memo,
        case when x.raw = x.canonical then x.token_decimals end as decimals, null::bytea as refund_to
      from @deposits x join meta.chain_domains m on m.chain = x.chain where m.domain = e.domain and x.nonce = e.nonce
      union all
      select meta.address(v.from_address), v.telos_to, null, v.canonical, v.trx_id, v.block_time, v.memo, null, v.refund_to
      from @vault_deposits v join meta.chain_domains m on m.chain = v.chain where m.domain = e.domain and v.nonce = e.nonce
      limit 1
    ) d on true
    left join lateral (select e.back_id::numeric(20) as id where e.back_id <> 0 or exists (select from @withdrawals w
      where w.chain = e.chain and w.id = e.back_id and w.trx_id = e.back_trx_id)) b on true
  union all
  select d.chain, 'd:' || m.domain || ':' || d.nonce, m.domain, d.nonce,
    case when d.block_num <= p.lib_num then 'provable' else 'seen' end, d.sender, d.beneficiary, d.token_symbol, d.canonical,
    encode(d.trx_id, 'hex'), d.block_time, null, null, convert_to(d.memo, 'UTF8'),
    case when d.raw = d.canonical then d.token_decimals end, null, null, null::numeric(20), null,
    case when d.raw = d.canonical then meta.quantity(d.canonical, d.token_decimals) end
    from @deposits d
    join meta.position p on p.chain = d.chain
    left join meta.chain_domains m on m.chain = d.chain
    where not exists (select from @deposit_events e where e.domain = m.domain and e.nonce = d.nonce)
  union all
  select v.chain, 'd:' || m.domain || ':' || v.nonce, m.domain, v.nonce,
    case when v.block_num <= p.lib_num then 'provable' else 'seen' end, meta.address(v.from_address), v.telos_to,
    coalesce(r.wrapped_symbol, meta.address(v.token)), v.canonical, encode(v.trx_id, 'hex'), v.block_time, null, null, v.memo,
    r.wrapped_decimals, null, meta.address(v.refund_to), null::numeric(20), null, meta.quantity(v.canonical, r.wrapped_decimals)
    from @vault_deposits v
    join meta.position p on p.chain = v.chain
    left join meta.chain_domains m on m.chain = v.chain
    left join lateral (select x.wrapped_symbol, x.wrapped_decimals from @bridge_routes x where x.domain = m.domain and x.token = v.token
      limit 1) r on true
    where not exists (select from @deposit_events e where e.domain = m.domain and e.nonce = v.nonce)$view$,
  array['chain', 'Chain of the bridge''s ledger once it knows the deposit, else the chain of the deposit.', 'key', 'Key of the leg: d:<domain>:<nonce>.',
    'domain', 'Domain of the deposit; null, as the key, when neither name nor id of its chain is known.',
    'status', 'seen, provable, credited, parked, forwarded or bounced.',
    'owner', 'Account that deposited, else the one that was credited.', 'recipient', 'Receiver on the ledger''s chain.', 'token', 'Symbol; until it is known, the address of the token deposited.', 'amount', 'Ledger units.', 'src_trx_id', 'Transaction of the deposit.',
    'src_time', 'Time of the deposit.', 'dst_trx_id', 'Transaction of the latest step on the ledger''s chain.', 'dst_time', 'Time of that transaction.',
    'memo', 'Memo that is sent on with the deposit.', 'decimals', 'Precision of the amount; null until it is known.',
    'arrival_time', 'Time at which it was credited or parked.', 'refund_to', 'Address on its own chain to which it bounces.',
    'back_id', 'Withdrawal that takes it back, when it bounced into one.', 'back_key', 'Key of that leg: w:<id>.',
    'quantity', 'Amount in tokens; null until the precision is known.']);

-- Deposits passed on by the hop contract, then deposits with a hop memo that it has not passed on. The log takes
-- precedence over the memo.
select meta.create_view('hops', 'Journeys over the hop contract, from their deposits on.',
  $view$select j.chain, 'd:' || j.src_domain || ':' || j.src_nonce as key, 'd:' || j.src_domain || ':' || j.src_nonce as deposit_key,
    'w:' || j.withdrawal_id as withdrawal_key, 'w:' || j.back_id as back_key,
    case when back.status = 'released' then 'returned' when j.back_id is not null then 'returning'
      when gone.status = 'released' then 'delivered' when gone.status in ('expired', 'refunded') or j.bounced then 'bounced'
      when j.withdrawal_id is not null then 'sending' else 'arriving' end as status,
    j.id, j.src_domain, j.src_nonce, j.dst_domain, j.recipient, j.back_domain, j.back, j.amount,
    meta.quantity(j.amount, j.decimals) as quantity, j.symbol, j.block_num, j.block_time, j.global_seq, encode(j.trx_id, 'hex') as trx_id,
    j.decimals, j.sender, j.src_trx_id, j.src_time, least(j.src_time, j.arrival_time, j.block_time) as start_time,
    gone.dst_trx_id, gone.dst_time, back.dst_trx_id as back_trx_id, back.dst_time as back_time
    from (
      select h.chain, h.id, h.src_domain, h.src_nonce, h.dst_domain, h.recipient, h.back_domain, h.back, h.amount::numeric(20) as amount,
        h.symbol, h.decimals, h.withdrawal_id, h.block_num, h.block_time, h.global_seq, h.trx_id,
        coalesce(r.withdrawal_id, d.back_id)::numeric(20) as back_id, d.status is not distinct from 'bounced' as bounced, d.owner as sender,
        d.src_trx_id, d.src_time, d.arrival_time
      from @hops h
      left join lateral (select x.withdrawal_id from @hop_returns x where x.chain = h.chain and x.id = h.id
        order by x.block_time desc, x.global_seq desc limit 1) r on true
      left join lateral (select x.status, x.back_id, x.owner, x.src_trx_id, x.src_time, x.arrival_time from $side.deposits x
        where x.domain = h.src_domain and x.nonce = h.src_nonce and (x.chain = h.chain or x.dst_time is null) limit 1) d on true
      union all
      select d.chain, null::numeric(20), d.domain, d.nonce, m.route[1]::numeric(20), m.route[2], m.route[3]::numeric(20), m.route[4], d.amount,
        d.token, d.decimals, null::numeric(20), null, null, null, null, d.back_id, d.status = 'bounced', d.owner, d.src_trx_id, d.src_time, d.arrival_time
      from $side.deposits d
      cross join lateral (select meta.hop_route(d.memo) as route) m
      where d.status <> 'credited' and length(d.memo) > 0
        and exists (select from meta.accounts a where a.role = 'hop' and a.account = d.recipient and (a.chain = d.chain or d.dst_time is null))
        and not exists (select from @hops h where h.src_domain = d.domain and h.src_nonce = d.nonce)
    ) j
    left join $side.withdrawals gone on gone.chain = j.chain and gone.id = j.withdrawal_id
    left join $side.withdrawals back on back.chain = j.chain and back.id = j.back_id$view$,
  array['chain', 'Chain of the bridge''s ledger once it knows the deposit, else the chain of the deposit.',
    'key', 'Key of the journey: that of its deposit.', 'deposit_key', 'Key of the first leg.',
    'withdrawal_key', 'Key of the second leg; null before it.',
    'back_key', 'Key of the leg back, if any.', 'status', 'arriving, sending, delivered, bounced, returning or returned.',
    'id', 'Hop id; null while arriving, as all of the hop''s log.',
    'src_domain', 'Domain of the deposit.', 'dst_domain', 'Domain of the destination; null when the memo does not contain it.',
    'recipient', 'Recipient on the destination; null when the memo does not contain it.',
    'back_domain', 'Domain to which it returns when not delivered; null when the memo does not contain it.',
    'back', 'Address to which it returns when not delivered; null when the memo does not contain it.',
    'amount', 'Raw units sent on; while arriving, those deposited.', 'quantity', 'The same in tokens.',
    'symbol', 'Symbol of the token.', 'decimals', 'Precision of the token; null until it is known.',
    'block_num', 'Block of the hop''s log; null while arriving.', 'block_time', 'Time of the hop''s log, UTC; null while arriving.',
    'global_seq', 'Global sequence of the hop''s log; null while arriving.', 'trx_id', 'Transaction of the hop''s log; null while arriving.',
    'sender', 'Who deposited; null when the chain of the deposit is not indexed.', 'src_trx_id', 'Transaction of the deposit; null as the sender.',
    'src_time', 'Time of the deposit; null as the sender.', 'start_time', 'Earliest known time of the journey.',
    'dst_trx_id', 'Transaction that ended the second leg.', 'dst_time', 'Time of that transaction.',
    'back_trx_id', 'Transaction that ended the leg back.', 'back_time', 'Time of that transaction.']);

select meta.create_view('gateway_credits', 'Proofs with which deposits were credited.',
  $view$select c.chain, c.block_num, c.block_time, c.global_seq, encode(c.trx_id, 'hex') as trx_id, c.account, c.domain,
    coalesce(c.nonce, n.nonce) as nonce, 'd:' || c.domain || ':' || coalesce(c.nonce, n.nonce) as key, c.relayer, c.proof, c.details
    from @gateway_credits c
    left join lateral (select e.nonce from @deposit_events e where c.nonce is null and e.chain = c.chain and e.block_num = c.block_num
      and e.trx_id = c.trx_id and e.domain = c.domain and e.type in ('credited', 'parked') and e.global_seq > c.global_seq
      order by e.global_seq limit 1) n on true$view$,
  array['nonce', 'Nonce of the deposit, from the action, or from an action that it caused; null when neither has it.', 'key', 'Key of the deposit: d:<domain>:<nonce>.']);

select meta.create_view('claim_events', 'Credited deposits collected by their owners.',
  $view$select c.chain, c.block_num, c.block_time, c.global_seq, encode(c.trx_id, 'hex') as trx_id, c.owner, c.symbol from @claim_events c$view$,
  array[]::text[]);

select meta.create_view('noops', 'Actions that stand first in transactions whose CPU the liquid staking contract pays.',
  $view$select n.chain, n.block_num, n.block_time, n.global_seq, encode(n.trx_id, 'hex') as trx_id, n.account, n.details from @noops n$view$,
  array[]::text[]);

select meta.create_view('withdrawal_rows', 'Withdrawals that the bridge keeps in its table.',
  $view$select t.chain, t.id, t.domain, t.owner, t.amount, meta.quantity(t.amount, t.decimals) as quantity, t.symbol, t.decimals,
    meta.address(t.recipient) as recipient, t.deadline, t.fee, t.status, meta.quantity(t.fee, t.decimals) as quantity_fee from @wdraws t$view$,
  array['quantity', 'Amount in tokens.', 'quantity_fee', 'Fee in tokens.']);

select meta.create_view('hop_rows', 'Journeys that the hop contract keeps in its table.',
  $view$select h.chain, h.id, h.src_domain, h.src_nonce, h.dst_domain, h.recipient, h.back_domain, h.back, h.amount,
    meta.quantity(h.amount, h.decimals) as quantity, h.symbol, h.decimals, h.withdrawal_id, h.status from @hop_rows h$view$,
  array['quantity', 'Amount in tokens.']);

select meta.create_view('deposit_logs', 'Deposits locked in the bridge account of an Antelope chain, as logged.',
  $view$select d.chain, d.block_num, d.block_time, d.global_seq, encode(d.trx_id, 'hex') as trx_id, 'd:' || m.domain || ':' || d.nonce as key,
    m.domain, d.nonce, d.bridge, d.token_contract, d.token_symbol, d.token_decimals, d.sender, d.raw as amount,
    meta.quantity(d.raw, d.token_decimals) as quantity, d.canonical, d.beneficiary, d.memo
    from @deposits d left join meta.chain_domains m on m.chain = d.chain$view$,
  array['key', 'Key of the leg: d:<domain>:<nonce>; null, like the domain, when neither name nor id of the chain determines the domain.',
    'domain', 'Domain of the chain.', 'amount', 'Raw units deposited.', 'quantity', 'The same in tokens.']);

select meta.create_view('deposit_events', 'Events of deposits on the ledger''s chain. The view deposits has the status that follows from them.',
  $view$select e.chain, e.block_num, e.block_time, e.global_seq, encode(e.trx_id, 'hex') as trx_id, 'd:' || e.domain || ':' || e.nonce as key,
    e.domain, e.nonce, e.type, e.account, e.amount, meta.quantity(e.amount, e.decimals) as quantity, e.symbol, e.decimals, e.memo,
    meta.address(e.refund_to) as refund_to, e.withdrawal_id from @deposit_events e$view$,
  array['key', 'Key of the leg: d:<domain>:<nonce>.', 'quantity', 'Amount in tokens.']);

select meta.create_view('withdrawal_events', 'Events of withdrawals on Antelope chains. The view withdrawals has the status that follows from them.',
  $view$select e.chain, e.block_num, e.block_time, e.global_seq, encode(e.trx_id, 'hex') as trx_id, 'w:' || e.id as key, e.id, e.type,
    e.released, e.account, e.amount, meta.quantity(e.amount, e.decimals) as quantity, e.symbol, e.decimals from @withdrawal_events e$view$,
  array['key', 'Key of the leg: w:<id>.', 'quantity', 'Amount in tokens.']);

select meta.create_view('hop_returns', 'Hops that came back and were sent on to their way-back address.',
  $view$select r.chain, r.block_num, r.block_time, r.global_seq, encode(r.trx_id, 'hex') as trx_id, r.id, r.withdrawal_id,
    'w:' || r.withdrawal_id as withdrawal_key from @hop_returns r$view$,
  array['withdrawal_key', 'Key of the leg of the way back: w:<id>.']);
