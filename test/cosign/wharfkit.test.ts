// A WharfKit session with the standard plugin for resource providers: its transactions are paid without own client
// code.
import type { AddressInfo } from 'node:net'
import { PrivateKey } from '@wharfkit/antelope'
import { Session } from '@wharfkit/session'
import { TransactPluginResourceProvider } from '@wharfkit/transact-plugin-resource-provider'
import { WalletPluginPrivateKey } from '@wharfkit/wallet-plugin-privatekey'
import t from 'tap'
import { balanceOf } from '../../devnet/contracts/token.ts'
import { networks } from '../../devnet/networks.ts'
import { testApi, testChain } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { TestNode, withKey } from './node.ts'
import { startTestCosigner } from './service.ts'
import { by, noop, transfer, USER } from './transactions.ts'

const { chainId } = networks.wax

t.test('a session whose transactions are paid for by the stock plugin', async (t) => {
  const database = await testDatabase(t)
  // The session takes the expiration from the system's clock.
  const node = await new TestNode(Date.now()).start(t)
  const [payerKey, userKey] = [PrivateKey.generate('K1'), PrivateKey.generate('K1')]
  const links = { bw: [{ account: 'liquid.svc', action: 'noop' }] }
  const keys = { bw: String(payerKey.toPublic()) }
  node.accounts.set('liquid.svc', withKey(PrivateKey.generate('K1'), { keys, links }))
  node.accounts.set(USER, withKey(userKey))
  const cosigner = await startTestCosigner(t, database, { node: node.url, tokens: 'any' }, { key: payerKey })
  const { app } = await testApi(t, database, {
    chains: [testChain('wax', 'dev', { hosts: ['127.0.0.1'] })],
    cosign: { url: cosigner.url, chain: 'wax' },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const api = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const session = new Session(
    {
      chain: { id: chainId, url: node.url },
      actor: USER,
      permission: 'active',
      walletPlugin: new WalletPluginPrivateKey(String(userKey)),
    },
    {
      fetch,
      transactPlugins: [new TransactPluginResourceProvider({ endpoints: { [chainId]: api }, allowFees: false })],
    },
  )
  const swap = (quantity: string) => ({
    account: 'eosio.token',
    name: 'transfer',
    authorization: [by(USER)],
    data: { from: USER, to: 'swap.svc', quantity, memo: `swapexactin#0#${USER}#0.000001 USDT@usdt.svc#0` },
  })

  t.test('an action: the noop precedes it, the chain accepts it with both signatures', async (t) => {
    const before = balanceOf(node.chain.tables('usdt.svc'), USER, 'USDT')
    const { response, signatures, resolved } = await session.transact({ action: swap('2.00000000 WAX') })
    const transaction = resolved?.transaction
    t.match(response, { transaction_id: String(transaction?.id) })
    t.equal(signatures.length, 2)
    const actions = JSON.parse(JSON.stringify(transaction)).actions
    t.same(actions[0], noop())
    t.same(actions.length, 2)
    t.ok(balanceOf(node.chain.tables('usdt.svc'), USER, 'USDT') > before)
  })

  t.test('several actions, and a whole transaction', async (t) => {
    const { transaction } = await session.transact({ actions: [swap('3.00000000 WAX'), swap('4.00000000 WAX')] })
    t.equal(transaction?.actions.length, 3)
    const { expiration, ref_block_num, ref_block_prefix } = node.reference
    const whole = { expiration, ref_block_num, ref_block_prefix, max_net_usage_words: 0, max_cpu_usage_ms: 0 }
    const header = { delay_sec: 0, context_free_actions: [], transaction_extensions: [] }
    const sent = await session.transact({ transaction: { ...whole, ...header, actions: [swap('5.00000000 WAX')] } })
    t.equal(String(sent.transaction?.actions[0]?.name), 'noop')
    t.equal(String(sent.transaction?.ref_block_prefix), String(ref_block_prefix))
  })

  t.test('a transaction that is not sponsored has no noop, and the user pays', async (t) => {
    const pay = { ...transfer(), data: { from: USER, to: 'bob', quantity: '1.00000000 WAX', memo: '' } }
    const { transaction, signatures } = await session.transact({ action: pay }, { broadcast: false })
    t.same(
      transaction?.actions.map(({ account }) => String(account)),
      ['eosio.token'],
    )
    t.equal(signatures.length, 1)
  })
})
