// Plays one chain of the exchange: set-up in the first blocks, then tasks of its agenda, then traders.

import { Cell } from '../chain/cell.ts'
import type { Chain } from '../chain/chain.ts'
import type { ActionCall } from '../chain/contract.ts'
import type { ActionTrace } from '../chain/execute.ts'
import { BRIDGE, type Exchange, HOP } from '../contracts/exchange.ts'
import type { Tables } from '../contracts/trader/view.ts'
import { Trader, type TraderState } from '../contracts/trader.ts'
import { Random } from '../random.ts'
import type { OpenBlock, Player } from '../scenario.ts'
import type { Acting, LogReader } from './acting.ts'
import { Agenda, type Task } from './agenda.ts'
import type { Pace } from './pace.ts'

const SET_UP_PER_BLOCK = 4

export class ExchangePlayer implements Player {
  readonly agenda: Agenda
  private readonly chain: Chain
  private readonly exchange: Exchange
  private readonly seed: string
  private readonly pace: Pace
  private readonly trader: Trader
  private readonly traderState: Cell<TraderState>
  /** Number of the last block that is requested to become irreversible. */
  private readonly wanted: Cell<number>
  private readonly setUpEnd: number
  private readonly tables: Tables
  private reader: LogReader | null = null

  constructor(chain: Chain, exchange: Exchange, seed: string, pace: Pace) {
    this.chain = chain
    this.exchange = exchange
    this.seed = seed
    this.pace = pace
    this.agenda = new Agenda(chain.state)
    this.trader = new Trader(exchange.profile, new Random(seed))
    this.traderState = new Cell(chain.state, this.trader.state)
    this.wanted = new Cell(chain.state, 0)
    this.setUpEnd = chain.firstBlock + 1 + Math.ceil(exchange.genesis.length / SET_UP_PER_BLOCK)
    this.tables = (account) => chain.tables(account)
  }

  /** Sets the reader of the bridge's logs. */
  read(reader: LogReader): void {
    this.reader = reader
  }

  get due(): number {
    return this.chain.head.num + 1 < this.setUpEnd ? Number.POSITIVE_INFINITY : this.agenda.due
  }

  get quiet(): number {
    return this.chain.head.num + 1 < this.setUpEnd ? Number.NEGATIVE_INFINITY : this.agenda.quiet
  }

  get waiting(): boolean {
    return this.wanted.value > this.chain.lib.num
  }

  fill(block: OpenBlock): void {
    if (block.num < this.setUpEnd) this.setUp(block)
    else this.trade(block)
  }

  private trade(block: OpenBlock): void {
    this.trader.state = this.traderState.value
    for (let task = this.agenda.take(block.now); task; task = this.agenda.take(block.now)) this.act(block, task)
    for (const calls of this.trader.next(block.now, this.tables, this.pace.trading(block.now))) block.push(calls)
    this.traderState.value = this.trader.state
  }

  private setUp(block: OpenBlock): void {
    const { genesis, profile } = this.exchange
    const step = (block.num - this.chain.firstBlock - 1) * SET_UP_PER_BLOCK
    for (const calls of genesis.slice(step, step + SET_UP_PER_BLOCK)) {
      const result = block.push(calls)
      if (!result.ok) throw new Error(`${profile.name}: the exchange cannot be set up: ${result.error}`)
      this.readLogs(result.actions, this.acting(block, `set-up ${step}`))
    }
  }

  private act(block: OpenBlock, task: Task): void {
    const { tries = 0 } = task
    const again = task.run(this.acting(block, `${task.key}/${tries}`), task)
    if (again !== null) this.agenda.add({ ...task, at: Math.round(again), urgent: false, tries: tries + 1 })
  }

  private acting(block: OpenBlock, key: string): Acting {
    const acting: Acting = {
      now: block.now,
      view: this.trader.view(block.now, this.tables, new Random(`${this.seed}/${key}`)),
      push: (calls) => this.push(block, calls, acting),
      add: (task) => this.agenda.add(task),
      hurry: () => {
        this.wanted.value = block.num
      },
    }
    return acting
  }

  private push(block: OpenBlock, calls: readonly ActionCall[], acting: Acting): boolean {
    if (calls.length === 0) return false
    const result = block.push(calls)
    if (result.ok) this.readLogs(result.actions, acting)
    return result.ok
  }

  private readLogs(actions: readonly ActionTrace[], acting: Acting): void {
    for (const { receiver, action } of actions) {
      const { account, name, data } = action
      if (receiver !== account || (account !== BRIDGE && account !== HOP) || !name.endsWith('log')) continue
      this.reader?.logged(name, this.chain.state.abiOf(account).decodeAction(name, data), acting)
    }
  }
}
