// The exchange on its chains as one world: what leaves one chain arrives on another once it is irreversible there.
// The ledger is on telos; wax and an EVM chain are its ends. A chain that is left out takes no part.

import { BugError } from '../../core/errors.ts'
import type { Chain } from '../chain/chain.ts'
import { ETHEREUM_DOMAIN, partyText, WAX_DOMAIN } from '../contracts/bridge/domains.ts'
import { buildExchange } from '../contracts/exchange.ts'
import { telosProfile, waxProfile } from '../contracts/profile.ts'
import type { NetworkName } from '../networks.ts'
import { Random } from '../random.ts'
import type { Player, Scenario, World, WorldSetting } from '../scenario.ts'
import { EvmSide } from './evm-side.ts'
import { ExchangePlayer } from './exchange-player.ts'
import { Pace } from './pace.ts'
import { TelosSide } from './telos-side.ts'
import { type Burn, watchTelos } from './telos-watcher.ts'
import { WaxSide } from './wax-side.ts'
import { WaxWatcher } from './wax-watcher.ts'

const SECOND = 1000

const profiles = { wax: waxProfile, telos: telosProfile } as const

/** Seconds that the relayer takes after something has become irreversible, from and to. */
const CREDIT_SECONDS = [35, 60] as const
const PAY_SECONDS = [70, 110] as const
const SETTLE_SECONDS = [20, 60] as const

export class ExchangeWorld implements World {
  /** Null without a ledger. */
  readonly bystander: EvmSide | null
  private readonly seed: string
  private readonly pace: Pace
  private wax: { side: WaxSide; watcher: WaxWatcher } | null = null
  private telos: TelosSide | null = null

  constructor(setting: WorldSetting) {
    this.seed = String(setting.seed)
    this.pace = new Pace(setting)
    this.bystander = setting.chains.includes('telos') ? new EvmSide(this.seed, this.pace, () => this.ledger()) : null
  }

  scenario(name: NetworkName): Scenario {
    const exchange = buildExchange(profiles[name])
    const play = (chain: Chain) => {
      const player = new ExchangePlayer(chain, exchange, `${name}/${this.seed}`, this.pace)
      return name === 'wax' ? this.joinWax(chain, player) : this.joinTelos(chain, player)
    }
    return { contracts: exchange.contracts, play }
  }

  private ledger(): TelosSide {
    if (!this.telos) throw new BugError('DEVNET_LEDGER', 'the chain of the ledger has not begun')
    return this.telos
  }

  private joinWax(chain: Chain, player: ExchangePlayer): Player {
    const side = new WaxSide(player.agenda, this.pace)
    const domain = WAX_DOMAIN
    const watcher = new WaxWatcher(chain, {
      deposited: (log, evidence, now) => {
        const { nonce } = log
        const at = now + this.delay(`credit d:${domain}:${nonce}`, CREDIT_SECONDS)
        this.telos?.creditFromWax({ domain, nonce }, evidence, at)
      },
      paid: (log, evidence, now) => {
        this.telos?.settlePaid(log, evidence, now + this.delay(`settle w:${log.id}`, SETTLE_SECONDS))
      },
    })
    this.wax = { side, watcher }
    player.read(side)
    return player
  }

  private joinTelos(chain: Chain, player: ExchangePlayer): Player {
    this.telos = new TelosSide(player.agenda, this.pace)
    watchTelos(chain, (burn, now) => this.burned(burn, now))
    player.read(this.telos)
    return player
  }

  private burned(burn: Burn, now: number): void {
    if (burn.domain === ETHEREUM_DOMAIN) this.bystander?.burned(burn, now)
    else this.burnedForWax(burn, now)
  }

  private burnedForWax({ id, domain, token, recipient, quantity, ...burn }: Burn, now: number): void {
    const deadline = Number(burn.deadline) * SECOND
    this.ledger().expire(id, deadline, this.wax?.watcher ?? null)
    const payment = {
      id,
      token_contract: partyText(domain, token),
      recipient: partyText(domain, recipient),
      quantity,
      deadline,
    }
    this.wax?.side.pay(payment, now + this.delay(`pay w:${id}`, PAY_SECONDS))
  }

  /** Milliseconds, the same for the same key. */
  private delay(key: string, [from, to]: readonly [number, number]): number {
    return Math.round((from + (to - from) * new Random(`${this.seed}/relayer/${key}`).next()) * SECOND)
  }
}
