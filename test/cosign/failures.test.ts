// A failed trial counts against the account if the account signed the transaction, else against the client's address.
import { Checksum256, PrivateKey, Serializer, Transaction } from '@wharfkit/antelope'
import t, { type Test } from 'tap'
import { networks } from '../../devnet/networks.ts'
import { testDatabase } from '../support/database.ts'
import { TestNode, withKey } from './node.ts'
import { shipped, startTestCosigner } from './service.ts'
import { noop, pack, transfer, transferData, USER } from './transactions.ts'

const userKey = PrivateKey.generate('K1')
const from = (address: string) => ({ 'x-forwarded-for': address })
const [ATTACKER, HOME] = ['203.0.113.66', '198.51.100.7']

async function setUp(t: Test) {
  const node = await new TestNode().start(t)
  node.accounts.set('liquid.svc', withKey(PrivateKey.generate('K1')))
  node.accounts.set(USER, withKey(userKey))
  const database = await testDatabase(t)
  const limits = { ...shipped().config.limits, ipFailuresHour: 20 }
  const cosigner = await startTestCosigner(t, database, { node: node.url, tokens: 'any', limits })
  let made = 0
  const swapOf = (wax: number) => {
    const memo = `swapexactin#0#${USER}#0.000001 USDT@usdt.svc#0`
    const data = transferData('swap.svc', { memo, quantity: `${wax}.00000000 WAX` })
    return pack([noop(), transfer('swap.svc', { data })], node.reference)
  }
  const swap = () => swapOf(++made)
  const failing = () => swapOf(90_000_000 + ++made)
  const signed = (hex: string, key: PrivateKey) => {
    const digest = Serializer.decode({ data: hex, type: Transaction }).signingDigest(
      Checksum256.from(networks.wax.chainId),
    )
    return String(key.signDigest(digest))
  }
  const ask = (hex: string, address: string, key?: PrivateKey) => {
    const signatures = key === undefined ? undefined : [signed(hex, key)]
    const body = JSON.stringify({ serializedTransaction: hex, signatures })
    return cosigner.post('/api/v2/cpu/cosign', body, from(address))
  }
  return { ...database, swap, failing, ask }
}

t.test('failing requests that name an account and are not signed by it do not lock it out', async (t) => {
  const { pool, swap, failing, ask } = await setUp(t)
  const stranger = PrivateKey.generate('K1')
  for (let i = 0; i < 20; i++)
    t.match((await ask(failing(), ATTACKER, i % 2 === 0 ? undefined : stranger)).body, { error: /overdrawn/ })
  const refused = { error: 'Too many transactions from this address have failed: try again in an hour' }
  t.same((await ask(swap(), ATTACKER)).body, refused)
  t.same((await ask(swap(), ATTACKER, stranger)).body, refused)
  t.equal((await ask(swap(), HOME)).status, 201, 'the account is served elsewhere')
  t.equal((await ask(swap(), ATTACKER, userKey)).status, 201, 'and at that address when it has signed')
  const { rows } = await pool.query(
    `select scope, key, used from cosign.counters where scope in ('account', 'failure-own', 'failure-ip') and period = 'hour' order by 1`,
  )
  t.same(rows, [
    { scope: 'account', key: USER, used: 1 },
    { scope: 'failure-ip', key: ATTACKER, used: 20 },
  ])
})

t.test('failures that the account has signed count against it, wherever they come from', async (t) => {
  const { swap, failing, ask } = await setUp(t)
  for (let i = 0; i < 20; i++) t.match((await ask(failing(), `203.0.113.${i}`, userKey)).body, { error: /overdrawn/ })
  const refused = { error: 'Too many transactions of this account have failed: try again in an hour' }
  t.same((await ask(swap(), HOME, userKey)).body, refused)
  t.same((await ask(swap(), HOME)).body, refused)
})
