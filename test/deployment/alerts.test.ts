// Prometheus' own tool evaluates every alert on two series of metrics that are written by hand: it fires on one, and does not
// fire on the other. recorded-alerts.test.ts has metrics of real processes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse, stringify } from 'yaml'
import { openPromtool } from '../support/promtool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { RULES, rules } from './recorded/rules.ts'

interface Expected {
  alertname: string
  exp_alerts?: { exp_labels: Record<string, string>; exp_annotations?: Record<string, string> }[]
}

const courses = parse(readFileSync(join(import.meta.dirname, 'alerts.yml'), 'utf8')) as {
  tests: { interval: string; alert_rule_test: Expected[] }[]
}
const expected = courses.tests.flatMap(({ alert_rule_test }) => alert_rule_test)

t.test('each alert has a series on which it fires and one on which it does not', async (t) => {
  for (const { alert } of rules) {
    const own = expected.filter(({ alertname }) => alertname === alert)
    t.ok(
      own.some(({ exp_alerts }) => exp_alerts !== undefined),
      `${alert} fires`,
    )
    t.ok(
      own.some(({ exp_alerts }) => exp_alerts === undefined),
      `${alert} is silent`,
    )
  }
})

t.test('each alert has its section of the runbook', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operate/alerts.md'), 'utf8')
  for (const { alert, annotations } of rules) {
    t.equal(annotations.runbook, `docs/operate/alerts.md#${alert.toLowerCase()}`)
    t.match(page, new RegExp(`^## ${alert}$`, 'm'))
  }
})

t.test('promtool agrees', async (t) => {
  const promtool = await openPromtool(t)
  if (!promtool) return
  // Action and runbook of an alert are those of its rule; only the summary depends on the course.
  const annotationsOf = (name: string) => rules.find(({ alert }) => alert === name)?.annotations
  for (const { alertname, exp_alerts = [] } of expected)
    for (const alert of exp_alerts) alert.exp_annotations = { ...annotationsOf(alertname), ...alert.exp_annotations }
  const folder = temporaryFolder(t)
  // Rules are evaluated once for each sample: promtool takes most of its time for courses of hours, with a sample a minute.
  const files = [...new Set(courses.tests.map(({ interval }) => interval))].map((interval) => {
    const tests = courses.tests.filter((course) => course.interval === interval)
    const file = join(folder, `alerts-${interval}.yml`)
    writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: interval, tests }))
    return file
  })
  t.equal(await promtool('check', 'rules', RULES), '')
  t.equal(await promtool('test', 'rules', ...files), '')
})
