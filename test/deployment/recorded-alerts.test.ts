// The alerts on metrics of real processes, recorded healthy and in each fault by `npm run record-alerts`: promtool finds
// that each fault sets off its alerts and no others, and that none fires before the fault and on healthy processes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { stringify } from 'yaml'
import { openPromtool } from '../support/promtool.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { courseOf, withClock } from './recorded/course.ts'
import { readRecord, SCRAPE_SECONDS } from './recorded/record.ts'
import { RULES, rules } from './recorded/rules.ts'
import { SCENES } from './recorded/scenes.ts'

const INTERVAL = `${SCRAPE_SECONDS}s`
/** @param but  alerts that do not count */
const firingBut = (but: readonly string[]) =>
  `max by (alertname) (ALERTS{alertstate="firing",alertname!~"${but.join('|')}"})`

t.test('each alert has a record of its fault', async (t) => {
  const recorded = new Set(SCENES.flatMap(({ fires }) => fires))
  t.same(
    rules.map(({ alert }) => alert).filter((alert) => !recorded.has(alert)),
    [],
  )
})

t.test('each record says what made it, and is of the fault', async (t) => {
  for (const { name, fault, faultySeconds } of SCENES) {
    const { made, healthy, scrapes, ...record } = readRecord(name)
    t.match(made, /^npm run record-alerts, version [0-9a-f]{7,}, \d{4}-\d\d-\d\d$/)
    t.same([record.fault, scrapes - healthy], [fault, faultySeconds / SCRAPE_SECONDS], name)
  }
})

t.test('promtool agrees', async (t) => {
  const promtool = await openPromtool(t)
  if (!promtool) return
  const tests = SCENES.map(({ name, moreSeconds, fires, also = [] }) => {
    const { input_series, faultTime, endTime } = courseOf(readRecord(name), moreSeconds)
    const firing = (time: number, alerts: readonly string[], but: readonly string[] = []) => ({
      expr: firingBut(but),
      eval_time: `${time}s`,
      exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
    })
    const promql_expr_test = [firing(faultTime, []), firing(endTime, [...fires].sort(), also)]
    return { name, interval: INTERVAL, input_series, promql_expr_test }
  })
  const folder = temporaryFolder(t)
  const file = join(folder, 'recorded.yml')
  const ruleFile = join(folder, 'rules.yml')
  writeFileSync(ruleFile, withClock(readFileSync(RULES, 'utf8')))
  writeFileSync(
    file,
    stringify({ rule_files: [ruleFile], evaluation_interval: INTERVAL, tests }, { aliasDuplicateObjects: false }),
  )
  t.equal(await promtool('test', 'rules', file), '')
})
