// Contracts of a withdrawal's destination: which of several belongs to a vault.
import t from 'tap'
import type { BridgeContext } from '../../../api/bridge/bridge-context.ts'
import { destinationOf } from '../../../api/bridge/destination.ts'
import { evmChain, NOW, VAULT, WITHDRAWALS } from './scene.ts'

const [SECOND_VAULT, SECOND_WITHDRAWALS] = [`0x${'44'.repeat(20)}`, `0x${'0f'.repeat(20)}`]
const accounts = [SECOND_WITHDRAWALS, WITHDRAWALS].map((account) => {
  return { chain: 'mainnet', role: 'withdrawals', account, domain: null }
})
const mainnet = { chain: 'mainnet', block: 2, id: 'a', time: NOW, lib: 1, libTime: NOW, firstBlock: 1 }
const context: BridgeContext = {
  ledger: 'telos',
  accounts,
  proved: null,
  followed: false,
  tag: '',
  positions: new Map([['mainnet', { ...mainnet, contradicted: false, rewinds: 0 }]]),
  domains: [{ chain: 'mainnet', domain: 1n, named: true }],
}

const noQuery = () => Promise.reject(new Error('no query is expected'))
const releaseTo = async (vault: string, vaults: string[], withdrawals: string[]) => {
  const config = evmChain([], { vaults, withdrawals, lightClients: [] })
  return (await destinationOf({ query: noQuery }, context, 1n, vault, [config])).releaseTo
}

t.test('of several configured contracts, a vault has the one at its own place', async (t) => {
  const both = [WITHDRAWALS, SECOND_WITHDRAWALS]
  t.equal(await releaseTo(SECOND_VAULT, [VAULT, SECOND_VAULT], both), SECOND_WITHDRAWALS)
  t.equal(await releaseTo(SECOND_VAULT, [VAULT], both), null, 'a vault that is not configured')
  t.equal(await releaseTo(SECOND_VAULT, [VAULT], [WITHDRAWALS]), WITHDRAWALS, 'one contract pays from all vaults')
})

t.test('of several indexed contracts, none is known to be the one of a vault', async (t) => {
  t.equal(await releaseTo(VAULT, [], []), null)
  context.accounts = accounts.slice(1)
  t.equal(await releaseTo(VAULT, [], []), WITHDRAWALS)
})
