-- Events of positions are found by their recipient too: who gets a position, or the fees of somebody else's.
insert into meta.secondary_indexes (relation, name, definition)
  values ('ledger.position_events', 'recipient', '(recipient, block_time, global_seq) where recipient is not null');
