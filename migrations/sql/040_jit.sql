-- No statement of the program runs long enough to gain from being compiled, and many are estimated as if they did: on a
-- server with its own settings (jit = on), each commit would wait for the compiler.
alter function meta.refresh_candles(text, text[], int8[], timestamptz[], int8) set jit = off;
alter function meta.rewind(text, int8) set jit = off;
alter function meta.refresh_candles(text, text[], int8[], timestamptz[], int8) reset enable_seqscan;

-- Sessions of readers too, on any server. Where the database is not ours to alter, `headwater check` says so.
do $$
begin
  execute format('alter database %I set jit = off', current_database());
exception
  when others then raise notice 'jit could not be switched off for this database: %', sqlerrm;
end $$;
