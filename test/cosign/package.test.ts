// The package of the cosigner as it is published, without the checkout.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Checksum256, PrivateKey, Signature } from '@wharfkit/antelope'
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { installedPackage } from '../support/installed-package.ts'
import { keyFile, postTo, shipped } from './service.ts'
import { unique } from './transactions.ts'

t.test('the package', async (t) => {
  const { start, outcome, checkContents } = await installedPackage(t, 'cosign')

  t.test('holds the program, the chains, README and licence, and few dependencies', (t) =>
    checkContents(t, ['main.js', 'signer-thread.js'], 8),
  )

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
    const child = start([], variables)
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
