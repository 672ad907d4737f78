// Debian's Prometheus with the file for a machine of services: a process dies, and its alert is sent, and so is its end.
// In long runs only: promtool tests the rules one by one. Alertmanager is a stand-in that takes what Prometheus sends,
// because Debian's runs only where its package is installed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { logged, start } from '../bin/program.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/debian-server.ts'
import { findPromtool } from '../support/promtool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const CONFIG = join(import.meta.dirname, '../../config')
const RECORDING = join(import.meta.dirname, '../fixtures/recordings/small.ship.gz')

interface Alert {
  labels: Record<string, string>
  annotations: Record<string, string>
  endsAt: string
}

/** A file of config/, with other texts. @throws Error when a text is not in it */
function changed(path: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(CONFIG, path), 'utf8'),
  )
}

/** Takes alerts as Alertmanager does. */
async function alertmanager(t: Test): Promise<{ port: number; alerts: Alert[] }> {
  const alerts: Alert[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/api/v2/alerts') alerts.push(...((await json(request)) as Alert[]))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { port: (server.address() as AddressInfo).port, alerts }
}

function launch(t: Test, path: string, args: string[]): ChildProcess {
  const child = spawn(path, args, { stdio: 'ignore' })
  t.teardown(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  })
  return child
}

const found = process.env.HEADWATER_TEST_LONG
  ? await findPromtool()
  : { missing: 'in long runs only', isRequired: false }
if ('missing' in found) {
  t.notOk(found.isRequired, found.missing)
  t.comment(`not run: ${found.missing}`)
} else
  t.test('the death of a process is sent, and so is its return', async (t) => {
    const folder = temporaryFolder(t)
    const { url } = await testDatabase(t)
    const [port, server] = await Promise.all([freePort(), freePort()])
    const heard = await alertmanager(t)
    const files = {
      // Seconds instead of minutes.
      'prometheus.yml': changed('prometheus/debian.yml', {
        '127.0.0.1:7700': `127.0.0.1:${port}`,
        '127.0.0.1:9093': `127.0.0.1:${heard.port}`,
        ': 15s': ': 1s',
      }),
      'alerts.yml': changed('prometheus/alerts.yml', { 'for: 1m': 'for: 1s' }),
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const program = () => {
      const running = start(['run'], {
        ...{ DATABASE_URL: url, PORT: String(port), HEADWATER_CHAINS: 'dev' },
        ...{ HEADWATER_DEV_SOURCE_KIND: 'replay', HEADWATER_DEV_SOURCE_FILE: RECORDING },
      })
      t.teardown(() => void running.child.kill('SIGKILL'))
      return running
    }
    const first = program()
    await logged(first.output, 'serves')
    launch(t, join(dirname(found.path), 'prometheus'), [
      ...[`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`],
      `--web.listen-address=127.0.0.1:${server}`,
    ])
    const query = `http://127.0.0.1:${server}/api/v1/query?query=up`
    await until('the metrics are read', async () => {
      const answer = await fetch(query).catch(() => null)
      return answer !== null && /"value":\[[\d.]+,"1"\]/.test(await answer.text())
    })
    const isOver = ({ endsAt }: Alert) => Date.parse(endsAt) <= Date.now()
    const down = () => heard.alerts.filter(({ labels }) => labels.alertname === 'HeadwaterDown')
    t.same(down(), [])
    first.child.kill('SIGKILL')
    await until('the alert', () => down().length > 0)
    t.match(down()[0], { labels: { job: 'indexer', severity: 'page' }, annotations: { runbook: /#headwaterdown$/ } })
    t.notOk(down().some(isOver), 'it lasts')
    program()
    await until('the end of the alert', () => down().some(isOver))
  })
