// Parts of the devnet's EVM side alone: finding the node's program, refused transactions, transactions over HTTP.
import t from 'tap'
import { referenceTo } from '../../../core/antelope/pack-transaction.ts'
import { beaconRoot } from '../../../core/evm/beacon/update.ts'
import type { JsonHeader } from '../../../core/evm/header.ts'
import { toHex } from '../../../core/hex.ts'
import { executionHeader } from '../../../devnet/beacon/json.ts'
import { SimulatedBeacon } from '../../../devnet/beacon/simulated-beacon.ts'
import { Chain } from '../../../devnet/chain/chain.ts'
import { Inbox } from '../../../devnet/chain/inbox.ts'
import { makeTransaction } from '../../../devnet/chain/transaction.ts'
import { findAnvil } from '../../../devnet/evm/program.ts'
import { startHttp } from '../../../devnet/http/server.ts'
import { AntelopeNode, NodeError } from '../../../devnet/relayer/antelope-node.ts'
import { add, counter } from '../counter.ts'

t.test('a platform without the program or its package gets an error that says so', async (t) => {
  t.match(findAnvil('aix', 'ppc64'), { path: null, missing: 'there is no anvil for aix on ppc64' })
  t.match(findAnvil('win32', 'arm64'), { path: null })
  const nowhere = () => {
    throw new Error('not found')
  }
  t.match(findAnvil('linux', 'x64', nowhere), { path: null, missing: /anvil-linux-amd64 is not installed: npm ci/ })
  t.match(
    findAnvil('linux', 'x64', () => '/nowhere/package.json'),
    { missing: /has no anvil/ },
  )
  t.match(findAnvil('linux', 'x64'), { path: /anvil-linux-amd64\/bin\/anvil$/, missing: null })
})

const NOW = Math.floor(Date.now() / 500) * 500
const chain = new Chain({ chainId: '00'.repeat(32), seed: 'inbox', startTime: NOW - 60_000, contracts: [counter] })
const inbox = new Inbox(chain)
const http = await startHttp(chain, { inbox })
t.teardown(() => http.stop())
const node = new AntelopeNode(http.url)

/** Waits for a transaction, then makes a block of it. */
async function block<T>(sent: Promise<T>): Promise<T> {
  sent.catch(() => {})
  let over = false
  void sent.then(
    () => (over = true),
    () => (over = true),
  )
  while (!over) {
    const next = chain.begin()
    inbox.fill(next)
    next.finish()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return sent
}

t.test('a transaction that is pushed is in the next block, with its id', async (t) => {
  const id = await block(node.push([add('alice', 2n), add('alice', 3n)]))
  t.match(id, /^[0-9a-f]{64}$/)
  t.same(await node.rows('counter.svc', 'alice', 'counters'), [{ owner: 'alice', count: 5 }])
})

t.test('a transaction that a contract refuses gets the contract’s error text and changes nothing', async (t) => {
  const sent = node.push([add('bob', 1n), add('bob', 1_000_000n)])
  await t.rejects(block(sent), { constructor: NodeError, message: /bob has too many/ })
  t.same(await node.rows('counter.svc', 'bob', 'counters'), [])
})

t.test('expired, duplicate and unreadable transactions are refused', async (t) => {
  const post = async (body: object) => {
    const response = await fetch(`${http.url}/v1/chain/push_transaction`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    return (await response.json()) as { error?: { what: string }; transaction_id?: string }
  }
  const packed = (seconds: number) => {
    const expiration = Math.floor(Date.now() / 1000) + seconds
    return toHex(makeTransaction({ expiration, ...referenceTo(chain.head.id) }, []).packedTrx)
  }
  t.match(await block(post({ packed_trx: packed(-5) })), { error: { what: /expired transaction/ } })
  t.match(await block(post({ packed_trx: packed(7200) })), { error: { what: /expires too late/ } })
  const once = packed(30)
  t.ok((await block(post({ packed_trx: once }))).transaction_id)
  t.match(await block(post({ packed_trx: once })), { error: { what: /duplicate transaction/ } })
  t.match(await block(post({ packed_trx: 'zz' })), { error: { what: /hexadecimal/ } })
  t.match(await block(post({ packed_trx: '00ff' })), { error: { what: /bytes wanted/ } })
  t.match(await block(post({ packed_trx: once, compression: 'zlib' })), { error: { what: /compressed/ } })
})

t.test('a beacon chain drops blocks that are no longer requested', async (t) => {
  const beacon = new SimulatedBeacon({ genesisTime: 0, slotsPerPeriod: 2100, committeeSize: 4 })
  const zeros = (length: number) => `0x${'00'.repeat(length)}`
  const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
  for (let n = 1; n <= 2500; n++)
    beacon.append(
      executionHeader({
        parentHash: word(n - 1),
        miner: zeros(20),
        stateRoot: zeros(32),
        receiptsRoot: zeros(32),
        logsBloom: zeros(256),
        mixHash: zeros(32),
        number: `0x${n.toString(16)}`,
        gasLimit: '0x0',
        gasUsed: '0x0',
        // Some nodes give two consecutive blocks the same second.
        timestamp: `0x${(n % 100 === 1 ? n - 1 : n).toString(16)}`,
        extraData: '0x',
        transactionsRoot: zeros(32),
        hash: word(n),
      } as JsonHeader),
    )
  t.equal(beacon.finality()?.finalized_header.execution.block_number, 2498n)
  const updates = beacon.updates(0, 10)
  t.same(
    updates.map(({ finalized_header }) => finalized_header.execution.block_number),
    [2096n, 2498n],
    'the last of each period',
  )
  for (const { finalized_header } of updates) t.ok(beacon.bootstrap(toHex(beaconRoot(finalized_header.beacon))))
})
