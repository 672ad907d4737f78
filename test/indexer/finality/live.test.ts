// A Savanna chain is indexed live through forks, weak and missing certificates and changes of policy, by an indexer
// that is killed repeatedly. The database proves every withdrawal of the final chain, with the same proofs as a store
// in memory.
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { RetryableError } from '../../../core/errors.ts'
import type { PendingSince } from '../../../core/finality/track.ts'
import { toHex } from '../../../core/hex.ts'
import { startShip } from '../../../devnet/ship/server.ts'
import { SqlSource } from '../../../finality-store/proof-source.ts'
import { indexChain } from '../../../indexer/run.ts'
import { ShipSource } from '../../../indexer/source/ship/source.ts'
import { COMMIT_POINTS } from '../../../indexer/store/writer.ts'
import { Child } from '../../crash/child.ts'
import { testDatabase } from '../../support/database.ts'
import { Random, seedFromEnvironment } from '../../support/random.ts'
import { until } from '../../support/until.ts'
import { prove, RandomLedger } from './random-ledger.ts'

const CHAIN = 'telos'
const STEPS = process.env.HEADWATER_TEST_LONG === undefined ? 150 : 3000
t.setTimeout(1_800_000)

const described = ({ policy, digest, blockNum, start }: PendingSince) => {
  const finalizers = policy.finalizers.map(({ publicKey }) => toHex(publicKey))
  return { ...policy, finalizers, digest: toHex(digest), blockNum, start }
}

async function open(t: Test) {
  const seed = seedFromEnvironment()
  const random = new Random(seed)
  const { url, pool } = await testDatabase(t, { chains: ['telos'] })
  const ledger = new RandomLedger(random)
  const ship = await startShip(ledger.telos.chain)
  t.teardown(() => ship.stop())
  t.comment(`HEADWATER_SEED=${seed}`)
  return { random, url, pool, ledger, shipUrl: ship.url }
}

async function isIndexed(pool: Pool, { head }: RandomLedger): Promise<boolean> {
  const { rows } = await pool.query('select block_id as id from meta.position where chain = $1', [CHAIN])
  return rows[0]?.id === head
}

/** Ends the chain with a last withdrawal under a new, final policy. */
function settle({ telos }: RandomLedger): void {
  telos.produce({ finalizers: [0, 1, 2, 3] })
  telos.idle(1)
  telos.withdraw('USDC', 5n, 1, '0x00000000000000000000000000000000000000c2')
  telos.idle(5)
}

/**
 * All withdrawals of the chain are proved from the database as from memory, hard and light.
 *
 * @returns the number of proofs
 */
async function checkProofs(t: Test, pool: Pool, ledger: RandomLedger): Promise<number> {
  const ids = ledger.follow()
  const { store } = ledger.telos
  const roots: { root: string; lastBlock: number }[] = []
  for (const id of ids) {
    const proof = await prove(new SqlSource(pool, CHAIN), id)
    t.same(proof, await prove(store, id), `withdrawal ${id} is proved hard`)
    const { finalityMroot, qcClaimBlockNum } = proof!.proof.hard.submitRoot.finality
    roots.push({ root: finalityMroot.slice(2), lastBlock: qcClaimBlockNum })
  }
  for (const id of ids) {
    const light = await prove(new SqlSource(pool, CHAIN), id, { roots: [roots.at(-1)!] })
    t.equal(light?.proof.track, 'light', `withdrawal ${id} is proved light by the newest root`)
  }
  const policies = (await new SqlSource(pool, CHAIN).policies()).map(described)
  t.same(policies, (await store.policies()).map(described))
  const { rows } = await pool.query(
    `select (select count(*)::int4 from ledger.finality) = (select max(block_num) - min(block_num) + 1 from ledger.blocks) as all`,
  )
  t.same(rows, [{ all: true }], 'every block is followed')
  const checked = await pool.query<{ verified: number; others: number; policies: number }>(
    `select count(*) filter (where verified)::int4 as verified, count(*) filter (where not verified)::int4 as others,
       (select count(*)::int4 from ledger.finalizer_policies) as policies from ledger.certificates`,
  )
  const [{ verified, others, policies: known }] = checked.rows as [(typeof checked.rows)[0]]
  t.ok(verified <= known && others > 0, 'no row waits for a certificate that confirms no policy')
  return ids.length
}

t.test('after a failure at any step of a commit, indexing continues at its position', async (t) => {
  const { random, url, pool, ledger, shipUrl } = await open(t)
  const { chain } = ledger.telos
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  let strikes = 0
  let calls = 0
  const indexing = indexChain({
    chain: CHAIN,
    databaseUrl: url,
    source: new ShipSource({ urls: [shipUrl], chain: CHAIN, backoffMs: [5, 50] }),
    accounts: { bridge: 'bridge.svc', wrap: 'wrap.svc' },
    systemAccount: 'eosio',
    tokenContracts: '*',
    chainId: chain.chainId,
    startBlock: chain.firstBlock,
    finality: { bridge: 'bridge.svc', onUnfollowed: (block, reason) => t.fail(`${block}: ${reason}`) },
    signal: stop.signal,
    onPoint(point) {
      if (++calls % 47 !== 0) return
      strikes++
      throw new RetryableError('STRUCK', point)
    },
    events: {
      ...{ opened() {}, committed() {}, decoded() {}, forked() {} },
      retrying: ({ code, message }) => (code === 'STRUCK' ? undefined : t.comment(`${code}: ${message}`)),
    },
  })
  for (let i = 0; i < STEPS; i++) {
    ledger.step()
    await delay(random.integer(0, 8))
    if (i % 10 === 9) await until('it has caught up', () => isIndexed(pool, ledger))
  }
  settle(ledger)
  await Promise.race([until('the head is indexed', () => isIndexed(pool, ledger)), indexing])
  stop.abort()
  await indexing
  const proved = await checkProofs(t, pool, ledger)
  t.ok(proved > 15 && ledger.forks > 8 && ledger.deepest > 1, `${proved} proofs, ${ledger.forks} forks`)
  t.ok(strikes > 5, `${strikes} strikes`)
  const { rows } = await pool.query('select strong from ledger.certificates group by strong')
  t.equal(rows.length, 2, 'there are strong and weak certificates')
})

t.test('after a kill, another process continues', async (t) => {
  const { random, url, pool, ledger, shipUrl } = await open(t)
  const { chain } = ledger.telos
  const options = { databaseUrl: url, shipUrl, chain: CHAIN, startBlock: chain.firstBlock, chainId: chain.chainId }
  for (let i = 0; i < 2; i++) {
    const child = new Child({ ...options, kill: { point: random.pick(COMMIT_POINTS), ordinal: random.integer(3, 6) } })
    t.teardown(() => child.stop('SIGKILL'))
    await until('it is killed', async () => {
      if (child.isOpen) ledger.step()
      await delay(5)
      return child.ended !== undefined
    })
    t.equal(child.ended, 'SIGKILL')
    for (let j = 0; j < 10; j++) ledger.step()
  }
  settle(ledger)
  const last = new Child(options)
  t.teardown(() => last.stop('SIGKILL'))
  await until('the head is indexed', () => isIndexed(pool, ledger))
  await last.stop()
  t.same(last.codes, [])
  t.ok((await checkProofs(t, pool, ledger)) > 0)
})
