// The published package: packed by npm, installed offline into a folder outside of the checkout, and used by plain
// JavaScript and strict TypeScript, README included, against a live API.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { WAX_SCENE } from '../api/exchange/scene.ts'
import { testApi, testChain } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  // The declarations of the package are checked, those of TypeScript itself are not.
  skipDefaultLibCheck: true,
  target: 'ES2022',
  noEmit: true,
}

t.test('the package', async (t) => {
  const folder = temporaryFolder(t)
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database, { chains: [testChain('wax', 'dev', { hosts: ['127.0.0.1'] })] })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`

  // An empty cache and a registry that never answers: an install that needs the registry fails.
  const env = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_registry: 'http://127.0.0.1:1' }
  const npm = (cwd: string, ...words: string[]) => run('npm', [...words, '--no-audit', '--no-fund'], { cwd, env })
  const { stdout } = await npm(join(root, 'client'), 'pack', '--json', '--pack-destination', folder)
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')))
  const program = join(folder, 'program')
  await mkdir(program)
  await writeFile(join(program, 'package.json'), '{ "name": "program", "type": "module", "private": true }')
  await npm(program, 'install', '--offline', join(folder, packed.filename))

  t.test('holds what runs, its types, README and licence, and nothing else', async (t) => {
    const names = (packed.files as { path: string }[]).map(({ path }) => path)
    const modules = ['index', 'facts', 'types', 'generated/openapi'].flatMap((name) => [
      `dist/${name}.d.ts`,
      `dist/${name}.js`,
    ])
    t.same(names.toSorted(), ['LICENSE', 'README.md', 'package.json', ...modules].toSorted())
    t.ok(packed.size < 50_000, `${packed.size} bytes`)
    const manifest = JSON.parse(await readFile(join(program, 'node_modules/@headwater/client/package.json'), 'utf8'))
    const { dependencies, private: isPrivate, version, license, engines } = manifest
    t.same({ dependencies, isPrivate, license }, { dependencies: undefined, isPrivate: undefined, license: 'MIT' })
    t.match(version, /^\d+\.\d+\.\d+$/)
    t.match(engines.node, /^>=\d+/)
    const [ours, its] = await Promise.all(
      ['LICENSE', 'client/LICENSE'].map((name) => readFile(join(root, name), 'utf8')),
    )
    t.equal(its, ours)
  })

  t.test('runs in plain Node', async (t) => {
    const code = `import { ApiError, createClient } from '@headwater/client'
      const client = createClient({ baseUrl: '${baseUrl}', headers: { 'x-program': 'test' } })
      const unknown = await client.get('/api/v2/tokens/{tokenId}', { path: { tokenId: 'no' } }).catch((error) => error)
      let swaps = 0
      for await (const _ of client.rows('/api/v2/swap/pools/{poolId}/swaps', { path: { poolId: 0 }, query: { limit: 50 } }))
        swaps++
      const pairs = await client.get('/api/v2/pairs')
      console.log(JSON.stringify({ pairs: pairs.length, swaps, isError: unknown instanceof ApiError, status: unknown.status }))`
    await writeFile(join(program, 'program.js'), code)
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: program })
    const { rows } = await database.pool.query('select count(*)::int as swaps from ledger.swaps where pool_id = 0')
    t.ok(rows[0].swaps > 50)
    t.same(JSON.parse(stdout), { pairs: 3, swaps: rows[0].swaps, isError: true, status: 403 })
  })

  t.test('compiles in strict TypeScript: a program, and every example of the README', async (t) => {
    const readme = await readFile(join(program, 'node_modules/@headwater/client/README.md'), 'utf8')
    const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string)
    t.equal(examples.length, 3)
    for (const [i, code] of examples.entries()) await writeFile(join(program, `example-${i}.ts`), code)
    await writeFile(
      join(program, 'wrong.ts'),
      `import { createClient } from '@headwater/client'
      // @ts-expect-error there is no such path; if the types were not found, every path would compile
      createClient({ baseUrl: '' }).get('/api/v2/no-such-path')`,
    )
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const compilerOptions = { ...STRICT, module: 'NodeNext', lib: ['ES2022', 'DOM'], types: [] }
    await writeFile(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const compiled = await run(process.execPath, [compiler], { cwd: program }).catch((error) => error)
    t.equal(compiled.stdout, '')
  })
})
