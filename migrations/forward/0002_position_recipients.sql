-- Finds events of positions by their recipient: the account that gets a position, or the fees of another account's.
insert into meta.secondary_indexes (relation, name, definition)
  values ('ledger.position_events', 'recipient', '(recipient, block_time, global_seq) where recipient is not null');
