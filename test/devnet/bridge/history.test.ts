// The EVM side of history on a real node: gateways credit exactly the vault's deposits, and each release has a proof.
import { HDNodeWallet, Mnemonic } from 'ethers'
import t from 'tap'
import { loadConfig } from '../../../config/load.ts'
import { toHex } from '../../../core/hex.ts'
import { ETHEREUM_DOMAIN } from '../../../devnet/contracts/bridge/domains.ts'
import { type EvmLog, evmGatewayAbi, type RelayedDeposit } from '../../../devnet/contracts/bridge/evm-gateway.ts'
import { BRIDGE, EVM_TOKENS, evmToken, GATEWAYS } from '../../../devnet/contracts/exchange.ts'
import { ADDRESSES } from '../../../devnet/evm/accounts.ts'
import {
  LIGHT_CLIENT_ADDRESS,
  NATIVE_ADDRESS,
  VAULT_ADDRESS,
  WITHDRAWALS_ADDRESS,
} from '../../../devnet/evm/addresses.ts'
import type { Log, Receipt } from '../../../devnet/evm/call-evm.ts'
import { interfaceOf } from '../../../devnet/evm/contracts.ts'
import { goLive, startEvmNode } from '../../../devnet/evm/node.ts'
import { findAnvil } from '../../../devnet/evm/program.ts'
import { EvmRpc } from '../../../devnet/evm/rpc.ts'
import { DAY, openSimulation, START } from '../simulation/open-simulation.ts'
import { RecordedSimulation } from '../simulation/record.ts'

/** A simulation with some days of history on its own EVM node. */
async function history(seed: number, days: number) {
  const { path, missing } = findAnvil()
  if (path === null) throw new Error(missing)
  const node = await startEvmNode({ path, start: START })
  t.teardown(() => node.stop())
  const options = { seed, days, interval: 1_200_000 }
  const opened = openSimulation((setting) => new RecordedSimulation(setting, { evmNode: node.url }), options)
  await opened.until(START + days * DAY)
  return { ...opened, node, rpc: new EvmRpc(node.url) }
}

const { simulation, rpc, node, lines } = await history(3, 9)
const vault = interfaceOf('SvcVault')

const logsOf = (address: string) => rpc.call<Log[]>('eth_getLogs', { address, fromBlock: '0x0', toBlock: 'latest' })

async function events(address: string, contract: 'SvcVault' | 'SvcWithdrawals' | 'SvcLightClient', name: string) {
  const found = (await logsOf(address)).map((log) => interfaceOf(contract).parseLog(log))
  return found.flatMap((event) => (event?.name === name ? [event.args.toObject()] : []))
}

/** The vault's log at the position that a gateway's credit names. */
async function vaultLog({ block_number, tx_hash, log_index }: EvmLog) {
  const receipt = await rpc.call<Receipt>('eth_getTransactionReceipt', `0x${tx_hash}`)
  t.equal(BigInt(receipt.blockNumber), block_number)
  const log = receipt.logs.find(({ logIndex }) => Number(logIndex) === log_index)!
  t.equal(log.address.toLowerCase(), VAULT_ADDRESS)
  return vault.parseLog(log)!
}

t.test('accounts come from the well-known development mnemonic', async (t) => {
  const phrase = 'test test test test test test test test test test test junk'
  const root = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase), "m/44'/60'/0'/0")
  t.same(
    ADDRESSES.map((_, i) => root.deriveChild(i).address.toLowerCase()),
    ADDRESSES,
  )
  t.same(await rpc.call('eth_accounts'), ADDRESSES)
})

t.test('the demo’s configuration names the deployed contracts', async (t) => {
  const folder = new URL('../../../config/demo/', import.meta.url).pathname
  const [{ contracts, chainId }] = loadConfig({ env: {}, folder, program: { chains: ['mainnet'] } }).config.evm as [
    never,
  ]
  t.match(
    { contracts, chainId },
    {
      chainId: 1,
      contracts: { vaults: [VAULT_ADDRESS], withdrawals: [WITHDRAWALS_ADDRESS], lightClients: [LIGHT_CLIENT_ADDRESS] },
    },
  )
  for (const address of [VAULT_ADDRESS, WITHDRAWALS_ADDRESS, LIGHT_CLIENT_ADDRESS])
    t.ok((await rpc.call<string>('eth_getCode', address, 'latest')).length > 1000)
})

t.test('every credit names a deposit of the vault with its amount', async (t) => {
  const credits = simulation.entries('telos', GATEWAYS.evm, 'credit')
  const deposits = await events(VAULT_ADDRESS, 'SvcVault', 'Deposit')
  t.ok(credits.length > 20, `${credits.length} credits`)
  t.same(
    deposits.map(({ nonce }) => nonce),
    deposits.map((_, i) => BigInt(i)),
  )
  for (const { data, time } of credits) {
    const { block_number, tx_hash, log_index, ...relayed } = evmGatewayAbi().decode(
      'relayed',
      data.proof,
    ) as RelayedDeposit
    const { name, args } = await vaultLog({ block_number, tx_hash, log_index })
    t.equal(name, 'Deposit')
    t.equal(args.getValue('nonce'), data.nonce)
    t.equal(args.getValue('canonical'), relayed.canonical)
    t.equal(args.getValue('memo'), `0x${toHex(relayed.memo)}`)
    const block = await rpc.call<{ timestamp: string }>('eth_getBlockByNumber', `0x${block_number.toString(16)}`, false)
    t.ok(time >= Number(block.timestamp) * 1000 + 13 * 60_000, 'at least 13 minutes after the deposit')
  }
})

t.test('outcomes reported to the ledger match the vault’s, with proofs that the contracts accepted', async (t) => {
  const settled = simulation.entries('telos', GATEWAYS.evm, 'settle')
  const proved = await events(WITHDRAWALS_ADDRESS, 'SvcWithdrawals', 'Released')
  const expired = await events(WITHDRAWALS_ADDRESS, 'SvcWithdrawals', 'Expired')
  t.ok(settled.length > 10, `${settled.length} settlements`)
  t.ok(
    settled.some(({ data }) => !data.released),
    'one has expired',
  )
  for (const { data } of settled) {
    const { name, args } = await vaultLog(evmGatewayAbi().decode('outcome', data.proof) as EvmLog)
    t.equal(name, data.released ? 'Released' : 'Voided')
    t.equal(args.getValue('id'), data.id)
    t.ok((data.released ? proved : expired).some(({ id }) => id === data.id))
  }
})

t.test('the vault’s balance equals the ledger’s claims on it', async (t) => {
  for (const [code, address] of Object.entries(EVM_TOKENS)) {
    const data = interfaceOf('PlainToken').encodeFunctionData('balanceOf', [VAULT_ADDRESS])
    const held =
      address === NATIVE_ADDRESS
        ? await rpc.call<string>('eth_getBalance', VAULT_ADDRESS, 'latest')
        : await rpc.call<string>('eth_call', { to: address, data }, 'latest')
    const { taken, given } = simulation.externalEvents!.vault(code)
    t.equal(BigInt(held), (taken - given) * evmToken(code).scale, code)
  }
})

t.test('the light client starts from the first policy of the ledger and follows its changes', async (t) => {
  const learned = await events(LIGHT_CLIENT_ADDRESS, 'SvcLightClient', 'PolicyLearned')
  const generations = learned.map(({ generation }) => Number(generation))
  t.ok(generations.length > 2, `${generations.length} policies`)
  t.same(
    [...generations].sort((a, b) => a - b),
    generations,
  )
  const { chain } = lines.telos
  const digest = (await import('../../../core/finality/finalizer-policy.ts')).finalizerPolicyDigest(
    chain.genesisPolicy(),
  )
  t.equal(learned[0]!.digest, `0x${toHex(digest)}`)
  const roots = await events(LIGHT_CLIENT_ADDRESS, 'SvcLightClient', 'RootStored')
  t.ok(new Set(roots.map(({ generation }) => generation)).size > 1, 'roots of several policies')
})

t.test('users of the ledger withdraw to existing addresses', async (t) => {
  const burns = simulation.entries('telos', BRIDGE, 'wdlog').filter(({ data }) => data.domain === ETHEREUM_DOMAIN)
  for (const { data } of burns) t.ok((ADDRESSES as readonly string[]).includes(`0x${toHex(data.recipient)}`))
})

t.test('after history the node mines its own blocks, and the block two below the head is final', async (t) => {
  const number = async (tag: string) =>
    Number((await rpc.call<{ number: string }>('eth_getBlockByNumber', tag, false)).number)
  const before = await number('latest')
  await goLive(node.url)
  while ((await number('latest')) < before + 2) await new Promise((resolve) => setTimeout(resolve, 100))
  t.equal(await number('finalized'), (await number('latest')) - 2)
  const { timestamp } = await rpc.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
  t.ok(Math.abs(Date.now() / 1000 - Number(timestamp)) < 60)
})

t.test('the same seed gives the same blocks', async (t) => {
  const last = async () => {
    const opened = await history(5, 1)
    const { hash } = await opened.rpc.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
    return [hash, opened.lines.telos.chain.head.id]
  }
  t.same(await last(), await last())
})
