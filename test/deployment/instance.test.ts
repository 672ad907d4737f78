// docs/bridge/instance.md command by command in a checkout, next to the nodes of the demo: from the settings to the first
// proof, which the dry run of docs/operate/relayer.md tries on the contract. In long runs only.
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PrivateKey } from '@wharfkit/antelope'
import pg from 'pg'
import t, { type Test } from 'tap'
import { run, start } from '../bin/program.ts'
import { childModule } from '../support/child-module.ts'
import { freePort } from '../support/debian-server.ts'
import { until } from '../support/until.ts'

const exec = promisify(execFile)
const DOCS = join(import.meta.dirname, '../../docs')
const DEMO = ['telos', 'wax', 'mainnet'].map((chain) => join(import.meta.dirname, `../../config/demo/${chain}.json`))
const LIGHT_CLIENT = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9'
/** The program as bin/headwater.js starts it. */
const { file, execArgv } = childModule('../../bin/main.ts', import.meta.url)
const PROGRAM = [process.execPath, ...execArgv, file].join(' ')

/** The fenced blocks of a page's list of steps. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(DOCS, page), 'utf8')
  return [...text.matchAll(/^ {3}```\w*\n((?:.*\n)+?)^ {3}```$/gm)].map(([, block = '']) =>
    block.replaceAll(/^ {3}/gm, ''),
  )
}

/** @throws Error when a text is not there */
function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`the page has no ${from}`)
    return all.replaceAll(from, to)
  }, text)
}

const bash = async (script: string, env: Record<string, string> = {}): Promise<string> =>
  (await exec('/bin/bash', ['--norc', '-ec', script], { env: { PATH: process.env.PATH, ...env } })).stdout

/** A folder that the account of an embedded PostgreSQL can enter. */
function folderOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-instance-'))
  chmodSync(folder, 0o755)
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A program that ends with the test. */
function running(t: Test, args: string[], env: Record<string, string>) {
  const program = start(args, env)
  t.teardown(async () => {
    program.child.kill('SIGTERM')
    await program.outcome
  })
  return program
}

interface Nodes {
  telos: { http: string; ship: string; first: string }
  wax: { http: string; ship: string; first: string }
  evm: string
  beacon: string
}

/** Addresses that the demo prints, once its history is made. */
async function demo(t: Test): Promise<Nodes> {
  const env = { PORT: String(await freePort()), HEADWATER_DATA: folderOf(t) }
  const { output } = running(t, ['demo', '--days', '1'], env)
  const node = (name: string) => {
    const pattern = new RegExp(`Node of ${name} +(\\S+) .* (\\S+) +\\(state history from block (\\d+)\\)`)
    const [, http = '', ship = '', first = ''] = pattern.exec(output.stdout) ?? []
    return { http, ship, first }
  }
  const evm = () => /EVM +(\S+) .* beacon chain (\S+)/.exec(output.stdout)
  const ready = async () => (await fetch(`http://127.0.0.1:${env.PORT}/health/ready`).catch(() => null))?.ok === true
  await until(() => `the demo: ${output.stderr.slice(-3000)}`, ready, 1000)
  const [, url = '', beacon = ''] = evm() ?? []
  return { telos: node('telos'), wax: node('wax'), evm: url, beacon }
}

/** The settings of the page, next to the nodes of the demo. */
function settingsOf(block: string, { telos, wax, evm, beacon }: Nodes): Record<string, string> {
  const text = replaced(block, {
    'HEADWATER_CHAINS=telos,wax,mainnet': `HEADWATER_CHAINS=${DEMO.join(',')}`,
    'ws://127.0.0.1:8080': telos.ship,
    'http://127.0.0.1:8888': telos.http,
    '<gateway>': 'gateway.evm',
    'ws://wax-node:8080': wax.ship,
    'http://wax-node:8888': wax.http,
    'https://first,https://second': evm,
    'https://beacon-node': beacon,
    '0x...': LIGHT_CLIENT,
  })
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const starts = Object.entries({ TELOS: telos.first, WAX: wax.first }).flatMap(([chain, block]) =>
    ['START_BLOCK', 'FULL_STATE_BLOCK'].map((name) => `HEADWATER_${chain}_SOURCE_${name}=${block}`),
  )
  return Object.fromEntries([...lines, ...starts].map((line) => line.split(/=(.*)/s).slice(0, 2)))
}

const needs = ['jq', 'curl', 'openssl']
const missing = await bash(`command -v ${needs.join(' ')}`).then(
  () => null,
  () => `needs ${needs.join(', ')}`,
)
const problem = process.env.HEADWATER_TEST_LONG ? missing : 'in test:long'
if (problem !== null) t.comment(`not run: ${problem}`)
else
  t.test('an instance makes its first proof by the commands of its page', { timeout: 1_800_000 }, async (t) => {
    const [folder, port, nodes] = [folderOf(t), await freePort(), await demo(t)]
    const [, settings = '', first = '', heads = '', proof = ''] = blocksOf('bridge/instance.md')
    const data = { HEADWATER_DATA: join(folder, 'data'), PORT: String(port) }
    const env = { ...settingsOf(settings, nodes), ...data }
    t.same(first.trim().split('\n'), ['headwater check', 'systemctl enable --now headwater', 'headwater status'])
    const { stdout: findings } = await run(['check'], env)
    t.match(findings, /^ok +mainnet beacon node/m)
    t.equal(findings.match(/^fail.*$/gm), null, 'nothing fails')
    const { output } = running(t, ['run'], env)
    const here = (block: string) => bash(replaced(block, { '127.0.0.1:7700': `127.0.0.1:${port}` }))
    const wait = heads.replace(/^apt-get .*\n/, '')
    await until(
      () => `the heads: ${output.stderr.slice(-3000)}`,
      () =>
        here(wait).then(
          () => true,
          () => false,
        ),
      2000,
    )
    t.match((await run(['status'], env)).stdout, /^telos: block \d+ of \d+/m)
    const ledger = JSON.parse((await here(wait)).replace(/^\{"ready".*?\}(?=\{)/s, '')) as Ledger
    t.ok(ledger.proved !== null && ledger.indexed.final - ledger.proved <= 2, JSON.stringify(ledger))
    await until('the first proof', async () => /^"(light|hard)"$/.test((await here(proof)).trim()), 2000)
    await tried(t, { env, folder, nodes, port })
  })

interface Ledger {
  proved: number | null
  indexed: { final: number }
}

interface Place {
  env: Record<string, string>
  folder: string
  nodes: Nodes
  port: number
}

/** The dry run of the relayer's page, with a login of its own and a key without coins. */
async function tried(t: Test, { env, folder, nodes, port }: Place): Promise<void> {
  const [login = '', key = '', , dryRun = ''] = blocksOf('operate/relayer.md')
  const read = (name: string) => readFileSync(join(env.HEADWATER_DATA ?? '', 'postgres', name), 'utf8').trim()
  const database = `127.0.0.1:${read('port')}`
  const owner = new pg.Client(`postgresql://postgres:${read('password')}@${database}/headwater`)
  await owner.connect()
  await owner.query(login)
  await owner.end()
  const keys = { '/etc/headwater/relay-evm.key': join(folder, 'relay-evm.key') }
  await bash(replaced(key, keys))
  writeFileSync(join(folder, 'relay.key'), `${PrivateKey.generate('K1')}\n`, { mode: 0o600 })
  const script = replaced(dryRun, {
    ...{ ...keys, '/etc/headwater/relay.key': join(folder, 'relay.key'), '@host': `@${database}` },
    'HEADWATER_CHAINS=telos,wax,mainnet': `HEADWATER_CHAINS=${DEMO.join(',')}`,
    'https://my-instance': `http://127.0.0.1:${port}`,
    'telos=http://node:8888,wax=http://node:8889,mainnet=https://rpc.example.org': `telos=${nodes.telos.http},wax=${nodes.wax.http},mainnet=${nodes.evm}`,
    'npx headwater': `exec ${PROGRAM}`,
  })
  const also = { HEADWATER_RELAY_POLICY: 'always', HEADWATER_RELAY_PORT: '0' }
  const child = execFile('/bin/bash', ['--norc', '-ec', script], { env: { PATH: process.env.PATH, ...also } })
  t.teardown(() => void child.kill('SIGTERM'))
  let said = ''
  child.stderr?.on('data', (text) => void (said += text))
  await until(
    () => `a call that the contract takes: ${said}`,
    () => /"leg":"w:\d+","action":"release".*"limit":"balance".*"msg":"would send"/.test(said),
    500,
  )
}
