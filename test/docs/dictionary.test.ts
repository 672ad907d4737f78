// The data dictionary and the schema snapshot equal the migrated database.
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { dataDictionary } from '../../docs/generate-dictionary.ts'
import { schemaText } from '../../docs/schema-text.ts'
import { testDatabase } from '../support/database.ts'

const dictionary = new URL('../../docs/data/data-dictionary.md', import.meta.url)
const snapshot = new URL('../fixtures/schema.sql', import.meta.url)

t.test('the schema is documented', async (t) => {
  const { pool } = await testDatabase(t)

  t.test('every table and view, and every column of them, has a comment', async (t) => {
    const { rows } = await pool.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('meta', 'ledger', 'state', 'derive', 'head', 'final', 'board') and c.relkind in ('r', 'p', 'v', 'm')
         and (not c.relispartition or c.relkind = 'p') and coalesce(obj_description(c.oid), '') = ''
       union all
       select format('%I.%I.%I', n.nspname, c.relname, a.attname)
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
       where n.nspname in ('meta', 'ledger', 'state', 'derive', 'head', 'final', 'board') and c.relkind in ('r', 'p', 'v', 'm')
         and (not c.relispartition or c.relkind = 'p') and a.attnum > 0 and not a.attisdropped and coalesce(col_description(a.attrelid, a.attnum), '') = ''
       order by 1`,
    )
    t.same(
      rows.map(({ name }) => name),
      [],
    )
  })

  t.test('head and final have the same views with the same columns', async (t) => {
    const columns = async (schema: string) => {
      const { rows } = await pool.query(
        `select c.relname as view, a.attname as column, format_type(a.atttypid, a.atttypmod) as type from pg_class c
         join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
         where n.nspname = $1 and c.relkind = 'v' and c.relname <> 'orphaned_blocks' order by 1, a.attnum`,
        [schema],
      )
      return rows
    }
    const final = await columns('final')
    t.ok(final.length > 700)
    t.same(await columns('head'), final)
  })

  t.test('the dictionary is up to date', async (t) => {
    const text = await dataDictionary(pool)
    t.equal(await readFile(dictionary, 'utf8').catch(() => ''), text, 'npm run generate makes it')
  })

  t.test('the snapshot of the schema is up to date', async (t) => {
    const text = await schemaText(pool)
    t.equal(await readFile(snapshot, 'utf8').catch(() => ''), text, 'npm run generate writes it: review the difference')
  })
})
