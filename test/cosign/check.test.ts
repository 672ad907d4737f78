// `headwater check` for the CPU sponsor: a key with more rights than paying is a failure.
import { PrivateKey } from '@wharfkit/antelope'
import t from 'tap'
import { checkCosign } from '../../bin/checks/cosign.ts'
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
