// Simulates the exchange on its chains: a message from one chain arrives on another once its block is irreversible. The
// ledger is on telos; wax and an EVM chain are the endpoints. A chain may be left out, or run in another thread and be
// reached over a port.

import { BugError } from '../../core/errors.ts'
import type { Chain } from '../chain/chain.ts'
import { ETHEREUM_DOMAIN, partyText } from '../contracts/bridge/domains.ts'
import { edgeCases } from '../contracts/edge-cases.ts'
import { buildExchange } from '../contracts/exchange.ts'
import { telosProfile, waxProfile } from '../contracts/profile.ts'
import { NodeEvm } from '../evm/node-chain.ts'
import type { NetworkName } from '../networks.ts'
import { Random } from '../random.ts'
import type { Player, Scenario, Simulation, SimulationSettings } from '../scenario.ts'
import { actEdgeCases } from './edge-side.ts'
import { type EvmChain, SimulatedEvm } from './evm-chain.ts'
import { EvmSide } from './evm-side.ts'
import { ExchangePlayer } from './exchange-player.ts'
import { Link, type Port } from './link.ts'
import { CREDIT_LAG, PAY_LAG, SETTLE_LAG, type ToTelos, type ToWax } from './messages.ts'
import { Pace } from './pace.ts'
import { TelosSide } from './telos-side.ts'
import { type Burn, watchTelos } from './telos-watcher.ts'
import { WaxSide } from './wax-side.ts'
import { WaxWatcher } from './wax-watcher.ts'

const SECOND = 1000
/** Maximum random delay of the relayer, milliseconds. */
const MAX_RANDOM_LAG = 30 * SECOND
/** Delay of the simulated relayer while live relayers act too. Short, so that users do not wait for it. */
const LIVE_LAG = 3 * SECOND

const profiles = { wax: waxProfile, telos: telosProfile } as const

export interface SimulationParts {
  /** Port to the thread that simulates the other chain; this simulation then has only one chain. */
  port?: Port | null
  /** URL of a newly started EVM node; without one, the EVM side's events are simulated. */
  evmNode?: string | null
  /** Whether to include the rare cases of an exchange (contracts/edge-cases.ts). */
  edgeCases?: boolean
}

/** A part that exists only after the ledger's chain has started. */
function started<T>(part: T | null): T {
  if (part === null) throw new BugError('DEVNET_LEDGER', 'the ledger’s chain has not started')
  return part
}

export class ExchangeSimulation implements Simulation {
  /** Events on the EVM chain; null when this simulation has no ledger. */
  readonly externalEvents: EvmSide | null
  readonly partner: Link<ToTelos | ToWax, ToTelos | ToWax> | null
  private readonly seed: string
  private readonly pace: Pace
  private wax: { side: WaxSide; watcher: WaxWatcher } | null = null
  private telos: TelosSide | null = null
  private evm: EvmChain | null = null
  private readonly evmNode: string | null
  private readonly edgeCases: boolean

  constructor(setting: SimulationSettings, { port = null, evmNode = null, edgeCases = false }: SimulationParts = {}) {
    const ledger = setting.chains.includes('telos')
    this.seed = String(setting.seed)
    this.pace = new Pace(setting)
    this.evmNode = evmNode
    this.edgeCases = edgeCases
    this.externalEvents = ledger ? this.evmSide() : null
    const lags = ledger ? { lag: PAY_LAG, partnerLag: SETTLE_LAG } : { lag: SETTLE_LAG, partnerLag: PAY_LAG }
    this.partner = port && new Link(port, lags, (message) => this.receive(message))
  }

  scenario(name: NetworkName): Scenario {
    const profile = profiles[name]
    const edge = this.edgeCases ? edgeCases(profile) : undefined
    const exchange = buildExchange(profile, { extras: edge })
    const play = (chain: Chain) => {
      const player = new ExchangePlayer(chain, exchange, `${name}/${this.seed}`, this.pace)
      if (edge) actEdgeCases(player.agenda, this.pace, edge)
      return name === 'wax' ? this.joinWax(chain, player) : this.joinTelos(chain, player)
    }
    return { contracts: exchange.contracts, isAccount: exchange.isAccount, play }
  }

  private evmSide(): EvmSide {
    const { seed, pace, evmNode } = this
    const sides = { chain: () => started(this.evm), ledger: () => started(this.telos) }
    // With a node, live users and relayers use the node themselves.
    return new EvmSide({ seed, pace, ...sides, until: evmNode === null ? undefined : pace.end })
  }

  private joinWax(chain: Chain, player: ExchangePlayer): Player {
    const watcher = new WaxWatcher(chain, {
      began: (policy, now) => this.send({ kind: 'genesis', at: now + SETTLE_LAG, policy }),
      handedOver: (evidence, now) => this.send({ kind: 'policy', at: now + SETTLE_LAG, evidence }),
      deposited: (log, evidence, now) => {
        if (!this.isLivePhase(now))
          this.send({ kind: 'deposit', at: this.relayTime('credit', now, CREDIT_LAG), log, evidence })
      },
      paid: (log, evidence, now) => {
        this.send({ kind: 'payment', at: this.relayTime('settle', now, SETTLE_LAG), log, evidence })
      },
      unpaid: (id, now) => this.send({ kind: 'unpaid', at: this.relayTime('settle', now, SETTLE_LAG), id }),
    })
    const side = new WaxSide(player.agenda, this.pace)
    this.wax = { side, watcher }
    player.read(side)
    return player
  }

  private joinTelos(chain: Chain, player: ExchangePlayer): Player {
    this.telos = new TelosSide(player.agenda, this.pace, this.evmNode !== null)
    this.evm = this.evmNode === null ? new SimulatedEvm(this.seed, this.pace.start) : new NodeEvm(this.evmNode, chain)
    watchTelos(chain, (burn, now) => this.burned(burn, now))
    player.read(this.telos)
    return player
  }

  private burned(burn: Burn, now: number): void {
    if (burn.domain === ETHEREUM_DOMAIN) return void this.externalEvents?.burned(burn, now)
    const { id, domain, token, recipient, quantity } = burn
    const payment = {
      id,
      token_contract: partyText(domain, token),
      recipient: partyText(domain, recipient),
      quantity,
      deadline: Number(burn.deadline) * SECOND,
    }
    this.send({ kind: 'burn', at: this.relayTime('pay', now, PAY_LAG), payment })
  }

  /** Sends to the side of the other chain, in this or another thread. Dropped when that chain is left out. */
  private send(message: ToTelos | ToWax): void {
    if (this.partner) this.partner.send(message)
    else this.receive(message)
  }

  private receive(message: ToTelos | ToWax): void {
    if (message.kind !== 'burn') this.telos?.receive(message)
    else if (this.wax) {
      const { payment, at } = message
      this.wax.watcher.expect(payment.id, payment.deadline)
      if (!this.isLivePhase(at)) this.wax.side.pay(payment, at)
    }
  }

  /** Whether live relayers credit, pay and deliver at this time. @param time Unix milliseconds */
  private isLivePhase(time: number): boolean {
    return this.evmNode !== null && time > this.pace.end
  }

  /** Unix milliseconds of the relayer's reaction, the same for all events that became irreversible at `now`. */
  private relayTime(what: string, now: number, lag: number): number {
    if (this.isLivePhase(now)) return now + LIVE_LAG
    return now + lag + Math.floor(new Random(`${this.seed}/relayer/${what} at ${now}`).next() * MAX_RANDOM_LAG)
  }
}
