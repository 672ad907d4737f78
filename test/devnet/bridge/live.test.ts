// Transfers in each direction, from start to end: the contracts on an EVM node, the indexer, the public API, the relayer.
import t from 'tap'
import type { ContractName } from '../../../contracts/compile.ts'
import { WAX_DOMAIN } from '../../../devnet/contracts/bridge/domains.ts'
import { amountOf, HOP, tokenOf } from '../../../devnet/contracts/exchange.ts'
import { telosProfile } from '../../../devnet/contracts/profile.ts'
import { evmAddress, RELAYER_ADDRESS, SLEEPERS } from '../../../devnet/evm/accounts.ts'
import { LIGHT_CLIENT_ADDRESS, USDC_ADDRESS, VAULT_ADDRESS } from '../../../devnet/evm/addresses.ts'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import type { AntelopeNode } from '../../../devnet/relayer/antelope-node.ts'
import { startLiveBridge } from './live-bridge.ts'

t.setTimeout(300_000)

const bridge = await startLiveBridge(t, 1)
const { users, places, until, deeds } = bridge
const { api } = places

async function view(address: string, contract: ContractName, method: string, ...values: unknown[]): Promise<bigint> {
  const data = interfaceOf(contract).encodeFunctionData(method, values)
  return BigInt(await places.evm.call<string>('eth_call', { to: address, data }, 'latest'))
}

const heldOnEvm = (user: string) => view(USDC_ADDRESS, 'PlainToken', 'balanceOf', evmAddress(user))

/** Raw units of a wrapped token. */
async function held(node: AntelopeNode, owner: string, code: string): Promise<bigint> {
  const rows = await node.rows<{ balance: string }>('wrap.svc', owner, 'accounts')
  const found = rows.find(({ balance }) => balance.endsWith(` ${code}`))?.balance ?? '0'
  return BigInt(found.split(' ')[0]!.replace('.', ''))
}

const journey = (key: string, status: string) =>
  until(
    `${key} ${status}`,
    () => api.hop(key),
    (answer) => answer?.status === status,
  )

const usdc = (amount: number) => amountOf(tokenOf(telosProfile, 'USDC'), amount)

/** The newest withdrawal of an owner on the ledger. */
async function lastWithdrawal(owner: string): Promise<string> {
  const rows = await places.telos.rows<{ id: number; owner: string }>('bridge.svc', 'bridge.svc', 'wdraws')
  return `w:${rows.findLast((row) => row.owner === owner)!.id}`
}

t.test('the API serves what the devnet has made', async (t) => {
  await until(
    'the bridge',
    () => fetch(`${bridge.url}/chains`),
    ({ ok }) => ok,
  )
  const { sources } = (await (await fetch(`${bridge.url}/chains`)).json()) as {
    sources: { id: string; contracts: object }[]
  }
  t.match(
    sources.find(({ id }) => id === 'mainnet'),
    { chainId: 1, contracts: { vault: VAULT_ADDRESS, lightClient: LIGHT_CLIENT_ADDRESS } },
  )
})

t.test('transfers in each direction', async (t) => {
  t.jobs = 8

  t.test('a deposit on the EVM chain is credited on telos and collected', async (t) => {
    const before = await held(places.telos, 'bob', 'USDC')
    const key = await users.depositEvm('bob', 'USDC', 120, 'bob')
    await users.collect(key, 'bob', 'USDC')
    t.equal(await held(places.telos, 'bob', 'USDC'), before + 120_000_000n)
    await journey(key, 'delivered')
    t.ok(deeds.some((deed) => deed.key === key && deed.what === 'credit' && deed.refused === null))
  })

  t.test('a deposit on the EVM chain goes over telos to wax', async (t) => {
    const before = await held(places.wax, 'frank', 'USDC')
    const key = await users.depositEvm('frank', 'USDC', 50, HOP, `${WAX_DOMAIN}:frank|1:${evmAddress('frank')}`)
    await journey(key, 'delivered')
    t.equal(await held(places.wax, 'frank', 'USDC'), before + 50_000_000n)
    t.match(
      deeds.filter((deed) => deed.key === key).map(({ what }) => what),
      ['credit', 'forward'],
    )
  })

  t.test('a withdrawal is proved, released on the EVM chain with its fee, and settled on telos', async (t) => {
    const [before, relayers] = await Promise.all([
      heldOnEvm('dave'),
      view(USDC_ADDRESS, 'PlainToken', 'balanceOf', RELAYER_ADDRESS),
    ])
    await users.withdraw('dave', usdc(75), 1n, evmAddress('dave'), 250_000n)
    const key = await lastWithdrawal('dave')
    await until(
      `${key} released`,
      () => api.transfer(key),
      (leg) => leg?.status === 'released',
    )
    t.equal(await heldOnEvm('dave'), before + 74_750_000n)
    t.equal(await view(USDC_ADDRESS, 'PlainToken', 'balanceOf', RELAYER_ADDRESS), relayers + 250_000n)
    const proof = await api.proof(key.slice(2))
    const stored = await view(
      LIGHT_CLIENT_ADDRESS,
      'SvcLightClient',
      'roots',
      proof!.hard.submitRoot.finality.finalityMroot,
    )
    t.equal(proof!.track, 'light', 'its root is stored now')
    t.ok(stored > 0n, 'by the light client, which has checked its certificate')
    const row = async () =>
      (await places.telos.rows<{ id: number; status: number }>('bridge.svc', 'bridge.svc', 'wdraws')).find(
        ({ id }) => `w:${id}` === key,
      )
    await until(`${key} settled`, row, (found) => found?.status === 1)
  })

  t.test('a withdrawal carries data for its receiver', async (t) => {
    await users.withdrawWithMemo('judy', usdc(40), evmAddress('judy'), 'invoice 4711')
    const key = await lastWithdrawal('judy')
    const leg = await until(
      `${key} released`,
      () => api.transfer(key),
      (answer) => answer?.status === 'released',
    )
    const topic = `0x${BigInt(key.slice(2)).toString(16).padStart(64, '0')}`
    const logs = await places.evm.call<{ data: string; transactionHash: string }[]>('eth_getLogs', {
      fromBlock: '0x1',
      toBlock: 'latest',
      topics: [interfaceOf('SvcWithdrawals').getEvent('Released')!.topicHash, topic],
    })
    t.equal(logs.length, 1)
    t.ok(logs[0]!.data.includes(Buffer.from('invoice 4711').toString('hex')))
    t.match(leg!.dst_tx, logs[0]!.transactionHash.slice(2))
  })

  t.test('a deposit on wax goes over telos to the EVM chain', async (t) => {
    const before = await heldOnEvm('ivan')
    const memo = `${HOP}:1:${evmAddress('ivan')}|${WAX_DOMAIN}:ivan`
    await users.depositWax('ivan', usdc(45), memo)
    await until(
      'the release',
      () => heldOnEvm('ivan'),
      (now) => now === before + 45_000_000n,
    )
    t.pass()
  })

  t.test('a release over the allowance of the vault is refused, and succeeds later', async (t) => {
    // History leaves some that take of the same allowance.
    const others = async () =>
      (await api.pending()).pending.filter((one) => one.symbol === 'USDT' && one.domain === '1')
    await until('the vault', others, (list) => list.every(({ recipient }) => SLEEPERS.includes(recipient)))
    await users.withdrawTooMuch('grace', 'USDT')
    const key = await lastWithdrawal('grace')
    await until(
      `${key} released`,
      () => api.transfer(key),
      (leg) => leg?.status === 'released',
    )
    const own = deeds.filter((deed) => deed.key === key && deed.what === 'release')
    t.equal(own[0]?.refused, 'OutflowLimited')
    t.equal(own.at(-1)?.refused, null)
  })
})
