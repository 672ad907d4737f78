// The CPU cosigner as it runs: `headwater cosign` in a process of its own on one core, on a real PostgreSQL, asked over HTTP
// by this process. Each transaction is another one, of many users at many addresses. Signatures are compared with the key
// afterwards, and the counters with what was signed.
// Usage: node --import tsx bench/cosign.ts [signatures a second] [seconds]
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Checksum256, PrivateKey, Serializer, Signature, Transaction } from '@wharfkit/antelope'
import pg from 'pg'
import { HttpClient } from '../test/cosign/http-client.ts'
import { shipped } from '../test/cosign/service.ts'
import { by, call, noop, pack, transfer, transferData } from '../test/cosign/transactions.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'

const [rate = 300, seconds = 20] = process.argv.slice(2).map(Number)
/** Requests that are under way at once when as many as possible are measured. */
const AT_ONCE = 8
const WARM_UP = 2000
const USERS = 2000
const ADDRESSES = 3000
const CHAIN_ID = shipped().chain.chainId as string
const LIMITS = ['IP_HOUR', 'IP_DAY', 'ACCOUNT_HOUR', 'ACCOUNT_DAY', 'ALL_HOUR', 'ALL_DAY']

const folder = mkdtempSync(join(tmpdir(), 'bench-cosign-'))
const database = await benchDatabase('headwater_bench_cosign')
const key = PrivateKey.generate('K1')
const cosigner = await startCosigner()
const client = new HttpClient(cosigner.url)
let made = 0
let signed = 0
/** Every fiftieth. */
const samples: { hex: string; signature: string }[] = []
try {
  console.log(hardware())
  const warming = transactions(WARM_UP)
  await atOnce(warming, AT_ONCE)

  console.log(`${AT_ONCE} requests at once:`)
  const many = transactions(rate * seconds)
  const before = cosigner.cpuSeconds()
  const began = performance.now()
  const closed = await atOnce(many, AT_ONCE)
  const took = (performance.now() - began) / 1000
  const used = cosigner.cpuSeconds() - before
  console.log(
    `  ${(many.length / took).toFixed(0)} signatures/s, ${((used / many.length) * 1e6).toFixed(0)} µs of the processor each; ${figures(closed)}`,
  )

  console.log(`${rate} requests a second, not waiting for answers:`)
  console.log(`  signatures: ${figures(await paced(transactions(rate * seconds), rate))}`)

  console.log('refusals, one after the other:')
  for (const [what, hex] of Object.entries(refusedOnes())) {
    const times: number[] = []
    for (let i = 0; i < 1000; i++) times.push(await ask(hex, 400))
    console.log(`  ${what}: ${figures(times)}`)
  }
  console.log(`refusals, 100 a second beside ${rate} signatures a second:`)
  const mixed = paced(transactions(rate * seconds), rate)
  const [one] = Object.values(refusedOnes()) as [string]
  console.log(
    `  ${figures(await paced(Array(100 * seconds).fill(one), 100, 400))}; signatures: ${figures(await mixed)}`,
  )
  await compare()
} finally {
  client.close()
  await cosigner.stop()
  await database.close()
  rmSync(folder, { recursive: true })
}

/** Transactions of users in turn, each another one. */
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

/** Milliseconds that an answer took. */
async function ask(hex: string, expected = 201): Promise<number> {
  const address = `10.${made % 200}.${Math.floor(Math.random() * ADDRESSES) % 250}.${Math.floor(Math.random() * 250)}`
  const started = performance.now()
  const { status, body } = await client.post(
    '/api/v2/cpu/cosign',
    JSON.stringify({ serializedTransaction: hex }),
    address,
  )
  const ms = performance.now() - started
  if (status !== expected) throw new Error(`${status} ${body}`)
  if (status === 201) {
    if (++signed % 50 === 0) samples.push({ hex, signature: JSON.parse(body).signature })
  }
  return ms
}

async function atOnce(hexes: readonly string[], count: number): Promise<number[]> {
  const times: number[] = []
  let next = 0
  const work = async () => {
    while (next < hexes.length) times.push(await ask(hexes[next++] as string))
  }
  await Promise.all(Array.from({ length: count }, work))
  return times
}

/** Sends at fixed times; each answer counts from the time at which it should have been sent. */
async function paced(hexes: readonly string[], perSecond: number, expected = 201): Promise<number[]> {
  const start = performance.now()
  const asked: Promise<number>[] = []
  for (const [i, hex] of hexes.entries()) {
    const due = start + (i * 1000) / perSecond
    const early = due - performance.now()
    if (early > 1) await delay(early)
    const late = Math.max(0, performance.now() - due)
    asked.push(ask(hex, expected).then((ms) => ms + late))
  }
  return await Promise.all(asked)
}

function figures(times: number[]): string {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] as number).toFixed(2)
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} ms`
}

/** All counters agree, and every fiftieth signature is of the key over its transaction. */
async function compare(): Promise<void> {
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const { rows } = await pool.query<{ scope: string; sum: string }>(
    `select scope, sum(used) from cosign.counters where period = 'hour' group by 1 order by 1`,
  )
  await pool.end()
  for (const { scope, sum } of rows) if (Number(sum) !== signed) throw new Error(`${scope}: ${sum}, signed ${signed}`)
  for (const { hex, signature } of samples) {
    const digest = Serializer.decode({ data: hex, type: Transaction }).signingDigest(Checksum256.from(CHAIN_ID))
    const by = String(Signature.from(signature).recoverDigest(digest))
    if (by !== String(key.toPublic())) throw new Error(`${signature} is of ${by}`)
  }
  console.log(`complete: ${signed} signed and counted, ${samples.length} signatures compared with the key`)
}

interface RunningProcess {
  url: string
  /** Time of the processor so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

async function startCosigner(): Promise<RunningProcess> {
  const path = join(folder, 'payer.key')
  writeFileSync(path, `${key}\n`)
  chmodSync(path, 0o600)
  const script = new URL('../bin/headwater.js', import.meta.url).pathname
  const most = Object.fromEntries(LIMITS.map((name) => [`HEADWATER_COSIGN_${name}`, '2000000000']))
  const env = { ...process.env, ...most, DATABASE_URL: database.url, HEADWATER_COSIGN_KEY_FILE: path }
  const pinned = process.platform === 'linux' ? ['taskset', '-c', '0'] : []
  const [program, ...args] = [...pinned, process.execPath, script, 'cosign', '--chain', 'wax', '--port', '0']
  const child = spawn(program as string, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const url = await listening(child)
  return {
    url,
    cpuSeconds: () => cpuSecondsOf(child.pid as number),
    async stop() {
      child.kill('SIGTERM')
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface(child.stderr as NodeJS.ReadableStream)
    const heard: string[] = []
    lines.on('line', (line) => {
      if (heard.length < 50) heard.push(line)
      if (line.includes('"msg":"cosigns"')) resolve(JSON.parse(line).url)
    })
    child.once('exit', () => reject(new Error(`the cosigner ended: ${heard.join('\n')}`)))
  })
}

/** Linux counts in hundredths of a second. */
function cpuSecondsOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
