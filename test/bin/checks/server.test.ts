// The check of a database server: its clock, settings and commits.
import t from 'tap'
import { checkServerSettings } from '../../../bin/checks/server.ts'
import { testDatabase } from '../../support/database.ts'

const { pool } = await testDatabase(t)

t.test('settings that lose data or hold up a backfill are named with the statement that changes them', async (t) => {
  const client = await pool.connect()
  t.teardown(() => client.release())
  // The server of the tests does without durability.
  const found = await checkServerSettings(client, false)
  t.match(
    found.find(({ message }) => message.startsWith('fsync')),
    {
      level: 'warn',
      message: 'fsync = off: a crash of the machine damages the database',
      remedy: /alter system set fsync = on;/,
    },
  )
  t.match(found[0], { level: 'ok', subject: 'clock' })
  t.match(found.at(-1), { subject: 'commits', message: /^\d+ a second$/ })
  const own = await checkServerSettings(client, true)
  t.same(
    own.map(({ subject }) => subject),
    ['clock', 'commits'],
    'the settings of the embedded server are ours',
  )
})

t.test('a clock that differs, and a slow disk', async (t) => {
  const answers = (late: number, delayMs: number) => ({
    async query(text: string) {
      await new Promise((resolve) => setTimeout(resolve, text.includes('emit') ? delayMs : 0))
      return { rows: [{ ms: Date.now() - late * 1000, standby: false }] }
    },
  })
  const found = await checkServerSettings(answers(90, 25) as never, true)
  t.match(found, [
    { level: 'warn', subject: 'clock', message: 'the clock of the database server is 90 s behind' },
    { level: 'warn', subject: 'commits', message: /^[1-4]\d a second$/ },
  ])
})
