// The package as it is published: packed by npm, installed with its dependencies into an empty folder outside of the
// checkout, and run there alone. The registry is on this machine.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Checksum256, PrivateKey, Signature } from '@wharfkit/antelope'
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { startLocalRegistry } from '../support/local-registry.ts'
import { keyFile, postTo, shipped } from './service.ts'
import { unique } from './transactions.ts'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname
const MAX_DEPENDENCIES = 8

t.test('the package', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-cosign-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const registry = await startLocalRegistry(t)
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, npm_config_cache: join(folder, 'cache'), npm_config_registry: registry }
  const npm = (cwd: string, ...words: string[]) => run('npm', [...words, '--no-audit', '--no-fund'], { cwd, env })
  const { stdout } = await npm(join(root, 'cosign'), 'pack', '--json', '--pack-destination', folder)
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
  const home = join(folder, 'home')
  await mkdir(home)
  await writeFile(join(home, 'package.json'), '{ "name": "home", "private": true }')
  await npm(home, 'install', join(folder, packed.filename))
  const program = join(home, 'node_modules/.bin/headwater-cosign')

  /** Runs the program to its end, with nothing in its environment but these variables. */
  const outcome = async (words: string[], variables: Record<string, string> = {}) => {
    const child = spawn(program, words, { cwd: home, env: { PATH, HOME, ...variables } })
    let [out, err] = ['', '']
    child.stdout.on('data', (text) => (out += text))
    child.stderr.on('data', (text) => (err += text))
    const [code] = await once(child, 'close')
    return { code, out, err }
  }

  t.test('holds the program, the chains, README and licence, and few dependencies', async (t) => {
    const names = (packed.files as { path: string }[]).map(({ path }) => path)
    const chains = (await readdir(join(root, 'config'))).filter((name) => name.endsWith('.json'))
    const built = ['main.js', 'signer-thread.js', ...chains].map((name) => `dist/${name}`)
    t.same(names.toSorted(), ['LICENSE', 'README.md', 'package.json', ...built].toSorted())
    const manifest = JSON.parse(await readFile(join(home, 'node_modules/@headwater/cosign/package.json'), 'utf8'))
    const program = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const dependencies = Object.entries<string>(manifest.dependencies)
    t.ok(dependencies.length <= MAX_DEPENDENCIES, `${dependencies.length} dependencies`)
    for (const [name, version] of dependencies) t.equal(version, program.dependencies[name], name)
    const { private: isPrivate, license, engines, version } = manifest
    t.same({ isPrivate, license, engines, version }, { isPrivate: undefined, license: 'MIT', ...pick(program) })
    const [ours, its] = await Promise.all(
      ['LICENSE', 'cosign/LICENSE'].map((name) => readFile(join(root, name), 'utf8')),
    )
    t.equal(its, ours)
  })

  t.test('prints its help and its version', async (t) => {
    const [help, version] = await Promise.all([outcome(['--help']), outcome(['--version'])])
    t.match(help, { code: 0, out: /^Signs transactions.*\n\nUsage: headwater-cosign \[options\]/ })
    t.match(version, { code: 0, out: /^headwater-cosign \d+\.\d+\.\d+\n$/ })
  })

  t.test('signs a transaction, with a login that may do nothing but cosign', async (t) => {
    const { url, pool } = await testDatabase(t)
    const login = `cosigner_package_${process.pid}`
    await pool.query(`create role ${login} login in role headwater_cosigner`)
    const key = PrivateKey.generate('K1')
    const variables = {
      DATABASE_URL: Object.assign(new URL(url), { username: login }).href,
      HEADWATER_COSIGN_KEY_FILE: keyFile(t, String(key)),
      HEADWATER_COSIGN_PORT: '0',
    }
    const child = spawn(program, [], { cwd: home, env: { PATH, HOME, ...variables } })
    t.teardown(async () => {
      child.kill('SIGKILL')
      await pool.query(`drop role ${login}`)
    })
    let address: string | undefined
    for await (const line of createInterface(child.stderr)) {
      const { msg, url } = JSON.parse(line)
      if (msg !== 'cosigns') continue
      address = url
      break
    }
    const serializedTransaction = unique()
    const { status, body } = await postTo(`${address}/api/v2/cpu/cosign`, JSON.stringify({ serializedTransaction }))
    t.equal(status, 201)
    const { chainId } = shipped().chain
    const signed = `${chainId}${serializedTransaction}${'00'.repeat(32)}`
    const digest = Checksum256.hash(Buffer.from(signed, 'hex'))
    t.equal(String(Signature.from(body.signature).recoverDigest(digest)), String(key.toPublic()))
    child.kill('SIGTERM')
    t.same(await once(child, 'exit'), [0, null])

    const off = await outcome(['--off'], variables)
    t.same([off.code, off.out], [0, 'wax: cosigning is switched off\n'], off.err)
    await pool.query('drop function cosign.is_on')
    t.match(await outcome([], variables), {
      code: 1,
      err: /^COSIGN_SCHEMA: the database has no cosign\.is_on\(text\)\n/,
    })
  })

  t.test('names the missing settings', async (t) => {
    const nobody = { DATABASE_URL: 'postgresql://127.0.0.1:1/headwater' }
    const [nothing, noServer, noChain, typo] = await Promise.all([
      outcome([]),
      outcome([], nobody),
      outcome([], { ...nobody, HEADWATER_COSIGN_CHAIN: 'waxx' }),
      outcome(['--prot', '7']),
    ])
    t.match(nothing, { code: 1, err: /^COSIGN_DATABASE: no database is configured\n {2}hint: set DATABASE_URL/ })
    t.match(noServer, { code: 1, err: /^COSIGN_DATABASE: the database cannot be used: .*ECONNREFUSED/ })
    t.match(noChain, { code: 1, err: /INVALID_CONFIG[\s\S]*"waxx" has no file.*did you mean wax\?/ })
    t.match(typo, { code: 2, err: /^USAGE: unknown option --prot\n.*did you mean --port\?/ })
  })
})

function pick({ engines, version }: { engines: object; version: string }) {
  return { engines, version }
}
