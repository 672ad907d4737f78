// The files of a service: systemd's own tools check them, and the test starts their commands as systemd would.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { run } from './program.ts'

const UNITS = [
  'headwater.service',
  'headwater-index.service',
  'headwater-api@.service',
  'headwater-cosign.service',
  'headwater-relay.service',
]
const recording = fileURLToPath(new URL('../fixtures/recordings/small.ship.gz', import.meta.url))

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const PROGRAM = '/opt/headwater'
/** Places of a server. Only the first program of a command must exist where the units are checked. */
const PLACES = ['--program', PROGRAM, '--node', '/usr/bin/env']

async function written(t: Test): Promise<string> {
  const root = temporaryFolder(t)
  const { code, stderr } = await run(['service', '--out', root, ...PLACES])
  t.equal(code, 0, stderr)
  return root
}

const unitOf = (root: string, name: string) => join(root, 'etc/systemd/system', name)

t.test('all files are written once; settings are kept, units replaced', async (t) => {
  const root = await written(t)
  const settings = join(root, 'etc/headwater/headwater.env')
  t.equal(statSync(settings).mode & 0o777, 0o640, 'a password may stand in it')
  writeFileSync(settings, 'HEADWATER_CHAINS=telos\n')
  writeFileSync(unitOf(root, 'headwater.service'), 'old')
  const { stdout } = await run(['service', '--out', root, ...PLACES])
  t.match(stdout, /^kept +\S+headwater\.env$/m)
  t.match(stdout, /^written +\S+headwater\.service$/m)
  t.match(stdout, /^unchanged +\S+headwater-index\.service$/m)
  t.equal(readFileSync(settings, 'utf8'), 'HEADWATER_CHAINS=telos\n')
  const printed = (await run(['service', '--print', ...PLACES])).stdout
  for (const name of UNITS) t.ok(printed.includes(readFileSync(unitOf(root, name), 'utf8')), name)
})

t.test('the installed command has the user and the settings of the services', async (t) => {
  const root = await written(t)
  const script = readFileSync(join(root, 'usr/local/bin/headwater'), 'utf8')
  // Stand-ins for the commands that need root: this user is root, and changing the user changes nothing.
  const programs = t.testdir({ id: '#!/bin/sh\necho 0\n', setpriv: '#!/bin/sh\nshift 4\nexec "$@"\n' })
  for (const name of ['id', 'setpriv']) chmodSync(join(programs, name), 0o755)
  const settings = join(root, 'etc/headwater/headwater.env')
  writeFileSync(settings, 'HEADWATER_CHAINS=telos\nDATABASE_URL=postgresql:///h?host=/run/pg&user=me\n')
  const file = join(programs, 'headwater')
  const own = script
    .replaceAll('/etc/headwater/headwater.env', settings)
    .replace(/\S+ --env-file/, `${process.execPath} --env-file`)
    .replace(/ \S+\/bin\/headwater\.js/, ` ${fileURLToPath(new URL('../../bin/headwater.js', import.meta.url))}`)
  writeFileSync(file, own, { mode: 0o755 })
  const env = { PATH: `${programs}:${process.env.PATH}`, HOME: process.env.HOME }
  const { stdout } = await promisify(execFile)(file, ['config'], { env })
  t.match(stdout, /postgresql:\/\/\/h\?host=\/run\/pg&user=me/)
  t.match(stdout, /telos/)
  const user = await promisify(execFile)('sh', ['-c', own.replace('$(id -u)', '1000')], { env }).catch((error) => error)
  t.match([user.code, user.stderr], [1, /run this as root/])
})

t.test(
  'the installed command checks the keys of cosigner and relayer, each with its settings and a copy',
  async (t) => {
    const root = await written(t)
    const etc = join(root, 'etc/headwater')
    const programs = t.testdir({
      id: '#!/bin/sh\necho 0\n',
      setpriv: '#!/bin/sh\necho "$1 $2"\nshift 4\nexec "$@"\n',
      chown: '#!/bin/sh\necho "chown $2"\n',
    })
    for (const name of ['id', 'setpriv', 'chown']) chmodSync(join(programs, name), 0o755)
    const copies = join(root, 'run')
    mkdirSync(copies)
    const file = join(programs, 'headwater')
    const script = readFileSync(join(root, 'usr/local/bin/headwater'), 'utf8')
      .replaceAll('/etc/headwater/', `${etc}/`)
      .replace('/run/headwater-XXXXXX', `${copies}/headwater-XXXXXX`)
      .replace(/\S+ --env-file/, `${process.execPath} --env-file`)
      .replace(/ \S+\/bin\/headwater\.js/, ` ${ROOT}/bin/headwater.js`)
    writeFileSync(file, script, { mode: 0o755 })
    const nothing = 'http://127.0.0.1:1'
    const evm = '11'.repeat(32)
    const payer = 'PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V'
    const write = (name: string, text: string) => writeFileSync(join(etc, name), text, { mode: 0o600 })
    write('headwater.env', 'HEADWATER_CHAINS=nowhere\n')
    write('cosign.env', `HEADWATER_CHAINS=wax\nHEADWATER_COSIGN_SIMULATE=off\n`)
    write('payer.key', payer)
    mkdirSync(join(etc, 'relay.keys'))
    write('relay.keys/evm.key', evm)
    const relay = readFileSync(join(etc, 'relay.env'), 'utf8')
    write('relay.env', relay.replace(/^DATABASE_URL=.*$/m, '').replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, nothing))
    const env = { PATH: `${programs}:${process.env.PATH}`, HOME: process.env.HOME }
    const asked = (...args: string[]) =>
      promisify(execFile)(file, args, { env }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        (error: { code: number; stdout: string; stderr: string }) => error,
      )
    const { code, stdout, stderr } = await asked('check')
    t.equal(code, 1, 'what fails in one of them')
    t.match(stdout, /^--reuid=headwater --regid=headwater\n(?:.*\n)*?^fail {2}configuration/m)
    t.match(stdout, /^The cosigner:\nchown headwater-cosign:headwater-cosign\n--reuid=headwater-cosign /m)
    t.match(stdout, /^ok {4}cosigner key: PUB_K1_\w+, readable by its owner alone$/m)
    t.match(stdout, /^The relayer:\nchown headwater-relay:headwater-relay\n--reuid=headwater-relay /m)
    t.match(stdout, /^ok {4}relayer key for EVM chains: 0x[0-9a-f]{40}, readable by its owner alone$/m)
    t.match(stdout, /^fail {2}relayer node of mainnet http:\/\/127\.0\.0\.1:1/m, 'its nodes are asked')
    for (const secret of [evm, payer]) t.notOk(`${stdout}${stderr}`.includes(secret), 'no key is shown')
    t.same(readdirSync(copies), [], 'the copies are removed')

    t.match((await asked('--as', 'relay', 'config')).stdout, /relay\.evmKeyFile/)
    t.match(await asked('--as', 'other', 'check'), { code: 2, stderr: /no service with a key/ })
    t.same(readdirSync(copies), [])
    t.equal((await asked('check', '--only', 'toString')).code, 2)
  },
)

t.test('a wrong command line and a folder that cannot be written are refused', async (t) => {
  t.equal((await run(['service'])).code, 2)
  t.equal((await run(['service', '--print', '--out', '/tmp'])).code, 2)
  for (const place of ['/root/headwater', '/home/me/headwater', '/opt/head water'])
    t.match((await run(['service', '--print', '--program', place])).stderr, /--program/)
  const { code, stderr } = await run(['service', '--out', recording, ...PLACES])
  t.equal(code, 1)
  t.match(stderr, /^SERVICE_FILES: cannot write .*\n +hint: /)
})

t.test(
  'each process with a key has a user of its own, and a copy of the key that only this user can read',
  async (t) => {
    const root = await written(t)
    const users = readFileSync(join(root, 'usr/lib/sysusers.d/headwater.conf'), 'utf8')
    for (const [name, key] of [
      ['cosign', 'payer.key:/etc/headwater/payer.key'],
      ['relay', 'key:/etc/headwater/relay.keys'],
    ]) {
      const unit = readFileSync(unitOf(root, `headwater-${name}.service`), 'utf8')
      t.match(unit, new RegExp(`^User=headwater-${name}$`, 'm'))
      t.match(unit, new RegExp(`^LoadCredential=${key}$`, 'm'))
      t.match(unit, new RegExp(`^EnvironmentFile=/etc/headwater/${name}.env$`, 'm'))
      t.match(users, new RegExp(`^u headwater-${name} `, 'm'))
    }
    const folders = readFileSync(join(root, 'usr/lib/tmpfiles.d/headwater.conf'), 'utf8')
    t.match(folders, /^d \/etc\/headwater\/relay\.keys 0700 root root$/m)
  },
)

t.test('the settings of the relayer are valid, and send nothing at first', async (t) => {
  const root = await written(t)
  const text = readFileSync(join(root, 'etc/headwater/relay.env'), 'utf8')
  const env = Object.fromEntries([...text.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, key, value]) => [key, value]))
  const { code, stdout, stderr } = await run(['config', '--json'], env)
  t.equal(code, 0, stderr)
  const settings = JSON.parse(stdout) as { path: string; value: unknown }[]
  t.equal(settings.find(({ path }) => path === 'relay.dryRun')?.value, true)
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd && process.env.CI !== undefined) t.fail('systemd-analyze is missing: install systemd')

t.test('systemd accepts the units, and rates them as safe', { skip: !hasSystemd && 'no systemd here' }, async (t) => {
  const root = await written(t)
  const files = UNITS.map((name) => unitOf(root, name))
  // Instances are made of templates.
  const instance = unitOf(root, 'headwater-api@7700.service')
  writeFileSync(instance, readFileSync(unitOf(root, 'headwater-api@.service')))
  const verified = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', ...files.filter((one) => !one.includes('@')), instance],
    {
      encoding: 'utf8',
    },
  )
  const ours = verified.stderr.split('\n').filter((line) => line.includes('headwater'))
  t.same(ours, [], 'without a warning')
  for (const file of files) {
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', file]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    t.equal(status, 0, `exposure of at most 2.0: ${stdout.trim().split('\n').at(-1)} ${stderr}`)
  }
})

/**
 * Runs the command of a unit as systemd would. Variables of the settings override those of the unit; the command's
 * override both.
 */
async function startUnit(t: Test, name: string, changes: Record<string, string>) {
  const root = await written(t)
  const unit = readFileSync(unitOf(root, name), 'utf8')
  const settings = readFileSync(join(root, 'etc/headwater/headwater.env'), 'utf8')
  const [program, ...args] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '')
    .replaceAll(PROGRAM, ROOT)
    .replaceAll('%i', '0')
    // The place of Node in this test.
    .replace(/\/usr\/bin\/env --/, `${process.execPath} --`)
    .split(' ')
  const set = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm), ...settings.matchAll(/^(\w+)=(.*)$/gm)]
  const env = { ...Object.fromEntries(set.map(([, key, value]) => [key, value])), PATH: process.env.PATH, ...changes }
  const child = spawn(program as string, args, { env, cwd: ROOT })
  t.teardown(() => child.kill('SIGKILL'))
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  await until('the program serves', () => log.includes('"msg":"serves"'))
  const url = /"url":"(http:[^"]+)"/.exec(log)?.[1] ?? ''
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return { code, url: new URL(url), log }
}

t.test('the commands of the units run with their settings alone, and end cleanly', async (t) => {
  const { url: database } = await testDatabase(t)
  const recorded = { DATABASE_URL: database, HEADWATER_CHAINS: 'dev', HEADWATER_DEV_SOURCE_FILE: recording }
  const whole = await startUnit(t, 'headwater.service', { ...recorded, PORT: '0' })
  t.equal(whole.code, 0, whole.log)
  t.equal(whole.url.hostname, '127.0.0.1', 'the host of the settings')
  const api = await startUnit(t, 'headwater-api@.service', recorded)
  t.equal(api.code, 0, api.log)
  t.not(api.url.port, '7700', 'the port of the unit, not of the settings')
})
