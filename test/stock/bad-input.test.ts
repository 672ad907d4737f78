// Malformed requests to every endpoint, with Debian's PostgreSQL in its default configuration instead of the embedded one: the
// test of test/api/fuzz on that server. In long runs only.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { REQUIRED_VARIABLE, startStockServer } from '../support/stock-server.ts'

const ROOT = join(import.meta.dirname, '../..')

t.test(
  'no request makes a server on a stock PostgreSQL fail',
  { skip: !process.env.HEADWATER_TEST_LONG && 'in test:long', timeout: 3_600_000 },
  async (t) => {
    const server = await startStockServer()
    if ('missing' in server) {
      if (process.env[REQUIRED_VARIABLE] === 'required') t.fail(server.missing)
      else t.comment(`not run: ${server.missing}`)
      return
    }
    t.teardown(() => server.stop())
    const env = { ...process.env, HEADWATER_TEST_DATABASE: server.adminUrl }
    const args = ['--import', 'tsx', 'test/api/fuzz/fuzz.test.ts']
    const { code, text } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, maxBuffer: 1e8 }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stdout, stderr }) => ({ code, text: `${stdout}${stderr}` }),
    )
    t.equal(code, 0, text.slice(-10_000))
    t.match(text, /^# \{ total: \d+, pass: \d+ \}$/m, 'it ran, and nothing failed')
  },
)
