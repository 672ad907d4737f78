// The CPU cosigner in production form: `headwater cosign` in its own process on one core, on a real PostgreSQL. This
// process sends HTTP requests, each with a different transaction, from many users and addresses. Afterwards signatures
// are verified with the key, and counters are compared with the signed transactions. Then the same with a node.
// Usage: node --import tsx bench/cosign.ts [signatures a second] [seconds]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Checksum256, PrivateKey, Serializer, Signature, Transaction } from '@wharfkit/antelope'
import pg from 'pg'
import { shipped } from '../test/cosign/service.ts'
import { by, call, noop, pack, transfer, transferData } from '../test/cosign/transactions.ts'
import { figures, Load } from './cosign/load.ts'
import { LIMIT, startCosigner } from './cosign/process.ts'
import { measureWithNode } from './cosign/with-node.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'

const [rate = 300, seconds = 20] = process.argv.slice(2).map(Number)
/** Concurrent requests when the maximum rate is measured. */
const AT_ONCE = 8
const WARM_UP = 2000
const REFUSALS = 1000
const USERS = 2000
const CHAIN_ID = shipped().chain.chainId as string
/** An address over its limit. */
const BUSY = '172.16.0.1'

const folder = mkdtempSync(join(tmpdir(), 'bench-cosign-'))
const database = await benchDatabase('headwater_bench_cosign')
const pool = new pg.Pool({ connectionString: database.url, max: 1 })
const key = PrivateKey.generate('K1')
const cosigner = await startCosigner(database.url, folder, key)
const load = new Load(cosigner.url)
let made = 0
try {
  console.log(hardware())
  await load.atOnce(transactions(WARM_UP), AT_ONCE)

  console.log('refusals, one after the other:')
  for (const [what, hex] of Object.entries(refusedOnes()))
    console.log(`  ${what}: ${await load.refused(hex, REFUSALS, cosigner.took)}`)
  console.log(`  over a limit: ${await overLimit()}`)

  console.log(`${AT_ONCE} requests at once:`)
  const many = transactions(rate * seconds)
  const before = cosigner.cpuSeconds()
  const began = performance.now()
  const closed = await load.atOnce(many, AT_ONCE)
  const took = (performance.now() - began) / 1000
  const used = cosigner.cpuSeconds() - before
  console.log(
    `  ${(many.length / took).toFixed(0)} signatures/s, ${((used / many.length) * 1e6).toFixed(0)} µs of the processor each; ${figures(closed)}`,
  )

  console.log(`${rate} requests a second, not waiting for answers:`)
  console.log(`  signatures: ${figures(await load.paced(transactions(rate * seconds), rate))}`)

  console.log(`refusals, 100 a second beside ${rate} signatures a second:`)
  const mixed = load.paced(transactions(rate * seconds), rate)
  const [one] = Object.values(refusedOnes()) as [string]
  const refused = await load.paced(Array(100 * seconds).fill(one), 100, 400)
  console.log(`  ${figures(refused)}; signatures: ${figures(await mixed)}`)
  await compare()
  await cosigner.stop()
  await measureWithNode(database.url, folder, key)
} finally {
  load.close()
  await cosigner.stop()
  await pool.end()
  await database.close()
  rmSync(folder, { recursive: true })
}

/** Transactions of users in turn, all different. */
function transactions(count: number): string[] {
  return Array.from({ length: count }, () => {
    const user = userOf(++made)
    const data = transferData('swap.svc', { from: user, memo: `swapexactin#0#${user}#0.000001 USDT@usdt.svc#0` })
    return pack([noop(), transfer('swap.svc', { authorization: [by(user)], data })], { ref_block_prefix: made })
  })
}

function userOf(n: number): string {
  const digits = (n % USERS).toString(5).padStart(6, '0')
  return `user.${digits.replaceAll(/\d/g, (digit) => String(Number(digit) + 1))}`
}

function refusedOnes(): Record<string, string> {
  const good = pack([noop(), transfer()])
  return {
    'another contract': pack([noop(), call('atomicassets', 'mint')]),
    'no transaction': `${good}00`,
    'another first action': pack([transfer()]),
    'the longest': pack([noop(), ...Array.from({ length: 11 }, () => transfer()), transfer('bob')]),
  }
}

/** A transaction from an address that has used up its hour. */
async function overLimit(): Promise<string> {
  const counter = `chain = 'wax' and scope = 'ip' and key = '${BUSY}'`
  await pool.query(
    `insert into cosign.counters select 'wax', 'ip', $1, 'hour', date_trunc('hour', now() + h * interval '1 hour', 'UTC'), $2 from generate_series(0, 1) h`,
    [BUSY, LIMIT],
  )
  const [hex] = transactions(1) as [string]
  const times = await load.refused(hex, REFUSALS, cosigner.took, BUSY)
  await pool.query(`delete from cosign.counters where ${counter}`)
  return times
}

/** Checks that all counters agree, and that every fiftieth signature is valid for its transaction. */
async function compare(): Promise<void> {
  const { rows } = await pool.query<{ scope: string; sum: string }>(
    `select scope, sum(used) from cosign.counters where period = 'hour' group by 1 order by 1`,
  )
  const { signed, samples } = load
  for (const { scope, sum } of rows) if (Number(sum) !== signed) throw new Error(`${scope}: ${sum}, signed ${signed}`)
  for (const { hex, signature } of samples) {
    const digest = Serializer.decode({ data: hex, type: Transaction }).signingDigest(Checksum256.from(CHAIN_ID))
    const by = String(Signature.from(signature).recoverDigest(digest))
    if (by !== String(key.toPublic())) throw new Error(`${signature} is of ${by}`)
  }
  console.log(`complete: ${signed} signed and counted, ${samples.length} signatures compared with the key`)
}
