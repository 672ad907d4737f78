// Prometheus metrics of open transfers: their number by status, their age, the next deadline.
import { Gauge, Registry } from 'prom-client'
import type { Bridge } from './bridge.ts'
import { type BridgeContext, nowOf } from './bridge-context.ts'
import { depositValues } from './leg.ts'
import { depositStanding, type LegStatus, withdrawalStanding } from './leg-state.ts'
import { ENDED, type OpenFacts } from './open-legs.ts'
import { unixSeconds } from './parties.ts'

/** An open leg as the metrics see it. Times are Unix seconds. */
interface OpenLeg {
  kind: 'deposit' | 'withdrawal'
  domain: string
  status: LegStatus
  time: number
  /** Of a withdrawal that can be released; else null. */
  deadline: number | null
}

/** A registry whose gauges read the open transfers at each scrape. It fails when the database does not answer. */
export function bridgeMetrics(bridge: Bridge): Registry {
  const registry = new Registry()
  let reading: Promise<{ legs: OpenLeg[]; now: number }> | null = null
  // The gauges are collected concurrently and share one snapshot.
  const read = () => {
    reading ??= openLegs(bridge).finally(() => {
      reading = null
    })
    return reading
  }
  const labelNames = ['kind', 'domain', 'status']
  const registers = [registry]
  new Gauge({
    name: 'headwater_bridge_open_transfers',
    help: 'Transfers of the bridge without a final end, by direction, domain and status.',
    ...{ labelNames, registers },
    async collect() {
      this.reset()
      for (const { kind, domain, status } of (await read()).legs) this.inc({ kind, domain, status })
    },
  })
  new Gauge({
    name: 'headwater_bridge_oldest_seconds',
    help: 'Age of the oldest open transfer, by direction, domain and status.',
    ...{ labelNames, registers },
    async collect() {
      this.reset()
      const { legs, now } = await read()
      for (const [labels, time] of smallest(legs, ({ time }) => time)) this.set(labels, now - time)
    },
  })
  new Gauge({
    name: 'headwater_bridge_next_deadline_timestamp_seconds',
    help: 'Next deadline of a withdrawal that can be released, by domain, Unix seconds.',
    ...{ labelNames: ['domain'], registers },
    async collect() {
      this.reset()
      const { legs } = await read()
      for (const [{ domain }, deadline] of smallest(legs, ({ deadline }) => deadline)) this.set({ domain }, deadline)
    },
  })
  return registry
}

async function openLegs(bridge: Bridge): Promise<{ legs: OpenLeg[]; now: number }> {
  const found = await bridge.at(async (database, context) => {
    return { legs: legsOf(await bridge.open.read(database, context), context), now: unixSeconds(nowOf(context)) }
  })
  return found ?? { legs: [], now: 0 }
}

function legsOf({ deposits, withdrawals }: OpenFacts, context: BridgeContext): OpenLeg[] {
  const now = unixSeconds(nowOf(context))
  const legs: OpenLeg[] = []
  for (const facts of deposits.values()) {
    const { status } = depositStanding(facts)
    const time = unixSeconds(depositValues(facts).time)
    if (!ENDED.has(status)) legs.push({ kind: 'deposit', domain: String(facts.domain), status, time, deadline: null })
  }
  for (const facts of withdrawals.values()) {
    const { status } = withdrawalStanding(facts)
    if (ENDED.has(status)) continue
    // A missed deadline is not reported.
    const deadline = status === 'provable' && facts.deadline > now ? facts.deadline : null
    const time = unixSeconds(facts.burn.time)
    legs.push({ kind: 'withdrawal', domain: String(facts.domain), status, time, deadline })
  }
  return legs
}

type Labels = Pick<OpenLeg, 'kind' | 'domain' | 'status'>

/** The smallest value of each group of legs. A null value is left out. */
function smallest(legs: readonly OpenLeg[], read: (leg: OpenLeg) => number | null): [Labels, number][] {
  const groups = new Map<string, [Labels, number]>()
  for (const leg of legs) {
    const { kind, domain, status } = leg
    const value = read(leg)
    const group = `${kind} ${domain} ${status}`
    const known = groups.get(group)
    if (value !== null && (known === undefined || value < known[1]))
      groups.set(group, [{ kind, domain, status }, value])
  }
  return [...groups.values()]
}
