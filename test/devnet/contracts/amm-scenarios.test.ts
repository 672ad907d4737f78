// Replays recorded scenarios of the real contract and compares each step: traces, rows, errors and the whole state.
import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { replayScenario } from './scenario.ts'

const folder = new URL('../../fixtures/amm/', import.meta.url)

for (const file of readdirSync(folder).filter((name) => name.startsWith('amm-scenarios'))) {
  t.test(`${file}: every step equals the contract's`, async (t) => {
    const scenario = JSON.parse(gunzipSync(readFileSync(new URL(file, folder))).toString())
    const { steps, differences } = replayScenario(scenario)
    t.equal(steps, scenario.steps.length)
    t.same(differences.slice(0, 5), [])
  })
}
