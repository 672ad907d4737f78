-- No statement of the program runs long enough to gain from JIT compilation, but many are estimated as if they did. On
-- a server with jit = on, each commit would wait for the compiler.
alter function meta.refresh_candles(text, text[], int8[], timestamptz[], int8) set jit = off;
alter function meta.rewind(text, int8) set jit = off;
alter function meta.refresh_candles(text, text[], int8[], timestamptz[], int8) reset enable_seqscan;

-- Also for readers' sessions, on any server. If the login may not alter the database, `headwater check` reports it.
do $$
begin
  execute format('alter database %I set jit = off', current_database());
exception
  when others then raise notice 'jit could not be switched off for this database: %', sqlerrm;
end $$;
