// A clock of a test database that only the test moves, for ages and for counters of hours and days.
import pg from 'pg'
import type { TestDatabase } from './database.ts'

export interface DatabaseClock {
  advance(seconds: number): Promise<void>
}

/**
 * Makes the clock. From then on, new connections to the database that call `clock_timestamp()` without a schema get its
 * time. Functions with a search path of their own, and defaults of columns, keep the real time.
 *
 * @param database  its pool must not have been used yet
 * @param start     SQL of the first time
 */
export async function databaseClock(
  { url, pool }: TestDatabase,
  start = 'pg_catalog.clock_timestamp()',
): Promise<DatabaseClock> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`
      create schema test_clock;
      create table test_clock.clock as select ${start} as at;
      create function test_clock.clock_timestamp() returns timestamptz language sql volatile
        begin atomic select at from test_clock.clock; end;
      grant usage on schema test_clock to public;
      grant select on test_clock.clock to public;
      do $$ begin
        execute format('alter database %I set search_path = test_clock, pg_catalog, "$user", public', current_database());
      end $$`)
  } finally {
    await client.end()
  }
  return {
    async advance(seconds) {
      await pool.query('update test_clock.clock set at = at + make_interval(secs => $1)', [seconds])
    },
  }
}
