// `headwater check` for the CPU sponsor: a key with more rights than paying is a failure.
import { PrivateKey } from '@wharfkit/antelope'
import t from 'tap'
import { checkCosign } from '../../bin/checks/cosign.ts'
import { findingLine } from '../../bin/checks/finding.ts'
import { switchCosigner } from '../../cosign/start.ts'
import { testDatabase } from '../support/database.ts'
import { TestNode, withKey } from './node.ts'
import { keyFile, shipped } from './service.ts'

const key = PrivateKey.generate('K1')
const link = { account: 'liquid.svc', action: 'noop' }
const account = (links: { account: string; action: string }[], bw: string, more = {}) =>
  withKey(PrivateKey.generate('K1'), { keys: { bw }, links: { bw: links }, ...more })
const publicKey = String(key.toPublic())

t.test('the key, its permission and the actions linked to it', async (t) => {
  const node = await new TestNode().start(t)
  const check = async (changes: { keyFile?: string; node?: string } = {}) => {
    const { chain, config } = shipped({ keyFile: keyFile(t, String(key)), node: node.url, ...changes })
    return (await checkCosign({ chains: [chain], cosign: config })).map(({ level, message }) => `${level}: ${message}`)
  }
  t.same(await checkCosign({ chains: [], cosign: shipped().config }), [], 'nothing is configured')
  t.match(
    await check(),
    ['ok: PUB_K1_', 'fail: the node does not know the account liquid.svc', 'ok: the node tries'].map(
      (text) => new RegExp(text),
    ),
  )

  node.accounts.set('liquid.svc', account([link], publicKey))
  t.match(await check(), [
    /^ok: PUB_K1_.*owner alone/,
    /^ok: one key/,
    /^ok: linked to liquid.svc::noop only/,
    /^ok: the node tries transactions/,
  ])
  node.missing.add('compute_transaction')
  node.readOnly = {
    name: 'transaction_exception',
    message: "read-only action 'noop' cannot have authorizations",
    asTrace: false,
  }
  t.match((await check()).at(-1), /^fail: .* cannot try transactions/)
  node.missing.delete('compute_transaction')
  t.match((await check({ node: undefined }))[1], /^warn: not checked/)
  t.match((await check({ keyFile: keyFile(t, String(key), 0o644) }))[0], /^fail: others than its owner/)

  const bad: [ReturnType<typeof account>, RegExp][] = [
    [account([], publicKey), /fail: it is linked to nothing/],
    [
      account([link, { account: 'eosio.token', action: 'transfer' }], publicKey),
      /fail: it is linked to eosio.token::transfer too/,
    ],
    [account([{ account: 'liquid.svc', action: '' }], publicKey), /fail: it is linked to liquid.svc::\* too/],
    [account([link], String(PrivateKey.generate('K1').toPublic())), /fail: its key is .*the key file holds another/],
    [account([link], publicKey, { delegates: 1 }), /fail: it has not exactly one key/],
    [
      withKey(key, { keys: { bw: publicKey }, links: { bw: [link] } }),
      /fail: its key is also that of liquid.svc@active/,
    ],
    [
      withKey(PrivateKey.generate('K1'), {
        ...{ keys: { bw: publicKey, below: 'PUB_K1_x', deeper: 'PUB_K1_y' }, links: { bw: [link] } },
        parents: { below: 'bw', deeper: 'below' },
      }),
      /fail: the permission below stands below it[\s\S]*fail: the permission deeper stands below it/,
    ],
    [withKey(key), /fail: the account has no such permission/],
  ]
  for (const [state, expected] of bad) {
    node.accounts.set('liquid.svc', state)
    t.match((await check()).join('\n'), expected)
  }
})

t.test('the login of the cosigner, which can use nothing else', async (t) => {
  const { url, pool } = await testDatabase(t)
  const { chain, config } = shipped({ keyFile: keyFile(t, String(key)) })
  const lineFor = async (database: string | undefined) => {
    const found = await checkCosign({ chains: [chain], cosign: config, database })
    return found.map(findingLine).filter((line) => line.includes('cosigner database'))
  }
  const loginOf = async (name: string) => {
    const login = `${name}_${process.pid}`
    await pool.query(`create role ${login} login`)
    t.teardown(() => pool.query(`drop role ${login}`))
    return { login, database: Object.assign(new URL(url), { username: login }).href }
  }
  const { login, database } = await loginOf('check_cosigner')
  t.match(await lineFor(database), [
    /^fail {2}cosigner database: the database cannot be used: permission denied to set role .*grant headwater_cosigner to/,
  ])
  await pool.query(`grant headwater_cosigner to ${login}`)
  t.same(await lineFor(database), ['ok    cosigner database: this login can count the limits'])
  await switchCosigner(database, chain.chain, false, { info() {}, warn() {}, error() {} })
  t.same(await lineFor(database), [
    `warn  cosigner database: cosigning for ${chain.chain} is switched off; headwater cosign --on`,
  ])
  await pool.query('alter function cosign.is_on(text) rename to was_on')
  t.match(await lineFor(database), [/^fail .*the database has no cosign\.is_on\(text\); run `headwater migrate`/])
  t.match(await lineFor('postgresql://me@127.0.0.1:1/none'), [/^fail .*the database cannot be used: .*ECONNREFUSED/])
  t.same(await lineFor(undefined), [], 'without an address, the embedded server is that of `headwater check`')
})
