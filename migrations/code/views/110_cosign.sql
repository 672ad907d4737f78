-- Signatures of the CPU sponsor, without the requesting accounts and addresses.

select meta.create_view('cosigned_transactions', 'Transactions that the CPU sponsor has signed in the last 25 hours.',
  $view$select t.chain, encode(t.id, 'hex') as trx_id, t.counted_at from cosign.transactions t$view$,
  array['chain', 'Chain name.', 'trx_id', 'Transaction id.', 'counted_at', 'When it was signed, by the clock of the database.']);

select meta.create_view('cosign_totals', 'Signatures of the CPU sponsor by whole hours and days (UTC), for the last two days.',
  $view$select c.chain, c.period, c.starts, c.used as transactions from cosign.counters c where c.scope = 'all'$view$,
  array['chain', 'Chain name.', 'period', 'hour or day.', 'starts', 'Start of the hour or day.', 'transactions', 'Transactions signed in it.']);

select meta.create_view('cosign_switches', 'Where the CPU sponsor has been switched on or off. Without a row it is on.',
  $view$select s.chain, s.is_on, s.changed_at from cosign.switches s$view$,
  array['chain', 'Chain name.', 'is_on', 'False: it refuses.', 'changed_at', 'Time of the last switch.']);
