// A backfill worker as a process of its own, so that a test can kill it. Arguments: database, state history, chain API,
// chain, milliseconds to wait at each block. Prints `started` and `finished` with the range's first block.
import { setTimeout as delay } from 'node:timers/promises'
import { NodeApi } from '../../../indexer/bootstrap/node-api.ts'
import { runWorker } from '../../../indexer/jobs/worker.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import type { BlockSource } from '../../../indexer/source/source.ts'
import { accounts, chainId } from '../bootstrap/random-exchange.ts'

const [databaseUrl = '', ship = '', http = '', chain = '', pause = '0'] = process.argv.slice(2)
const inner = new ShipSource({ urls: [ship], chain, chainId })
const source: BlockSource = {
  name: 'slow',
  async *blocks(start, signal) {
    for await (const block of inner.blocks(start, signal)) {
      if (pause !== '0') await delay(Number(pause))
      yield block
    }
  },
  // Overwrites what is returned: the worker must keep nothing of it.
  release(block) {
    if (block.kind !== 'packed') return
    block.traces.fill(0xa5)
    block.deltas?.fill(0xa5)
  },
}
const api = new NodeApi({ url: http })
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
const say = (text: string) => process.stdout.write(`${text}\n`)
await runWorker({
  chain,
  databaseUrl,
  source,
  accounts,
  systemAccount: 'eosio',
  tokenContracts: ['eosio.token', 'usdt.tok'],
  presentAbi: (account) => api.rawAbi(account),
  signal: stop.signal,
  pollMs: 100,
  maintenanceSeconds: 1,
  events: {
    started: ({ firstBlock }) => say(`started ${firstBlock}`),
    finished: ({ firstBlock }) => say(`finished ${firstBlock}`),
    failed: ({ firstBlock }, error) => say(`failed ${firstBlock} ${error.code} ${error.message}`),
  },
})
