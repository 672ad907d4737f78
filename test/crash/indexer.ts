// A process that indexes a chain and kills itself when it reaches a named point for the n-th time.
// Arguments: a JSON object (`ChildOptions`). Reports every commit to its parent.
import pg from 'pg'
import { indexChain } from '../../indexer/run.ts'
import { ShipSource } from '../../indexer/source/ship/source.ts'
import { CHAIN_ID } from '../simulation/node.ts'
import { AMM, SPOT } from '../simulation/stand-ins.ts'
import { STATEMENTS } from './points.ts'

export interface ChildOptions {
  databaseUrl: string
  shipUrl: string
  chain: string
  startBlock: number
  /** Default: the simulated node's. */
  chainId?: string
  /** Absent: runs until it is stopped. */
  kill?: { point: string; ordinal: number }
}

/** Messages from child to parent. */
export type ChildMessage = { opened: true } | { committed: string } | { failed: string; code: string }

const options: ChildOptions = JSON.parse(process.argv[2]!)
let left = options.kill?.ordinal ?? 0

function pass(point: string): boolean {
  return options.kill?.point === point && --left === 0
}

/** Sends the query that contains the statement, and dies before an answer can arrive. */
function dieInside(statement: string): void {
  type Query = (this: pg.Client, ...args: unknown[]) => unknown
  const query = pg.Client.prototype.query as unknown as Query
  const dying: Query = function (...args) {
    const [config] = args as [string | { text?: string } | undefined]
    const text = typeof config === 'string' ? config : (config?.text ?? '')
    const sent = query.apply(this, args)
    const isIt = text.includes(statement)
    if (isIt && pass(options.kill!.point)) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1)
    return sent
  }
  pg.Client.prototype.query = dying as never
}

const inside = STATEMENTS[options.kill?.point as keyof typeof STATEMENTS]
if (inside) dieInside(inside)

const tell = (message: ChildMessage) => process.send!(message)
const stop = new AbortController()
process.on('disconnect', () => process.exit(1))
process.on('message', () => stop.abort())

try {
  await indexChain({
    chain: options.chain,
    databaseUrl: options.databaseUrl,
    source: new ShipSource({ urls: [options.shipUrl], chain: options.chain, backoffMs: [5, 50] }),
    accounts: { amm: AMM, spot: SPOT, bridge: 'bridge.svc', hop: 'hop.svc' },
    systemAccount: 'eosio',
    tokenContracts: '*',
    chainId: options.chainId ?? CHAIN_ID,
    startBlock: options.startBlock,
    finality: { bridge: 'bridge.svc' },
    signal: stop.signal,
    onPoint: (point) => {
      if (pass(point)) process.kill(process.pid, 'SIGKILL')
    },
    events: {
      opened: () => tell({ opened: true }),
      committed: (last) => tell({ committed: last.id }),
      forked() {},
      decoded() {},
      retrying: (error) => tell({ failed: error.message, code: error.code }),
    },
  })
} catch (error) {
  tell({ failed: (error as Error).message, code: (error as { code?: string }).code ?? 'NONE' })
  process.exitCode = 1
}
process.disconnect?.()
