// A sender of EVM transactions with a key of its own, and a node that a test moves.
import type pg from 'pg'
import type { Test } from 'tap'
import { loadConfig } from '../../config/load.ts'
import { BridgeApi } from '../../relay/bridge-api.ts'
import { Tokens } from '../../relay/choice/tokens.ts'
import { type Context, Limits } from '../../relay/context.ts'
import type { CallGuard } from '../../relay/evm/allowed.ts'
import { EvmChain } from '../../relay/evm/chain.ts'
import { EvmKey, type EvmSigner } from '../../relay/evm/key.ts'
import type { EvmOrder } from '../../relay/evm/order.ts'
import { EvmSender } from '../../relay/evm/sender.ts'
import { SILENT } from '../../relay/log.ts'
import { RelayMetrics } from '../../relay/metrics.ts'
import { Journal } from '../../relay/state/journal.ts'
import { startFakeEvmNode } from './evm-node.ts'
import { keyFile } from './key-file.ts'

const { signal } = new AbortController()
let keys = 0

/** A sender with a key and a node of its own. @param database  of `testDatabase` */
export async function senderScene(
  t: Test,
  { url: databaseUrl, pool }: { url: string; pool: pg.Pool },
  relay: Partial<Context['config']> = {},
  signer?: EvmSigner['sign'],
  guard: CallGuard = async () => {},
) {
  const node = await startFakeEvmNode(t)
  const key = EvmKey.read(keyFile(t, `${++keys}`.padStart(64, '0')))
  const journal = await Journal.open(databaseUrl, [key.address])
  t.teardown(() => journal.close())
  const limited: string[] = []
  const { config } = loadConfig({ env: {}, program: { chains: ['telos', 'mainnet'] } })
  const context: Context = {
    config: { ...config.relay, gasUsdDay: 1e6, ...relay },
    journal,
    api: new BridgeApi('http://127.0.0.1:9/v1', signal),
    log: {
      ...SILENT,
      warn: (_, fields) => void (fields && 'limit' in fields && limited.push(String(fields.limit))),
    },
    metrics: new RelayMetrics(),
    limits: new Limits(),
    prices: () =>
      new Map([
        ['ETH', 2500],
        ['BNB', 2500],
      ]),
    tokens: () => new Tokens([]),
  }
  const chain = new EvmChain({ name: 'mainnet', chainId: 1, urls: [node.url], timeoutMs: 5000 }, signal)
  const sender = new EvmSender(context, chain, signer ? { address: key.address, sign: signer } : key, guard)
  const send = async (leg: string, more: Partial<EvmOrder> = {}) => {
    const call = { to: `0x${'77'.repeat(20)}`, data: '0x01020304' }
    const refusal = (await journal.refusals([leg])).of(leg, 'release')
    const order: EvmOrder = {
      leg,
      action: 'release',
      step: 'light',
      ...call,
      feeUsd: 5,
      valueUsd: 10,
      budgetUsd: null,
      ...{ later: { handoffs: 0, gas: 0n }, shares: [] },
      refusal,
    }
    return sender.send({ ...order, ...more }, await chain.head())
  }
  const settle = async () => sender.settle(await chain.head())
  const age = (seconds: number) =>
    pool.query(
      `update relay.intents set sent_at = sent_at - $2 * interval '1 second',
      created_at = created_at - $2 * interval '1 second' where signer = $1`,
      [key.address, seconds],
    )
  const states = async () => {
    const text = `select nonce::int4, action, state, max_fee::float8 / 1e9 as gwei from relay.intents where signer = $1 order by id`
    return (await pool.query(text, [key.address])).rows
  }
  return { node, send, settle, age, states, limited, sender, journal, context, key, chain }
}
