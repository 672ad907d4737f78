// Time from a burn until its withdrawal can be proved. Blocks, each with a certificate, are made, sent over state
// history, indexed, and proved from SQL as they come.

import pg from 'pg'
import { itemAt } from '../../core/required.ts'
import { startShip } from '../../devnet/ship/server.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import { indexChain } from '../../indexer/run.ts'
import { ShipSource } from '../../indexer/source/ship/source.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { type Proof, proveWithdrawal } from '../../proofs/prove.ts'
import { LEDGER, Telos } from '../../test/proofs/telos.ts'
import { benchDatabase } from '../support/database.ts'

const CHAIN = 'telos'
const FINALIZERS = 21
const ADDRESS = `0x${'c1'.repeat(20)}`
const BLOCK_MS = 500
const CONTRACTS = { releaseTo: ADDRESS, vault: ADDRESS, lightClient: ADDRESS, roots: [], generation: 1, newest: 1 }

/** Prints blocks and times. @param burns  number of withdrawals, one at a time */
export async function benchDelay(burns: number): Promise<void> {
  const telos = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }], FINALIZERS)
  const { chain } = telos
  const ship = await startShip(chain)
  const database = await benchDatabase('headwater_bench_delay')
  const reader = new pg.Client({ connectionString: database.url })
  const stop = new AbortController()
  let indexed = 0
  const indexing = indexChain({
    ...{ chain: CHAIN, databaseUrl: database.url, source: new ShipSource({ urls: [ship.url], chain: CHAIN }) },
    ...{ accounts: { bridge: 'bridge.svc', wrap: 'wrap.svc' }, systemAccount: 'eosio', tokenContracts: '*' },
    ...{ chainId: chain.chainId, startBlock: chain.firstBlock, finality: { bridge: 'bridge.svc' } },
    signal: stop.signal,
    events: {
      ...{ opened() {}, decoded() {}, forked() {} },
      committed: (last) => {
        indexed = last.num
      },
      retrying(error) {
        throw error
      },
    },
  })
  try {
    await reader.connect()
    const verify = certificateVerifier()
    const prove = (id: bigint): Promise<Proof | null> =>
      proveWithdrawal({ source: new SqlSource(reader, CHAIN), verify, ledger: LEDGER }, id, CONTRACTS)
    const blocks: number[] = []
    const times: number[] = []
    for (let i = 0; i < burns; i++) {
      const id = telos.withdraw('USDC', 1n, 1, ADDRESS)
      const burnedIn = chain.head.num
      for (;;) {
        const made = performance.now()
        while (indexed < chain.head.num) await new Promise((resolve) => setTimeout(resolve, 1))
        const proof = await prove(id)
        if (proof) {
          blocks.push(chain.head.num - burnedIn)
          times.push(performance.now() - made)
          break
        }
        await new Promise((resolve) => setTimeout(resolve, BLOCK_MS))
        telos.idle(1)
      }
      telos.idle(1)
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => itemAt(times, Math.floor((times.length - 1) * share)).toFixed(0)
    console.log(`proof of a burn on a chain with a certificate of ${FINALIZERS} finalizers in each block:`)
    console.log(`  ${Math.max(...blocks)} blocks after the burn at most, ${Math.min(...blocks)} at least, of ${burns}`)
    console.log(`  from the block that allows it to the proof, its certificate signed, sent, indexed and checked:`)
    console.log(`  p50 ${at(0.5)} ms, worst ${at(1)} ms`)
  } finally {
    stop.abort()
    await indexing
    await reader.end()
    await ship.stop()
    await database.close()
  }
}
