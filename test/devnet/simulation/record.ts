// A simulation that records every log of the bridge's contracts, block by block.
import type { Chain } from '../../../devnet/chain/chain.ts'
import { GATEWAYS } from '../../../devnet/contracts/exchange.ts'
import type { NetworkName } from '../../../devnet/networks.ts'
import type { OpenBlock, Simulation, SimulationSettings } from '../../../devnet/scenario.ts'
import { ExchangeSimulation, type SimulationParts } from '../../../devnet/simulation/exchange-simulation.ts'

const READ = new Set(['bridge.svc', 'hop.svc', 'wrap.svc', ...Object.values(GATEWAYS)])

// biome-ignore lint/suspicious/noExplicitAny: each log has other members
type Members = Record<string, any>

/** An action of the bridge's contracts, as executed by its own receiver. */
export interface Entry {
  chain: NetworkName
  block: number
  /** Unix milliseconds. */
  time: number
  /** Transaction id. */
  trx: string
  account: string
  name: string
  data: Members
}

export class RecordedSimulation implements Simulation {
  readonly externalEvents
  readonly partner
  readonly inner: ExchangeSimulation
  /** Entries by chain and block. A block after a fork replaces the entry of its number. */
  private readonly blocks = new Map<NetworkName, Map<number, Entry[]>>()
  /** Results of `entries` since the last block. */
  private readonly found = new Map<string, readonly Entry[]>()
  /** Times at which blocks became irreversible, Unix milliseconds. */
  private readonly final = new Map<NetworkName, Map<number, number>>()
  readonly refused: { chain: NetworkName; time: number; error: string; calls: string }[] = []
  accepted = 0

  constructor(setting: SimulationSettings, parts: SimulationParts = {}) {
    this.inner = new ExchangeSimulation(setting, parts)
    this.externalEvents = this.inner.externalEvents
    this.partner = this.inner.partner
  }

  scenario(name: NetworkName) {
    const { contracts, play } = this.inner.scenario(name)
    const blocks = new Map<number, Entry[]>()
    const final = new Map<number, number>()
    this.blocks.set(name, blocks)
    this.final.set(name, final)
    return {
      contracts,
      play: (chain: Chain) => {
        chain.onIrreversible((made) => {
          for (const { num } of made) final.set(num, chain.headTime)
        })
        const player = play(chain)
        return {
          fill: (block: OpenBlock) => {
            for (let num = block.num; blocks.delete(num); num++);
            const entries: Entry[] = []
            blocks.set(block.num, entries)
            this.found.clear()
            player.fill({
              num: block.num,
              now: block.now,
              push: (calls) => {
                const result = block.push(calls)
                if (!result.ok) {
                  const names = calls.map((call) => `${call.account}::${call.name}`).join(' ')
                  this.refused.push({ chain: name, time: block.now, error: result.error, calls: names })
                  return result
                }
                this.accepted++
                for (const { receiver, action } of result.actions) {
                  const { account } = action
                  if (receiver !== account || !READ.has(account)) continue
                  const data = chain.state.abiOf(account).decodeAction(action.name, action.data)
                  const place = { chain: name, block: block.num, time: block.now, trx: result.id }
                  entries.push({ ...place, account, name: action.name, data })
                }
                return result
              },
            })
          },
          get due() {
            return player.due
          },
          get quiet() {
            return player.quiet
          },
          get waiting() {
            return player.waiting
          },
        }
      },
    }
  }

  /** Actions of a contract on a chain, oldest first. */
  entries(chain: NetworkName, account: string, name: string): readonly Entry[] {
    const key = `${chain} ${account} ${name}`
    let found = this.found.get(key)
    if (found === undefined) {
      const all = [...(this.blocks.get(chain)?.values() ?? [])].flat()
      found = all.filter((entry) => entry.account === account && entry.name === name)
      this.found.set(key, found)
    }
    return found
  }

  /** Time of the block that made a block irreversible, Unix milliseconds; infinity if it is reversible. */
  finalTime(chain: NetworkName, num: number): number {
    return this.final.get(chain)!.get(num) ?? Number.POSITIVE_INFINITY
  }
}
