// Rows of burns are readable soon after their block was read: a batch holds one second of work, and rows do not wait
// for the verification of certificates. Counts blocks on a simulated clock.
import t from 'tap'
import { BLOCK_EXTENSION, readSignedBlock } from '../../core/antelope/block.ts'
import { indexChain } from '../../indexer/run.ts'
import type { BlockSource, PackedBlock } from '../../indexer/source/source.ts'
import { Telos } from '../proofs/telos.ts'
import { testDatabase } from '../support/database.ts'

const BLOCKS = 70
const FINALIZERS = 3
const ADDRESS = `0x${'c1'.repeat(20)}`
/** Simulated work per block, ms. */
const BLOCK_MS = 40
/** Number of blocks in a second of work, including the one that ends the second. */
const BATCH = 1000 / BLOCK_MS + 1

/** A chain whose blocks, except the first ones, contain a burn and a certificate. */
function burningBlocks(): PackedBlock[] {
  const telos = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }], FINALIZERS)
  for (let i = 0; i < BLOCKS; i++) telos.withdraw('USDC', 1n, 1, ADDRESS)
  const { chain } = telos
  const blocks: PackedBlock[] = []
  for (let num = chain.firstBlock; num <= chain.head.num; num++) {
    const { prevId, ...stored } = chain.block(num)!
    blocks.push({ kind: 'packed', ...stored, prevId: prevId ?? '0'.repeat(64), head: chain.head, lib: chain.lib })
  }
  return blocks
}

/** The block with one changed bit in its certificate's aggregate signature, which no digest covers. */
function withFalseCertificate(source: PackedBlock): PackedBlock {
  const certificate = readSignedBlock(source.block).extensions.find(
    ({ id }) => id === BLOCK_EXTENSION.quorumCertificate,
  )
  if (!certificate) return source
  const block = Buffer.from(source.block)
  block[block.indexOf(certificate.data) + certificate.data.length - 20]! ^= 1
  return { ...source, block }
}

t.test('no row waits for a certificate, or for more than two seconds of other blocks', async (t) => {
  const { url, pool } = await testDatabase(t)
  const blocks = burningBlocks()
  // The first certificates must be verified, because they confirm the policy.
  const CONFIRMED = 10
  const altered = blocks.map((block, i) => (i < CONFIRMED ? block : withFalseCertificate(block)))
  t.ok(altered.filter((block, i) => block !== blocks[i]).length > BLOCKS - CONFIRMED, 'the certificates are false')

  let clock = 1_000_000
  t.intercept(performance, 'now', { value: () => clock })
  let committed = blocks[0]!.num - 1
  let greatestLag = 0
  const sizes: number[] = []
  const seen: Promise<unknown>[] = []
  const source: BlockSource = {
    name: 'burning',
    async *blocks() {
      for (const block of altered) {
        clock += BLOCK_MS
        greatestLag = Math.max(greatestLag, block.num - committed)
        yield block
      }
    },
  }
  await indexChain({
    ...{ chain: 'telos', databaseUrl: url, source, systemAccount: 'eosio', tokenContracts: '*', chainId: null },
    accounts: { bridge: 'bridge.svc', wrap: 'wrap.svc' },
    startBlock: blocks[0]!.num,
    finality: { bridge: 'bridge.svc', onUnfollowed: (block, reason) => t.fail(`${block}: ${reason}`) },
    signal: new AbortController().signal,
    events: {
      ...{ opened() {}, decoded() {}, forked() {} },
      retrying(error) {
        throw error
      },
      committed({ num }, count) {
        committed = num
        sizes.push(count)
        const readable = pool.query('select max(block_num)::int4 as num from ledger.bridge_logs')
        seen.push(readable.then(({ rows }) => t.ok(rows[0].num >= num, `the burn of block ${num} is readable`)))
      },
    },
  })
  await Promise.all(seen)
  t.equal(committed, blocks.at(-1)!.num)
  t.ok(Math.max(...sizes) <= BATCH, `a commit holds at most ${BATCH} blocks: ${sizes}`)
  // One batch is filled while the previous one is written.
  t.ok(greatestLag <= 2 * BATCH, `a block is committed before ${2 * BATCH} more are read: ${greatestLag}`)
  const { rows } = await pool.query(
    `select count(*) filter (where verified)::int4 as verified, count(*) filter (where not verified) > $1 as others
     from ledger.certificates`,
    [BLOCKS - CONFIRMED],
  )
  t.same(rows, [{ verified: 1, others: true }], 'only the certificate that confirms the policy was verified')
})
