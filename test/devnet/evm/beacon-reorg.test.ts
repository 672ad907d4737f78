// The simulated beacon chain of an EVM node that reorganises.
import t from 'tap'
import { startBeacon } from '../../../devnet/evm/beacon.ts'
import { startEvmNode } from '../../../devnet/evm/node.ts'
import { findAnvil } from '../../../devnet/evm/program.ts'
import { EvmRpc } from '../../../devnet/evm/rpc.ts'
import { BeaconNode } from '../../../proofs/deposit/evm/beacon.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const { path, missing } = findAnvil()
if (path === null) throw new Error(missing)

t.test('replaced blocks are followed at any depth', async (t) => {
  const evm = await startEvmNode({ path, start: START })
  t.teardown(() => evm.stop())
  const rpc = new EvmRpc(evm.url)
  const errors: string[] = []
  const served = await startBeacon(evm.url, START, (message) => errors.push(message))
  t.teardown(() => served.stop())
  const beacon = new BeaconNode({ chain: 'mainnet', url: served.url })
  const finalBlock = async () => (await beacon.finality()).finalized_header.execution
  /** Mines blocks until the beacon chain has a new final block, and compares that block with the node's. */
  const goesOn = async () => {
    for (let i = 0; i < 5; i++) await rpc.call('evm_mine')
    const head = Number(await rpc.call<string>('eth_blockNumber'))
    let final = await finalBlock().catch(() => null)
    while (Number(final?.block_number ?? 0) < head - 2) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      final = await finalBlock().catch(() => null)
    }
    const block = await rpc.call<{ hash: string }>(
      'eth_getBlockByNumber',
      `0x${final!.block_number.toString(16)}`,
      false,
    )
    t.equal(`0x${final!.block_hash}`, block.hash, `block ${final!.block_number} is the node's`)
  }
  await goesOn()
  for (const depth of [1, 2, 4, 1]) {
    await rpc.call('anvil_reorg', depth, [])
    await goesOn()
  }
  t.same(errors, [])
})
