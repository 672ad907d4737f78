// Transfers in each direction, from start to end: the contracts on an EVM node, the indexer, the public API, the
// relayer. Simulated users trade at the same time, so payments are checked in logs and legs instead of balances.
import { solidityPackedKeccak256, toBeHex } from 'ethers'
import t from 'tap'
import type { ContractName } from '../../../contracts/compile.ts'
import { fromHex, toHex } from '../../../core/hex.ts'
import { call } from '../../../devnet/contracts/actions.ts'
import { type PolicyRow, type RootRow, rootKey } from '../../../devnet/contracts/bridge/antelope-gateway.ts'
import { WAX_DOMAIN } from '../../../devnet/contracts/bridge/domains.ts'
import { amountOf, buildExchange, GATEWAYS, HOP, tokenOf } from '../../../devnet/contracts/exchange.ts'
import { telosProfile } from '../../../devnet/contracts/profile.ts'
import { evmAddress, OWNER_ADDRESS, RELAYER_ADDRESS, SLEEPERS } from '../../../devnet/evm/accounts.ts'
import {
  LIGHT_CLIENT_ADDRESS,
  USDC_ADDRESS,
  USDT_ADDRESS,
  VAULT_ADDRESS,
  WITHDRAWALS_ADDRESS,
} from '../../../devnet/evm/addresses.ts'
import type { Log } from '../../../devnet/evm/call-evm.ts'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import { DAILY_USD, encode } from '../../../devnet/evm/deploy.ts'
import type { Journey } from '../../../devnet/relayer/bridge-api.ts'
import { execute } from '../../../devnet/relayer/evm-account.ts'
import { gatewayAbi } from '../../../proofs/deposit/abi.ts'
import { Ledger } from '../contracts/ledger.ts'
import { startLiveBridge } from './live-bridge.ts'

/**
 * Storage slot of `pendingLimits` in the vault. A proposal holds the limit and the time from which it can be accepted.
 */
const PENDING_LIMITS_SLOT = 7

const bridge = await startLiveBridge(t, 1)
const { users, places, until, relayed, work } = bridge
const { api, evm, telos, wax } = places

const usdc = (amount: number) => amountOf(tokenOf(telosProfile, 'USDC'), amount)
const has = (status: string) => (answer: { status: string } | null) => answer?.status === status
const journey = (key: string, status: string) => until(`${key} ${status}`, () => api.hop(key), has(status))
const leg = (key: string, status: string) => until(`${key} ${status}`, () => api.transfer(key), has(status))

/** Logs of an event that a contract emitted for a withdrawal. */
async function logged(address: string, contract: ContractName, name: string, key: string) {
  const topic = `0x${BigInt(key.slice(2)).toString(16).padStart(64, '0')}`
  const topics = [interfaceOf(contract).getEvent(name)!.topicHash, topic]
  const logs = await evm.call<Log[]>('eth_getLogs', { address, fromBlock: '0x1', toBlock: 'latest', topics })
  t.equal(logs.length, 1, `${name} once`)
  return interfaceOf(contract).parseLog(logs[0]!)!.args.toObject()
}

const released = (key: string) => logged(VAULT_ADDRESS, 'SvcVault', 'Released', key)

/** The newest withdrawal of an owner on the ledger. */
async function lastWithdrawal(owner: string): Promise<string> {
  return (await lastWithdrawals(owner, 1))[0]!
}

async function lastWithdrawals(owner: string, count: number): Promise<string[]> {
  const rows = await telos.rows<{ id: number; owner: string }>('bridge.svc', 'bridge.svc', 'wdraws')
  const own = rows.filter((row) => row.owner === owner)
  return own.slice(-count).map(({ id }) => `w:${id}`)
}

const went = (key: string) =>
  relayed.flatMap((one) => (one.key === key && one.refused === null && one.what !== 'settle' ? [one.what] : []))

/**
 * Waits until the relayer has pushed these actions for a leg, each once. The indexer may see them before its record.
 */
const wentAs = (key: string, actions: string[]) =>
  until(
    `${key}: ${actions}`,
    async () => went(key),
    (seen) => `${seen}` === `${actions}`,
  )

t.test('the API serves the devnet’s history', async (t) => {
  type Chains = { sources: { id: string }[] }
  const ask = async () => {
    const response = await fetch(`${bridge.url}/chains`)
    return response.ok ? ((await response.json()) as Chains) : null
  }
  const chains = await until('the bridge', ask, (answer) => answer !== null)
  t.match(
    chains!.sources.find(({ id }) => id === 'mainnet'),
    { chainId: 1, contracts: { vault: VAULT_ADDRESS, lightClient: LIGHT_CLIENT_ADDRESS } },
  )
})

t.test('transfers in each direction', async (t) => {
  t.jobs = 8

  t.test('a deposit on the EVM chain is proved to telos, credited and collected', async (t) => {
    const key = await users.depositEvm('bob', 'USDC', 120, 'bob')
    await users.collect(key, 'bob', 'USDC')
    await journey(key, 'delivered')
    t.match(await api.transfer(key), { status: 'credited', symbol: 'USDC', amount: '120000000' })
    await wentAs(key, ['credit'])
    const trusted = await telos.rows('gateway.evm', 'gateway.evm', 'trusted')
    t.ok(trusted.length > 0, 'the gateway has checked that its block is final')
  })

  t.test('a deposit on the EVM chain is sent through telos to wax', async (t) => {
    const key = await users.depositEvm('frank', 'USDC', 50, HOP, `${WAX_DOMAIN}:frank|1:${evmAddress('frank')}`)
    const { legs } = (await journey(key, 'delivered'))!
    t.match(legs, [
      { key, status: 'forwarded' },
      { key: /^w:\d+$/, status: 'released' },
    ])
    const paid = legs[1]!.key
    t.match(await api.transfer(paid), { domain: `${WAX_DOMAIN}`, symbol: 'USDC', amount: '50000000' })
    await wentAs(key, ['credit', 'forward'])
    await wentAs(paid, ['pay'])
    const rows = await wax.rows<{ id: number }>('bridge.svc', 'bridge.svc', 'paid')
    t.ok(rows.some(({ id }) => `w:${id}` === paid))
  })

  t.test('a withdrawal is proved, released on the EVM chain with its fee, and settled on telos', async (t) => {
    await users.withdraw('dave', usdc(75), 1n, evmAddress('dave'), 250_000n)
    const key = await lastWithdrawal('dave')
    await leg(key, 'released')
    const { token, to, amount, feeTo, fee } = await released(key)
    t.same(
      [token, to, feeTo].map((address) => (address as string).toLowerCase()),
      [USDC_ADDRESS, evmAddress('dave'), RELAYER_ADDRESS],
    )
    t.same([amount, fee], [74_750_000n, 250_000n])
    const { track, hard } = (await api.proof(key.slice(2)))!
    t.equal(track, 'light', 'its root is stored now')
    const { finalityMroot } = hard.submitRoot.finality
    const data = interfaceOf('SvcLightClient').encodeFunctionData('roots', [finalityMroot])
    const stored = await evm.call<string>('eth_call', { to: LIGHT_CLIENT_ADDRESS, data }, 'latest')
    t.ok(BigInt(stored) > 0n, 'by the light client, which has checked its certificate')
    const rows = () => telos.rows<{ id: number; status: number }>('bridge.svc', 'bridge.svc', 'wdraws')
    await until(`${key} settled`, rows, (all) => all.some(({ id, status }) => `w:${id}` === key && status === 1))
  })

  t.test('a withdrawal carries data for its receiver', async (t) => {
    await users.withdrawWithMemo('judy', usdc(40), evmAddress('judy'), 'invoice 4711')
    const key = await lastWithdrawal('judy')
    await leg(key, 'released')
    const { memo, amount } = await logged(WITHDRAWALS_ADDRESS, 'SvcWithdrawals', 'Released', key)
    t.same([memo, amount], [`0x${Buffer.from('invoice 4711').toString('hex')}`, 40_000_000n])
  })

  t.test('a deposit on wax is sent through telos to the EVM chain', async (t) => {
    const before = (await api.hopsOf('ivan')).map(({ key }) => key)
    await users.depositWax('ivan', usdc(45), `${HOP}:1:${evmAddress('ivan')}|${WAX_DOMAIN}:ivan`)
    const isNew = ({ key, from }: Journey) => from.chain === 'wax' && !before.includes(key)
    const own = async () => (await api.hopsOf('ivan')).find(isNew) ?? null
    const { key, legs } = (await until('the journey', own, has('delivered')))!
    await wentAs(key, ['credit', 'forward'])
    await wentAs(legs[1]!.key, ['release'])
    const { to, amount } = await released(legs[1]!.key)
    t.same([(to as string).toLowerCase(), amount], [evmAddress('ivan'), 45_000_000n])
  })
})

/** The ledger's contracts, with a gateway for wax that has credited nothing. */
function freshLedger(): Ledger {
  const { contracts, genesis } = buildExchange(telosProfile)
  const ledger = new Ledger(contracts)
  for (const calls of genesis) ledger.push(calls, Date.now())
  return ledger
}

/** Copies the roots and policies of the live gateway for wax. The relayer continues to add to them. */
async function copyKnowledge(ledger: Ledger): Promise<void> {
  const account = GATEWAYS.wax
  const tables = ledger.tables(account)
  const rows = <T>(table: string) => telos.rows<T>(account, account, table)
  for (const row of await rows<RootRow>('roots')) tables.set('roots', account, rootKey(row.finality_mroot), row)
  for (const { generation, policy } of await rows<{ generation: number; policy: string }>('policies')) {
    const row: PolicyRow = { generation: BigInt(generation), policy: fromHex(policy) }
    tables.set('policies', account, row.generation, row)
  }
}

t.test('every served proof of a deposit on wax is accepted unchanged, from any account', async (t) => {
  const stranger = 'mallory1'
  const ledger = freshLedger()
  let nonce = 0n
  for (; ; nonce++) {
    const key = `d:${WAX_DOMAIN}:${nonce}`
    const leg = await api.transfer(key)
    if (!leg) break
    if (leg.status === 'seen') continue
    const actions = await until(
      `the proof of ${key}`,
      () => work.creditActions(key, stranger),
      (served) => served !== null,
    )
    const calls = actions!.map(({ account, name, data }) => {
      const members = gatewayAbi('antelope').decodeAction(name, fromHex(data))
      t.equal(toHex(ledger.state.abiOf(account).encodeAction(name, members)), data, 'the published layout')
      return call(account, name, stranger, members)
    })
    await copyKnowledge(ledger)
    t.equal(ledger.push(calls, Date.now()).error, null, key)
    // The live ledger accepts it, too. Its relayer may push before or after this, and a fork may undo either push for a
    // while.
    const again = () => telos.push(calls).catch((error: Error) => error.message)
    await until(`${key} credited once`, again, (answer) => answer.endsWith('deposit is credited already'))
  }
  t.ok(nonce > 10n, `${nonce} deposits`)
})

t.test('a release above the vault’s allowance is refused, and succeeds later', async (t) => {
  // Runs after the other releases: those of history use the same allowance and keep the relayer busy.
  const others = async () => (await work.pending()).pending.filter((one) => one.domain === '1')
  await until('the vault', others, (list) => list.every(({ recipient }) => SLEEPERS.includes(recipient)))
  // Exceeds the allowance by what accrues in four hours, so that even a slow machine tries before there is enough.
  await users.withdrawTooMuch('grace', 'USDT', 4 * 3600)
  // Two withdrawals that do not fit together: the relayer may take either first.
  const both = await lastWithdrawals('grace', 2)
  const refusal = async () => relayed.find((one) => both.includes(one.key) && one.refused === 'OutflowLimited')
  const { key } = (await until('the refusal', refusal, (one) => one !== undefined))!
  const trials = () => relayed.filter((one) => one.key === key && one.what === 'release').map(({ refused }) => refused)
  t.same(trials(), ['OutflowLimited'])
  t.match(await api.transfer(key), { status: 'provable' }, 'nothing is consumed')
  // The vault's owner raises the limit, so that the test need not wait for the period to pass.
  const limit = BigInt(2 * DAILY_USD) * 10n ** 6n
  const fromOwner = (method: string, ...values: unknown[]) =>
    execute(evm, { from: OWNER_ADDRESS, to: VAULT_ADDRESS, data: encode('SvcVault', method, values) })
  await fromOwner('setLimit', USDT_ADDRESS, limit)
  t.match(await api.transfer(key), { status: 'provable' }, 'a higher limit is a proposal')
  // Changes only the proposal's three-day delay in storage. Moving the clock would also move deadlines and beacon
  // slots.
  const place = solidityPackedKeccak256(['uint256', 'uint256'], [USDT_ADDRESS, PENDING_LIMITS_SLOT])
  await evm.call('anvil_setStorageAt', VAULT_ADDRESS, place, toBeHex((1n << 128n) | limit, 32))
  await fromOwner('acceptLimit', USDT_ADDRESS)
  await leg(key, 'released')
  // The relayer's record of its own release may come after the indexer's.
  const last = async () => trials().find((refused) => refused !== 'OutflowLimited')
  t.equal(await until('the release', last, (refused) => refused !== undefined), null, 'the same proof goes in')
  await released(key)
})
