// Own process: the compiler of Solidity adds a listener for unhandled rejections.
// Deposits of the page into the real vault: an EVM node, a wallet that lets the node sign, and a bridge API that serves
// only routes. The token refuses allowance changes like USDT.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ContractFactory, type InterfaceAbi, type JsonRpcProvider } from 'ethers'
import t from 'tap'
import { nameToU64 } from '../../../core/antelope/name.ts'
import { Client } from '../../../web/bridge/core/client.ts'
import { checksummed } from '../../../web/bridge/core/parties.ts'
import type { EvmWallet, Journey, JourneyView } from '../../../web/bridge/core/types.ts'
import { Anvil } from '../../contracts/anvil.ts'
import { CHAINS, CONFIG, NATIVE, ROUTES, USDT, VAULT } from './scene.ts'

const anvil = await Anvil.start({ chainId: 1, time: Math.floor(Date.parse('2026-03-01') / 1000) })
t.teardown(() => anvil.stop())
const vault = await anvil.deploy('SvcVault', 0)
const token = await stubborn(anvil.provider)
const owner = checksummed(await anvil.sender.getAddress())
const [vaultAddress, tokenAddress] = await Promise.all([vault.getAddress(), token.getAddress()])
const all = 10n ** 15n
await anvil.send(vault, 'setAsset', tokenAddress, 1, all, true, 5_000_000)
await anvil.send(vault, 'setAsset', NATIVE, 10n ** 10n, 10n ** 28n, true, 1000)

async function stubborn(provider: JsonRpcProvider) {
  const file = new URL('stubborn-token.sol', import.meta.url)
  const sources = { token: { content: readFileSync(file, 'utf8') } }
  const outputSelection = { token: { StubbornToken: ['abi', 'evm.bytecode.object'] } }
  const input = JSON.stringify({ language: 'Solidity', sources, settings: { outputSelection } })
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const { abi, evm } = (
    JSON.parse(solc.compile(input)) as {
      contracts: { token: { StubbornToken: { abi: InterfaceAbi; evm: { bytecode: { object: string } } } } }
    }
  ).contracts.token.StubbornToken
  const made = await new ContractFactory(abi, evm.bytecode.object, await provider.getSigner(0)).deploy(10n ** 12n)
  await made.waitForDeployment()
  return made
}

const wallet: EvmWallet = {
  kind: 'evm',
  choice: { id: 'test', name: 'Test', icon: null, kind: 'evm', connect: async () => wallet },
  address: owner,
  provider: { request: ({ method, params = [] }) => anvil.provider.send(method, params as unknown[]) },
  onChange: () => () => {},
  disconnect: async () => {},
}

/** The scene's routes, with the addresses of this chain. */
const here = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(VAULT, vaultAddress).replaceAll(USDT, tokenAddress)) as T
const answers: [RegExp, unknown][] = [
  [/\/routes$/, { routes: here(ROUTES) }],
  [/\/chains$/, here(CHAINS)],
  [/get_account$/, {}],
  [/transfers\?/, { transfers: [] }],
]
const client = new Client(CONFIG, {
  fetch: async (url) => {
    const found = answers.find(([path]) => path.test(url))
    return new Response(JSON.stringify(found?.[1] ?? {}), { status: found ? 200 : 404 })
  },
})
await client.refresh()

async function seen(journey: Journey, good: (view: JourneyView) => boolean): Promise<JourneyView> {
  for (let i = 0; i < 600; i++) {
    if (good(journey.view)) return journey.view
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(JSON.stringify(journey.view))
}

const draft = { from: 'mainnet', to: 'telos', token: 'USDT', amount: '12.5', recipient: 'alice' }
const deposits = async () => {
  const logs = await vault.queryFilter(vault.getEvent('Deposit'))
  return logs.map((log) => vault.interface.parseLog(log)!.args)
}

t.test('the allowance of a token that forbids changes is set to zero, then to the amount, then used up', async (t) => {
  await (await token.getFunction('approve')(vaultAddress, 3n)).wait()
  const journey = client.start(draft, wallet)
  t.teardown(() => journey.close())
  const view = await seen(journey, ({ key }) => key !== null)
  t.same(
    view.transactions.map(({ label }) => label),
    ['Reset allowance', 'Approve', 'Deposit'],
  )
  t.equal(view.key, 'd:1:0')
  const [made] = await deposits()
  t.same(
    [made!.amount, made!.canonical, made!.telosTo, made!.refundTo, made!.memo],
    [12_500_000n, 12_500_000n, nameToU64('alice'), owner, '0x'],
  )
  t.equal(await token.getFunction('allowance')(owner, vaultAddress), 0n, 'no allowance is left behind')
})

t.test('a deposit of the native coin omits the digits below the ledger’s precision', async (t) => {
  const journey = client.start({ ...draft, to: 'wax', token: 'ETH', amount: '0.123456789012345678' }, wallet)
  t.teardown(() => journey.close())
  t.equal((await seen(journey, ({ key }) => key !== null)).key, 'd:1:1')
  const made = (await deposits()).at(-1)!
  t.same([made.amount, made.canonical, made.telosTo], [123_456_780_000_000_000n, 12_345_678n, nameToU64('hop.svc')])
  t.equal(await anvil.provider.getBalance(vaultAddress), 123_456_780_000_000_000n)
})

t.test('the vault’s own refusals are shown before anything is signed', async (t) => {
  const refused = async (change: () => Promise<unknown>, code: string) => {
    const undo = await anvil.snapshot()
    await change()
    const before = await anvil.provider.getTransactionCount(owner)
    const journey = client.start({ ...draft, token: 'ETH', amount: '0.5' }, wallet)
    const { error } = await seen(journey, ({ phase }) => phase === 'failed')
    journey.close()
    t.equal(error?.code, code)
    t.equal(await anvil.provider.getTransactionCount(owner), before, 'nothing was sent')
    await undo()
  }
  await refused(() => anvil.send(vault, 'setPaused', true, false), 'CONTRACT_DEPOSITS_PAUSED')
  const eth = (cap: bigint, enabled: boolean, least: bigint) => () =>
    anvil.send(vault, 'setAsset', NATIVE, 10n ** 10n, cap, enabled, least)
  await refused(eth(10n ** 17n, true, 1000n), 'CONTRACT_CAP_EXCEEDED')
  await refused(eth(10n ** 28n, false, 1000n), 'CONTRACT_ASSET_DISABLED')
  await refused(eth(10n ** 28n, true, 50_000_001n), 'CONTRACT_BELOW_MINIMUM')
})
