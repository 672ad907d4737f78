// `headwater pack` and `headwater fetch` as programs, with prices and scores; both are killed and continue.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { readRecording } from '../../indexer/source/recording.ts'
import { ID_90, POLICY, packFolder, RECORDINGS } from '../packs/scene.ts'
import { testDatabase } from '../support/database.ts'
import { type Outcome, run, start } from './program.ts'

const KILLS = process.env.HEADWATER_TEST_LONG ? 40 : 2
const TRUST = `${POLICY},${ID_90}`
const recording = RECORDINGS.small
t.setTimeout(1_200_000)

t.test('a history is handed over', async (t) => {
  const out = packFolder(t)
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  const part = join(packFolder(t), 'part.ship')
  await cut(recording, part, 89)
  const DATABASE_URL = publisher.url
  const chain = ['--chain', 'wax', '--profile', 'dev']
  t.match(await run(['replay', part, ...chain], { DATABASE_URL }), { code: 0 })

  const packing = ['pack', ...chain, '--out', out, '--recording', recording, '--blocks-per-file', '20']
  await killed(packing, DATABASE_URL)
  const packed = await run(packing, { DATABASE_URL })
  t.match(packed, { code: 0, stdout: /wax up to block 90 [0-9a-f]{64}, 5 ranges/ }, packed.stderr)
  t.match(packed.stdout, `npx headwater fetch ${out} --chain wax --profile dev --trust ${TRUST}`)

  const fetching = ['fetch', out, ...chain, '--trust', TRUST]
  await killed(fetching, reader.url)
  const fetched = await run(fetching, { DATABASE_URL: reader.url })
  t.equal(fetched.code, 0, fetched.stderr)
  t.match(fetched.stdout, `Confirmed by finalizer policy ${POLICY} and block 90 ${ID_90}`)
  t.match(
    fetched.stdout,
    /ledger\.swaps \d+ \(not verified: usd, pool_fee, path, trx_id\)\n.*Not verified.*state\.pools \d+/s,
  )
  t.equal(digest(await verify(reader.url)), digest(await verify(DATABASE_URL)))

  // Stopped before it built the indexes, or before it printed what it found.
  for (const indexed of [false, true]) {
    await reader.pool.query('update meta.position set indexed = $1', [indexed])
    const again = await run(fetching, { DATABASE_URL: reader.url })
    t.equal(again.code, 0, again.stderr)
    t.equal(again.stdout, fetched.stdout)
  }

  t.test('both databases continue from the source', async (t) => {
    for (const url of [publisher.url, reader.url]) {
      t.match(await run(['replay', recording, ...chain], { DATABASE_URL: url }), { code: 0 })
    }
    t.equal(digest(await verify(reader.url)), digest(await verify(DATABASE_URL)))
  })

  t.test('errors on the command line', async (t) => {
    t.match(await run(['fetch', out, ...chain], { DATABASE_URL: reader.url }), {
      code: 2,
      stderr: /--trust is needed.*policy that signs the first certificate/s,
    })
    t.match(await run(['fetch', out, '--trust', TRUST], {}), { code: 2, stderr: /--chain is needed/ })
    t.match(await run(['pack', ...chain], { DATABASE_URL }), { code: 2, stderr: /--out is needed/ })
    t.match(await run(['pack', '--chain', 'mainnet', '--out', out], { DATABASE_URL }), { code: 1, stderr: /EVM/ })
    const evm = ['fetch', out, '--chain', 'mainnet', '--trust', TRUST]
    t.match(await run(evm, { DATABASE_URL: reader.url }), { code: 1, stderr: /PACK_EVM.*from an EVM node again/s })
    t.match(await run(fetching, { DATABASE_URL: reader.url }), { code: 1, stderr: /FETCH_NOT_EMPTY/ })
    // Nothing listens at that port: the address is read before a database is opened.
    const noDatabase = { DATABASE_URL: 'postgresql://127.0.0.1:1/none' }
    t.match(await run(['fetch', join(out, 'absent'), ...chain, '--trust', TRUST], noDatabase), {
      code: 1,
      stderr: /PACK_FILE_MISSING.*absent has no manifest\.json/s,
    })
  })
})

/** Starts a command several times and kills it at different moments. */
async function killed(args: string[], url: string): Promise<void> {
  for (let i = 0; i < KILLS; i++) {
    const { child, outcome } = start(args, { DATABASE_URL: url, HEADWATER_LOG_LEVEL: 'info' })
    // Once the first range is done, at a moment within the next.
    await Promise.race([outcome, seen(child.stderr, /packed|loaded/).then(() => delay(37 * i))])
    child.kill('SIGKILL')
    await outcome
  }
}

async function seen(stream: NodeJS.ReadableStream | null, what: RegExp): Promise<void> {
  for await (const text of stream ?? []) if (what.test(String(text))) return
}

async function verify(url: string): Promise<Outcome> {
  return run(['verify', '--chain', 'wax'], { DATABASE_URL: url })
}

function digest({ code, stdout, stderr }: Outcome): string {
  if (code !== 0) throw new Error(stdout + stderr)
  return stdout.slice(stdout.indexOf('digest'))
}

/** Writes the first blocks of a recording. */
async function cut(from: string, to: string, blocks: number): Promise<void> {
  const messages: Uint8Array[] = []
  const add = (bytes: Uint8Array) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    messages.push(length, bytes)
  }
  for await (const { bytes } of readRecording(from, (abi) => add(Buffer.from(abi)))) {
    add(bytes)
    if (--blocks === 0) break
  }
  writeFileSync(to, Buffer.concat(messages))
}
