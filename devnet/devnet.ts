// Starts a development network: chains with weeks of history that go on live, each served as a node would serve it.

import { Chain } from './chain/chain.ts'
import { makeHistory } from './history.ts'
import { type HttpServer, startHttp } from './http/server.ts'
import { goLive } from './live.ts'
import { type NetworkName, networks } from './networks.ts'
import type { Scenario } from './scenario.ts'
import { type ShipServer, startShip } from './ship/server.ts'

export interface DevnetOptions {
  chains: readonly NetworkName[]
  /** What happens on a chain. */
  scenario: (chain: NetworkName, seed: number) => Scenario
  /** Full days (UTC) of history before the day of `end`. */
  days: number
  seed: number
  /** Unix milliseconds at which history ends; now when absent. History is the same for the same seed and end. */
  end?: number
  /** Goes on with a block every half second after history (default), or stops there. */
  live?: boolean
  /** Milliseconds from block to block in history; two minutes by default. */
  interval?: number
  /** The same for the last hour; five seconds by default. */
  lastHourInterval?: number
}

export interface DevnetChain {
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
  /** Resolves when all history is made; blocks are served while it is being made. */
  ready: Promise<void>
  /** Ends generation, connections and servers. */
  stop(): Promise<void>
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const CERTIFICATE_EVERY = 360
const POLICY_EVERY = 5000

interface Running extends DevnetChain {
  httpServer: HttpServer
  scenario: Scenario
}

async function open(name: NetworkName, options: DevnetOptions, startTime: number): Promise<Running> {
  const { chainId, firstBlock } = networks[name]
  const scenario = options.scenario(name, options.seed)
  const seed = `${name}/${options.seed}`
  const { contracts } = scenario
  const chain = new Chain({ chainId, firstBlock, seed, startTime, contracts, globalSequence: 10_000_000_000 })
  const shipServer = await startShip(chain)
  const httpServer = await startHttp(chain)
  return {
    name,
    ship: shipServer.url,
    http: httpServer.url,
    chainId,
    firstBlock,
    chain,
    shipServer,
    httpServer,
    scenario,
  }
}

/** Serves at once; history follows (`ready`). */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const end = options.end ?? Date.now()
  const startTime = Math.floor(end / DAY_MS) * DAY_MS - options.days * DAY_MS
  const running = await Promise.all(options.chains.map((name) => open(name, options, startTime)))
  const abort = new AbortController()
  const stopLive: (() => void)[] = []
  const make = async ({ chain, scenario }: Running) => {
    const interval = options.interval ?? 2 * MINUTE_MS
    const lastHourInterval = options.lastHourInterval ?? 5000
    const history = { interval, lastHourInterval, certificateEvery: CERTIFICATE_EVERY, policyEvery: POLICY_EVERY }
    await makeHistory(chain, scenario, { end, ...history }, abort.signal)
    if (options.live !== false && !abort.signal.aborted) stopLive.push(goLive(chain, scenario))
  }
  const ready = Promise.all(running.map(make)).then(() => {})
  return {
    chains: running,
    ready,
    async stop() {
      abort.abort()
      await ready.catch(() => {})
      for (const stop of stopLive) stop()
      await Promise.all(running.flatMap(({ shipServer, httpServer }) => [shipServer.stop(), httpServer.stop()]))
    },
  }
}
