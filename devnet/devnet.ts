// Starts a development network: chains with weeks of history and then live blocks, each served like a node's.

import { Chain } from './chain/chain.ts'
import { Inbox } from './chain/inbox.ts'
import { type ForkOptions, ForkPlan } from './fork-plan.ts'
import { type Line, makeHistory } from './history.ts'
import { type HttpServer, startHttp } from './http/server.ts'
import { goLive } from './live.ts'
import { type NetworkName, networks } from './networks.ts'
import type { Scenario, Simulation, SimulationSettings } from './scenario.ts'
import { type ShipServer, startShip } from './ship/server.ts'

export interface DevnetOptions {
  /** Blocks of the same time are made in this order. A simulation may have more chains, in another thread. */
  chains: readonly NetworkName[]
  /** Creates the simulation: all activity on the chains. */
  simulation: (setting: SimulationSettings) => Simulation
  /** Full days (UTC) of history before the day of `end`. */
  days: number
  seed: number
  /** Unix milliseconds of the end of history; default: now. History is the same for the same seed and end. */
  end?: number
  /** Whether a block every half second follows history (default). */
  live?: boolean
  /** Milliseconds between blocks in history; default: two minutes. */
  interval?: number
  /** The same for the last hour; default: ten seconds. */
  lastHourInterval?: number
  /** Forks of the live chains; absent or null for none. */
  forks?: ForkOptions | null
}

interface DevnetChain {
  name: NetworkName
  /** State history: `ws://127.0.0.1:…` */
  ship: string
  /** Chain API: `http://127.0.0.1:…` */
  http: string
  chainId: string
  firstBlock: number
  chain: Chain
  shipServer: ShipServer
}

export interface Devnet {
  chains: DevnetChain[]
  /** Resolves when all history is made. Finished blocks are served earlier. */
  ready: Promise<void>
  /** Stops generation, connections and servers. */
  stop(): Promise<void>
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const CERTIFICATE_EVERY = 1500
const POLICY_EVERY = 5000

interface Running extends DevnetChain, Line {
  httpServer: HttpServer
  forks: ForkPlan | null
}

async function open(
  name: NetworkName,
  { contracts, isAccount, play }: Scenario,
  setting: SimulationSettings,
  forks: ForkOptions | null,
): Promise<Running> {
  const { chainId, firstBlock } = networks[name]
  const seed = `${name}/${setting.seed}`
  const startTime = setting.start
  const chain = new Chain({ chainId, firstBlock, seed, startTime, contracts, globalSequence: 10_000_000_000 })
  const player = play(chain)
  const shipServer = await startShip(chain)
  const inbox = new Inbox(chain)
  const httpServer = await startHttp(chain, { inbox, isAccount })
  const { url: ship } = shipServer
  const { url: http } = httpServer
  const plan = forks && new ForkPlan(seed, forks)
  return { name, ship, http, chainId, firstBlock, chain, player, inbox, shipServer, httpServer, forks: plan }
}

/** Time of the first blocks, Unix milliseconds. @param days  full days (UTC) of history before the day of `end` */
export function historyStart(end: number, days: number): number {
  return Math.floor(end / DAY_MS) * DAY_MS - days * DAY_MS
}

/** Serves immediately; `ready` resolves when history is complete. */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { chains, seed, interval = 2 * MINUTE_MS, lastHourInterval = 10_000, end = Date.now(), forks = null } = options
  const start = historyStart(end, options.days)
  const setting: SimulationSettings = { chains, seed, start, end, interval, lastHourInterval }
  const simulation = options.simulation(setting)
  const running = await Promise.all(chains.map((name) => open(name, simulation.scenario(name), setting, forks)))
  const abort = new AbortController()
  let stopLive = () => {}
  const make = async () => {
    const certificates = { certificateEvery: CERTIFICATE_EVERY, policyEvery: POLICY_EVERY }
    await makeHistory(running, simulation, { end, interval, lastHourInterval, ...certificates }, abort.signal)
    if (options.live !== false && !abort.signal.aborted) stopLive = goLive(running, simulation.externalEvents)
  }
  const ready = make()
  return {
    chains: running,
    ready,
    async stop() {
      abort.abort()
      await ready.catch(() => {})
      stopLive()
      await Promise.all(running.flatMap(({ shipServer, httpServer }) => [shipServer.stop(), httpServer.stop()]))
    },
  }
}
