// The command line as a user runs it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { helpTexts } from '../../bin/cli/help-texts.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { serve } from '../support/ship-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { logged, run, start } from './program.ts'

const CACHE = new URL('../../node_modules/.cache/headwater/', import.meta.url)

const recording = fileURLToPath(new URL('../fixtures/recordings/small.ship.gz', import.meta.url))
const HEAD = '000000679cda3e5b1468ebc4d18a045586c32ec00e51c1175acb591f764888e5'

t.test('help lists the commands and their options', async (t) => {
  const [all, one, none] = await Promise.all([run(['--help']), run(['replay', '--help']), run([])])
  t.equal(all.code, 0)
  for (const name of [
    'run',
    'index',
    'api',
    'cosign',
    'demo',
    'replay',
    'record',
    'migrate',
    'check',
    'status',
    'verify',
    'rewind',
    'finality',
    'export',
    'publish',
    'service',
    'config',
  ])
    t.match(all.stdout, new RegExp(`^  ${name} +\\w`, 'm'))
  t.equal(one.code, 0)
  t.match(one.stdout, /headwater replay FILE/)
  t.match(one.stdout, /-c, --chain NAME/)
  t.same([none.code, none.stdout], [2, all.stdout])
})

const entry = fileURLToPath(new URL('../../bin/headwater.js', import.meta.url))
const enter = (args: string[], node: string[] = [], file = entry) =>
  spawnSync(process.execPath, [...node, file, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH } })

t.test('the entry prints its version, and refuses an old Node with one line', async (t) => {
  t.match(enter(['--version']).stdout, /^headwater \d+\.\d+\.\d+\n$/)
  const pretend = `const versions = { ...process.versions, node: '18.19.0' }
    Object.defineProperty(process, 'versions', { value: versions })`
  const old = enter(['run'], ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`])
  t.equal(old.status, 1)
  t.match(old.stderr, /^headwater needs Node \d+\.\d+ or newer, this is 18\.19\.0 \(.*\)\n$/)
})

/** Names of builds. Another test may be writing one, whose name has a dot. */
const finishedBuilds = () => readdirSync(CACHE).filter((name) => !name.includes('.'))

t.test('the entry starts the program from a build, and builds it if there is none', async (t) => {
  rmSync(CACHE, { recursive: true, force: true })
  const [first, second] = [enter(['config']), enter(['config'])]
  t.same([first.status, first.stderr], [0, ''])
  t.ok(first.stdout.length > 1000)
  t.same(second.stdout, first.stdout)
  t.equal(finishedBuilds().length, 1)
})

/** Processor time of a start with `--help`, user and system, with all child processes. Seconds. */
function helpSeconds(): number {
  const command = `'${process.execPath}' '${entry}' --help > /dev/null; times`
  const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8', env: { PATH: process.env.PATH } })
  const children = stdout.trim().split('\n')[1] ?? ''
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds),
  )
  if (parts.length !== 2) throw new Error(`no times of the child processes in ${stdout}`)
  return parts.reduce((sum, part) => sum + part, 0)
}

t.test('the entry prints help without the program and its build', async (t) => {
  const texts = JSON.parse(readFileSync(new URL('../../bin/help.json', import.meta.url), 'utf8'))
  t.same(texts, await helpTexts(), '`npm run generate` was run after the last change')
  // Nothing else is there.
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'bin'))
  for (const file of ['package.json', 'bin/headwater.js', 'bin/help.json'])
    copyFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), join(folder, file))
  for (const [text, ...commands] of [
    [texts.program, ['--help'], ['-h'], ['help']],
    [texts.commands.export, ['export', '--help'], ['export', '-h']],
  ])
    for (const args of commands) {
      const { status, stdout, stderr } = enter(args, [], join(folder, 'bin/headwater.js'))
      t.same({ status, stdout, stderr }, { status: 0, stdout: text, stderr: '' }, args.join(' '))
    }
  t.match(texts.commands.export, /Usage: headwater export VIEW \[options\]/)
  t.match(enter(['nothing', '--help']), { status: 2, stderr: /unknown command nothing/ })
  // The minimum of three: other load on the machine only adds time.
  const seconds = Math.min(...[1, 2, 3].map(() => helpSeconds()))
  t.ok(seconds < 0.3, `${seconds} s of processor time`)
})

t.test('a chain that fails leaves the API and the other chains alone', async (t) => {
  const { url, pool } = await testDatabase(t)
  const program = start(['run'], {
    ...{ DATABASE_URL: url, PORT: '0', HEADWATER_CHAINS: 'dev,telos' },
    ...{ HEADWATER_DEV_SOURCE_KIND: 'replay', HEADWATER_DEV_SOURCE_FILE: recording },
    ...{ HEADWATER_TELOS_SOURCE_KIND: 'replay', HEADWATER_TELOS_SOURCE_FILE: '/nothing/here' },
  })
  t.teardown(() => void program.child.kill('SIGKILL'))
  t.match(await logged(program.output, 'the indexing of a chain has stopped'), { chain: 'telos', code: String })
  const { url: api } = (await logged(program.output, 'serves')) as { url: string }
  t.equal((await fetch(`${api}/health/live`)).status, 200)
  const indexed = `select from meta.position where chain = 'dev' and block_num = 103`
  while ((await pool.query(indexed)).rows.length === 0) await sleep(50)
  t.equal(program.child.exitCode, null)
  program.child.kill('SIGTERM')
  t.not((await program.outcome).code, 0, 'the failure is reported at the end')
})

t.test('a recording of a chain that the environment configures is read with its configuration', async (t) => {
  const { url } = await testDatabase(t)
  const env = { DATABASE_URL: url, HEADWATER_TELOS_ACCOUNTS_AMM: 'other.amm' }
  const own = await run(['replay', recording, '--chain', 'telos'], env)
  t.match(own.stderr, /"profile":"telos"/)
  const dev = await run(['replay', recording, '--chain', 'wax'], { DATABASE_URL: url })
  t.match(dev.stderr, /"profile":"dev"/)
  const file = join(t.testdir(), 'my.json')
  const profile = JSON.parse(readFileSync(new URL('../../config/dev.json', import.meta.url), 'utf8'))
  writeFileSync(file, JSON.stringify({ ...profile, chain: 'jungle' }))
  for (const [chains, chain, expected] of [
    [`dev,${file}`, 'jungle', file],
    ['wax,telos', 'telos', 'telos'],
    ['telos', 'other', 'dev'],
  ] as const) {
    // An unusable database address: the profile is chosen before it is used.
    const { stderr } = await run(['replay', recording, '--chain', chain], {
      ...{ DATABASE_URL: 'postgres://127.0.0.1:1/none', HEADWATER_CHAINS: chains },
    })
    t.match(stderr, `"profile":${JSON.stringify(expected)}`, `${chain} of ${chains}`)
  }
  const { stderr } = await run(['replay', recording, '--chain', 'jungle'], { HEADWATER_CHAINS: './nothing.json' })
  t.match(stderr, /INVALID_CONFIG[\s\S]*nothing\.json/)
})

t.test('a recording that is not there is said before a database starts', async (t) => {
  const data = join(t.testdir(), 'data')
  const { code, stderr } = await run(['replay', '/nofile'], { HEADWATER_DATA: data, DATABASE_URL: '' })
  t.equal(code, 1)
  t.match(stderr, /RECORDING_MISSING.*\/nofile/)
  t.notOk(existsSync(data), 'no database')
})

t.test('removing irreversible rows is confirmed', async (t) => {
  const { code, stderr } = await run(['rewind', '--chain', 'wax', '--to', '5', '--force'])
  t.equal(code, 2)
  t.match(stderr, /--force removes irreversible rows\n.*--yes/)
})

t.test('on a terminal the name of the chain confirms it, and nothing else', async (t) => {
  const { url, pool } = await testDatabase(t)
  const force = [process.execPath, entry, 'rewind', '--chain', 'wax', '--to', '5', '--force']
  /** Types an answer when the question is on the terminal, which the program `script` provides. */
  const answer = async (typed: string) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: url, TERM: 'dumb' }
    const child = spawn('script', ['-qec', force.map((word) => `'${word}'`).join(' '), '/dev/null'], { env })
    let shown = ''
    for await (const chunk of child.stdout) {
      const wasAsked = shown.includes('Type wax to go on:')
      shown += chunk
      if (!wasAsked && shown.includes('Type wax to go on:')) child.stdin.write(`${typed}\n`)
    }
    if (child.exitCode === null) await once(child, 'exit')
    return { code: child.exitCode, shown }
  }
  const other = await answer('telos')
  t.equal(other.code, 1)
  t.match(other.shown, /irreversible rows of wax\. Type wax to go on: [\s\S]*NOT_CONFIRMED: nothing was removed/)
  await pool.query(`select meta.add_chain('wax')`)
  const right = await answer('wax')
  t.notMatch(right.shown, /NOT_CONFIRMED/)
  t.match(right.shown, /irreversible rows of wax\. Type wax to go on: wax\s+\S/, 'it goes on')
  t.comment(right.shown.split('\n').at(-2) ?? '')
})

t.test('a wrong command line ends with 2 and suggests a correction', async (t) => {
  const cases: [string[], RegExp][] = [
    [['statsu'], /unknown command statsu\n.*did you mean status\?/],
    [['status', '--jsno'], /unknown option --jsno\n.*did you mean --json\?/],
    [['replay'], /FILE is missing/],
    [['replay', 'a', 'b'], /unexpected argument b/],
    [['status', 'now'], /unexpected argument now/],
    [['index', '--metrics-port', 'x'], /--metrics-port must be a whole number/],
    [['record', '--url'], /--url/],
    [['finality', '--chain', 'telos'], /one of --import and --export/],
  ]
  const outcomes = await Promise.all(cases.map(([args]) => run(args)))
  for (const [index, [args, message]] of cases.entries()) {
    t.equal(outcomes[index]!.code, 2, args.join(' '))
    t.match(outcomes[index]!.stderr, message)
    t.equal(outcomes[index]!.stdout, '')
  }
})

t.test('configuration errors end with 1 and are all reported', async (t) => {
  const { code, stderr } = await run(['status'], { PORT: 'x', HEADWATER_WAX_SOURCE_KIND: 'shp' })
  t.equal(code, 1)
  t.match(stderr, /INVALID_CONFIG: the configuration has 2 problems/)
  t.match(stderr, /\(PORT\)/)
  t.match(stderr, /\(HEADWATER_WAX_SOURCE_KIND\)/)
})

t.test('config prints values and origins, and no password', async (t) => {
  const { code, stdout } = await run(['config'], { DATABASE_URL: 'postgresql://me:swordfish@db/x', PORT: '8' })
  t.equal(code, 0)
  t.match(stdout, /^port +8 {2}\(PORT\)$/m)
  t.match(stdout, /^wax\.accounts\.amm +"swap\.svc" {2}\(config\/wax\.json\)$/m)
  t.match(stdout, /postgresql:\/\/me:\*\*\*@db\/x/)
  t.notMatch(stdout, /swordfish/)
})

t.test('a database that cannot be reached is reported without its password', async (t) => {
  const { code, stderr } = await run(['status'], { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/x' })
  t.equal(code, 1)
  t.match(stderr, /DATABASE_UNREACHABLE/)
  t.notMatch(stderr, /secret/)
})

t.test('a recording is replayed, queried and verified', async (t) => {
  const { url, pool } = await testDatabase(t)
  const env = { DATABASE_URL: url, HEADWATER_LOG_LEVEL: 'warn' }
  const replayed = await run(['replay', recording, '--chain', 'rec'], env)
  t.equal(replayed.stderr, '')
  t.match(replayed.stdout, `rec: indexed up to block 103 ${HEAD}`)
  t.equal(replayed.code, 0)
  t.same((await pool.query('select chain, block_num::int as num from meta.position')).rows, [
    { chain: 'rec', num: 103 },
  ])
  const [status, verified, again] = await Promise.all([
    run(['status', '--json'], env),
    run(['verify', '--chain', 'rec'], env),
    run(['replay', recording, '--chain', 'rec2'], env),
  ])
  t.match(JSON.parse(status.stdout), [{ chain: 'rec', block: 103, blockId: HEAD, firstBlock: 2, indexed: true }])
  t.same(await lines(run(['status'], env)), ['rec', 'rec2', 'wax'], 'configured chains too')
  const one = await run(['status', '--chain', 'rec2,wax'], env)
  t.match(one.stdout, /^rec2: block 103 of 110, irreversible 103, .* old; .*\nwax: nothing is indexed yet; start .*\n$/)
  const json = await run(['status', '--chain', 'rec2', '--json'], env)
  t.match(JSON.parse(json.stdout), [{ chain: 'rec2', block: 103 }])
  const none = await run(['status', '--chain', 'rec3'], env)
  t.same([none.code, none.stdout], [1, ''])
  t.match(
    none.stderr,
    /^NO_SUCH_CHAIN: no chain "rec3", did you mean rec\?; there are: rec, rec2, wax\n {2}hint: give one/,
  )
  t.equal(verified.code, 0, verified.stderr)
  t.equal(again.code, 0, again.stderr)
  const other = await run(['verify', '--chain', 'rec2'], env)
  const digest = (text: string) => text.trim().split('\n').at(-1)
  t.match(digest(verified.stdout), /^digest [0-9a-f]{64}$/)
  t.equal(digest(other.stdout), digest(verified.stdout), 'the digest does not depend on the name')
  await statusOfObstacles(t, { url, pool })
})

/** Commands that read make no database: without one, and with another schema, they say which command helps. */
async function statusOfObstacles(t: Test, { url, pool }: Pick<TestDatabase, 'url' | 'pool'>): Promise<void> {
  const folder = t.testdir()
  const none = await run(['status'], { HEADWATER_DATA: folder })
  t.same([none.code, none.stdout], [1, ''])
  t.match(
    none.stderr,
    /^DATABASE_UNREACHABLE: there is no embedded database in .*\n {2}hint: .*`headwater run` makes one/,
  )
  t.notOk(existsSync(join(folder, 'postgres/data')), 'none was made')
  const out = join(folder, 'out')
  for (const reads of [
    ['lake', '--out', out],
    ['export', 'swaps', '--out', `${out}.csv`],
    ['pack', '--chain', 'wax', '--rows-only', '--out', out],
  ]) {
    const refused = await run(reads, { HEADWATER_DATA: folder })
    t.match(
      refused.stderr,
      /^DATABASE_UNREACHABLE: there is no embedded database in .*\n {2}hint: set DATABASE_URL/,
      reads.join(' '),
    )
    t.notOk(existsSync(join(folder, 'postgres/data')), `${reads.join(' ')} made none`)
  }
  const table = 'public.headwater_migrations'
  await pool.query(`update ${table} set checksum = 'old' where name = 'code'`)
  const old = await run(['status'], { DATABASE_URL: url })
  t.same([old.code, old.stdout], [1, ''])
  t.match(
    old.stderr,
    /^SCHEMA_OUTDATED: functions and views are outdated in this database\n {2}hint: run `headwater migrate`/,
  )
  t.equal((await pool.query(`select from ${table} where checksum = 'old'`)).rowCount, 1, 'nothing was migrated')
  await pool.query(`insert into ${table} (name, checksum) values ('999_later', 'x')`)
  const newer = await run(['status'], { DATABASE_URL: url })
  t.same([newer.code, newer.stdout], [1, ''])
  t.match(newer.stderr, /^NEWER_SCHEMA: .*\n {2}hint: /)
}

/** First words of the lines that a command prints. */
async function lines(outcome: Promise<{ stdout: string }>): Promise<string[]> {
  return (await outcome).stdout
    .trim()
    .split('\n')
    .map((line) => line.split(':')[0] as string)
}

t.test('run serves while it indexes, and ends cleanly on SIGTERM', async (t) => {
  const { url } = await testDatabase(t)
  const env = { DATABASE_URL: url, PORT: '0', HEADWATER_CHAINS: 'dev', HEADWATER_DEV_SOURCE_FILE: recording }
  const program = start(['run'], env)
  t.teardown(() => program.child.kill('SIGKILL'))
  const { url: api } = (await logged(program.output, 'serves')) as { url: string }
  t.equal((await fetch(`${api}/health/live`)).status, 200)
  let block = 0
  const isIndexed = async () => {
    const { chains } = (await (await fetch(`${api}/status`)).json()) as { chains: { block: number }[] }
    block = chains[0]?.block ?? 0
    return block >= 103
  }
  await until('all blocks are indexed', isIndexed, 50)
  t.equal(block, 103)
  const metrics = await (await fetch(`${api}/metrics`)).text()
  t.match(metrics, /^headwater_indexed_block\{chain="dev"\} 103$/m)
  t.match(metrics, /^headwater_rows_total\{chain="dev",table="ledger\.swaps"\} 281$/m)
  const asked = Date.now()
  program.child.kill('SIGTERM')
  const { code } = await program.outcome
  t.equal(code, 0)
  t.ok(Date.now() - asked < 20_000, `${Date.now() - asked} ms`)
})

t.test('processes that start on one empty database at the same time all succeed', async (t) => {
  const { url, pool } = await testDatabase(t)
  const empty = new URL(url)
  const name = `${empty.pathname.slice(1)}_empty`
  empty.pathname = `/${name}`
  await pool.query(`create database ${name}`)
  t.teardown(() => pool.query(`drop database ${name} with (force)`))
  const env = { DATABASE_URL: empty.href }
  const outcomes = await Promise.all([1, 2, 3].map(() => run(['migrate'], env)))
  for (const { code, stderr } of outcomes) t.equal(code, 0, stderr)
  t.equal(outcomes.filter(({ stdout }) => stdout.includes('applied baseline/010_meta.sql')).length, 1)
})

t.test('a process killed while it migrated does not lock out the next one', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query('update public.headwater_migrations_lock set is_locked = 1')
  const { code, stdout } = await run(['migrate'], { DATABASE_URL: url })
  t.same([code, stdout], [0, 'nothing to do\n'])
})

t.test('check names each problem, with its remedy', async (t) => {
  const { url } = await testDatabase(t)
  const env = {
    DATABASE_URL: url,
    HEADWATER_WAX_SOURCE_URLS: 'ws://127.0.0.1:1',
    HEADWATER_WAX_SOURCE_HTTP: 'http://127.0.0.1:1',
  }
  const { code, stdout } = await run(['check', '--json'], env)
  t.equal(code, 1)
  const findings = JSON.parse(stdout) as { level: string; subject: string; remedy?: string }[]
  const levels = Object.fromEntries(findings.map(({ subject, level }) => [subject, level]))
  t.match(levels, {
    Node: 'ok',
    configuration: 'ok',
    database: 'ok',
    schema: 'ok',
    'wax node ws://127.0.0.1:1': 'fail',
    'wax node API http://127.0.0.1:1': 'fail',
  })
  for (const { level, remedy, subject } of findings) t.equal(remedy !== undefined, level !== 'ok', subject)
})

t.test('check names a node that cannot continue after the indexed block', async (t) => {
  const { url, pool } = await testDatabase(t)
  await pool.query(
    `insert into meta.position (chain, first_block, block_num, block_id, block_time, lib_num, head_num, writer, indexed)
     values ('wax', 400, 498, repeat('5e', 32), now(), 490, 498, gen_random_uuid(), true)`,
  )
  const history = { begin: 500, end: 1001 }
  const node = await serve(t, { status: () => ({ traces: history, deltas: history }), blocks: () => [] })
  const env = { DATABASE_URL: url, HEADWATER_CHAINS: 'wax', HEADWATER_WAX_SOURCE_URLS: node.url }
  const told = async () => {
    const { stdout } = await run(['check', '--json'], env)
    const findings = JSON.parse(stdout) as { subject: string; level: string; message: string; remedy?: string }[]
    return findings.filter(
      ({ subject, message }) => subject === `wax node ${node.url}` && message.startsWith('has blocks'),
    )
  }
  t.match(await told(), [
    {
      level: 'fail',
      message: 'has blocks from 500 on, block 498 is the last one indexed',
      remedy: 'add a node that has block 499, or index into an empty database from a later block',
    },
  ])
  await pool.query('update meta.position set block_num = 499')
  t.same(await told(), [])
})

t.test('check reports that a node that was started from a snapshot begins with its state', async (t) => {
  const { url } = await testDatabase(t)
  const status = () => ({ traces: { begin: 501, end: 1001 }, deltas: { begin: 500, end: 1001 } })
  const node = await serve(t, { status, blocks: () => [] })
  const env = { DATABASE_URL: url, HEADWATER_CHAINS: 'wax', HEADWATER_WAX_SOURCE_URLS: node.url }
  const told = async (more = {}) => {
    const { stdout } = await run(['check', '--json'], { ...env, ...more })
    const findings = JSON.parse(stdout) as { subject: string; level: string; message: string }[]
    return findings.filter(({ message }) => /begins with|has blocks/.test(message))
  }
  t.match(await told(), [{ level: 'ok', message: 'begins with the state of block 500: indexing starts at block 501' }])
  t.match(await told({ HEADWATER_WAX_SOURCE_START_BLOCK: '600' }), [], 'the block is kept, the state is not used')
})
