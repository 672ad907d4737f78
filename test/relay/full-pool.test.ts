// A pool with more waiting transactions than the next blocks hold, on a real EVM node: the relayer outbids them within
// its cap, or waits for its turn, and pays once.
import { HDNodeWallet, parseUnits } from 'ethers'
import t, { type Test } from 'tap'
import { DEVNET_MNEMONIC } from '../../devnet/evm/accounts.ts'
import { SILENT } from '../../relay/log.ts'
import { startRelayer } from '../../relay/start.ts'
import { testDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { startScene } from './scene.ts'

/** Gas of a block; the relayer's largest transaction needs about 1.3 million. */
const BLOCK_GAS = 4_000_000n
/** Two fill a block, and leave less than the relayer needs. */
const OTHERS_GAS = 1_950_000n
const OTHERS = 24
/** Of a unit of gas. Nodes order by the tip, this one by the maximum fee: a bid above both is first on all. */
const OTHERS_TIP = parseUnits('5', 'gwei')
const OTHERS_FEE = parseUnits('12', 'gwei')

const scene = await startScene(t)
const { evm, burn, listed, rpc } = scene
const { url: databaseUrl, pool } = await testDatabase(t)

interface Intent {
  state: string
  nonce: number
  max_fee: bigint
  max_tip: bigint
}

async function intents(key: string): Promise<Intent[]> {
  const text = `select state, nonce::int4, max_fee::text, max_tip::text from relay.intents where leg = $1 order by id`
  const { rows } = await pool.query(text, [key])
  return rows.map((row) => ({ ...row, max_fee: BigInt(row.max_fee), max_tip: BigInt(row.max_tip) }))
}

/** Waiting transactions of others, which use all of their gas. @returns how many wait now */
async function fillPool(): Promise<() => Promise<number>> {
  // Jumps to its beginning until the gas ends: JUMPDEST, PUSH1 0, JUMP.
  const burner = '0x00000000000000000000000000000000000000bb'
  await rpc('anvil_setCode', burner, '0x5b600056')
  const wallet = HDNodeWallet.fromPhrase(DEVNET_MNEMONIC, undefined, "m/44'/60'/0'/0/5").connect(evm.anvil.provider)
  await rpc('anvil_setBalance', wallet.address, `0x${(10n ** 21n).toString(16)}`)
  const first = await wallet.getNonce()
  const fees = { maxFeePerGas: OTHERS_FEE, maxPriorityFeePerGas: OTHERS_TIP }
  for (let i = 0; i < OTHERS; i++) {
    await wallet.sendTransaction({ to: burner, nonce: first + i, gasLimit: OTHERS_GAS, ...fees })
  }
  return async () => first + OTHERS - (await wallet.getNonce('latest'))
}

async function crowded(t: Test, capGwei: string) {
  listed.clear()
  const key = await burn('USDC', 3_000_000n)
  await rpc('evm_setAutomine', false)
  await rpc('evm_setBlockGasLimit', `0x${BLOCK_GAS.toString(16)}`)
  const waiting = await fillPool()
  t.equal(await waiting(), OTHERS)
  const settings = scene.config({ replaceSeconds: 0.3, maxFeeGwei: [capGwei] })
  const running = await startRelayer({ config: settings, databaseUrl, log: SILENT })
  t.teardown(() => running.close())
  await until('the first one is sent', async () => (await intents(key)).some(({ state }) => state === 'sent'))
  return { key, waiting }
}

/** Makes blocks, each after the relayer has looked at the chain, until all is paid and final. @returns waiting ones at the payment */
async function mineUntilPaid(key: string, waiting: () => Promise<number>): Promise<number> {
  await until('the payment', async () => {
    await rpc('evm_mine')
    return (await scene.paid(key)) === 1
  })
  const left = await waiting()
  await rpc('anvil_mine', '0x60')
  await until('the end', async () => (await intents(key)).every(({ state }) => ['done', 'replaced'].includes(state)))
  return left
}

t.test('the relayer outbids the others, with one nonce and within its cap', async (t) => {
  const cap = parseUnits('100', 'gwei')
  const { key, waiting } = await crowded(t, '100')
  await until('a bid above the others', async () =>
    (await intents(key)).some(({ max_fee, max_tip }) => max_tip > OTHERS_TIP && max_fee > OTHERS_FEE),
  )
  const left = await mineUntilPaid(key, waiting)
  t.ok(left > 0, `${left} others still wait`)
  const all = await intents(key)
  t.ok(all.length > 10, `${all.length} bids`)
  t.equal(new Set(all.map(({ nonce }) => nonce)).size, 1)
  t.equal(all.filter(({ state }) => state === 'done').length, 1)
  t.ok(all.every(({ max_fee }) => max_fee <= cap))
  t.equal(await scene.paid(key), 1)
})

t.test('below the others’ bid at its cap, the relayer waits for its turn', async (t) => {
  const cap = parseUnits('4', 'gwei')
  const { key, waiting } = await crowded(t, '4')
  const left = await mineUntilPaid(key, waiting)
  t.equal(left, 0, 'all others came first')
  const all = await intents(key)
  t.equal(all.filter(({ state }) => state === 'done').length, 1)
  t.ok(all.every(({ max_fee }) => max_fee <= cap))
  t.equal(await scene.paid(key), 1)
})
