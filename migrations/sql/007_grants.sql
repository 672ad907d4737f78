-- The writer inserts facts, changes current rows and calls the writer's functions. The reader sees the views.
grant usage on schema meta, ledger, state, undo, derive, settled to headwater_writer;
grant select, insert on all tables in schema ledger to headwater_writer;
grant select, insert, update, delete on all tables in schema state, undo, derive to headwater_writer;
grant select, insert on meta.position to headwater_writer;
grant update on meta.position to headwater_writer;
grant select, insert, update, delete on meta.accounts to headwater_writer;
grant select on all tables in schema meta, settled to headwater_writer;
-- Lets a login with only the writer's rights check that the schema is current.
grant select on public.headwater_migrations to headwater_writer;

revoke execute on all functions in schema meta from public;
grant execute on function meta.move_position(text, uuid, int8, text, timestamptz, int8, int8, int8, text), meta.add_chain(text), meta.build_indexes(text), meta.refresh_candles(text, text[], int8[], timestamptz[], int8),
  meta.rewind(text, int8), meta.forget_undo(text[], text, int8), meta.key_columns(text, text) to headwater_writer;
-- Functions that the views call.
grant execute on function meta.quantity(numeric, int4), meta.address(bytea), meta.pool_price(numeric, int4, int4), meta.tick_price(int4), meta.id_domain(text),
  meta.hop_route(bytea), meta.hop_route(text) to public;
-- Counting trades of hours reads the ledger with the caller's rights.
grant execute on function meta.hour_sums(text, int8, int8), meta.hour_accounts(text, int8, int8), meta.count_hours(text, int4) to public;
grant execute on function meta.bucket_start(text, timestamptz), meta.bucket_end(text, timestamptz) to public;

grant usage on schema head, final to headwater_reader, headwater_writer;
grant select on all tables in schema head, final to headwater_reader, headwater_writer;
alter default privileges in schema head grant select on tables to headwater_reader;
alter default privileges in schema final grant select on tables to headwater_reader;
