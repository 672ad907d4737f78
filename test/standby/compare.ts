// `headwater compare` with a standby, which is read-only, as its own database.
import type { Test } from 'tap'
import { run } from '../bin/program.ts'
import { testApi, testChain } from '../support/api.ts'
import type { TestDatabase } from '../support/database.ts'
import type { ReplicatedServers } from '../support/standby.ts'

export async function standbyIsCompared(
  t: Test,
  { primary, standby, replayed }: ReplicatedServers,
  database: TestDatabase,
): Promise<void> {
  await primary.query('update meta.position set indexed = true', [], 'scene')
  await replayed()
  const api = await testApi(t, database, { chains: [testChain('wax')] })
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const outcome = await run(['compare', address, '--chain', 'wax'], { DATABASE_URL: standby.url('scene') })
  t.match(outcome, { code: 0, stderr: '', stdout: /^compared blocks \d+ to \d+, .*\nno difference\n$/ })
}
