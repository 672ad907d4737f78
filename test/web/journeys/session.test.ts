// Antelope wallets of the page with a devnet's chain API: a session with a key signs, packs and pushes as wallets do.
import t from 'tap'
import { tsImport } from 'tsx/esm/api'
import { Chain } from '../../../devnet/chain/chain.ts'
import { Inbox } from '../../../devnet/chain/inbox.ts'
import { buildExchange, VISITOR } from '../../../devnet/contracts/exchange.ts'
import { telosProfile } from '../../../devnet/contracts/profile.ts'
import { startHttp } from '../../../devnet/http/server.ts'
import { networks } from '../../../devnet/networks.ts'
import { VISITOR_KEY } from '../../../devnet/visitor/visitor.ts'
import { ChainApi } from '../../../web/bridge/core/antelope/chain-api.ts'
import type { AntelopeWallet, BridgeConfig, ChainAccess, WalletChoice } from '../../../web/bridge/core/types.ts'
import { fakeDialogs } from './fake-dialogs.ts'
import { CONFIG, OWNER } from './scene.ts'

const { contracts, genesis, isAccount } = buildExchange(telosProfile)
const { chainId } = networks.telos
const startTime = Math.floor(Date.now() / 500) * 500 - 120_000
const chain = new Chain({ chainId, seed: 'session', startTime, contracts })
const first = chain.begin()
for (const calls of genesis) first.push(calls)
first.finish()
const inbox = new Inbox(chain)
const http = await startHttp(chain, { inbox, isAccount })
t.teardown(() => http.stop())
const blocks = setInterval(() => {
  const next = chain.begin()
  inbox.fill(next)
  next.finish()
}, 20)
t.teardown(() => clearInterval(blocks))

// The page's code uses other type libraries, so it is loaded at run time.
const file = new URL('../../../web/bridge/wallets/antelope.ts', import.meta.url).href
const { antelopeChoices } = (await tsImport(file, import.meta.url)) as {
  antelopeChoices(chain: ChainAccess, config: BridgeConfig): readonly WalletChoice[]
}
const access = { ...CONFIG.chains[1]!, antelopeId: chainId, node: http.url }
const config = { ...CONFIG, demo: { script: '', address: OWNER, account: 'bob', key: VISITOR_KEY } }
const node = new ChainApi('Telos', http.url, fetch)

t.test('wallets need a node of the chain, Cloud Wallet is only for wax, a key only for a demo', async (t) => {
  const names = (chain: ChainAccess, config: BridgeConfig) => antelopeChoices(chain, config).map(({ name }) => name)
  t.same(names(access, CONFIG), ['Anchor'])
  t.same(names({ ...access, id: 'wax' }, CONFIG), ['Anchor', 'Cloud Wallet'])
  t.same(names(access, config), ['Demo account bob', 'Anchor'])
  t.same(names({ ...access, node: null }, config), [])
})

t.test('accounts and balances are read from the node', async (t) => {
  t.ok(await node.hasAccount('bob'))
  t.ok(await node.hasAccount(VISITOR))
  t.ok(await node.hasAccount('wrap.svc'))
  t.notOk(await node.hasAccount('nobody'))
  t.equal(await node.balance('wrap.svc', 'bob', 'USDC'), 2_000_000n * 10n ** 6n)
  t.equal(await node.balance('wrap.svc', VISITOR, 'USDC'), 0n)
  t.equal(await node.balance('wrap.svc', 'nobody', 'USDC'), 0n)
})

t.test('a session signs and pushes; refusals of contracts are explained in words', async (t) => {
  const wallet = (await antelopeChoices(access, config)[0]!.connect('telos')) as AntelopeWallet
  t.match(wallet, { account: 'bob', permission: 'active', chain: 'telos' })
  const dialogs = fakeDialogs(t)
  const transfer = (quantity: string, memo = '') => ({
    account: 'wrap.svc',
    name: 'transfer',
    authorization: [{ actor: 'bob', permission: 'active' }],
    data: { from: 'bob', to: VISITOR, quantity, memo },
  })
  dialogs.agrees = false
  await t.rejects(wallet.transact([transfer('12.500000 USDC')]), { code: 'WALLET_REJECTED' })
  t.equal(await node.balance('wrap.svc', VISITOR, 'USDC'), 0n, 'nothing is signed that the user refuses')
  dialogs.agrees = true
  const id = await wallet.transact([transfer('12.500000 USDC', 'lunch')])
  t.same(dialogs.rows, {
    Chain: 'Telos',
    Signs: 'bob@active',
    'What it does': 'Send tokens',
    From: 'bob',
    To: VISITOR,
    Amount: '12.500000 USDC',
    Memo: 'lunch',
    Call: 'wrap.svc::transfer',
  })
  t.match(id, /^[0-9a-f]{64}$/)
  t.equal(await node.balance('wrap.svc', VISITOR, 'USDC'), 12_500_000n)
  await t.rejects(wallet.transact([transfer('99999999.000000 USDC')]), { code: 'NOT_ENOUGH' })
  const claim = { account: 'bridge.svc', name: 'claim', data: { owner: 'bob', sym_code: 'USDC' } }
  const authorization = [{ actor: 'bob', permission: 'active' }]
  await t.rejects(wallet.transact([{ ...claim, authorization }]), { code: 'NOTHING_TO_COLLECT' })
  t.match(dialogs.rows, { 'What it does': /^Collect/, Account: 'bob', Token: 'USDC', Call: 'bridge.svc::claim' })
  t.equal(dialogs.count, 4, 'each is asked once')
})
