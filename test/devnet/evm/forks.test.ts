// The time of a live EVM node that reorganises.
import t from 'tap'
import { startEvmForks } from '../../../devnet/evm/forks.ts'
import { BLOCK_SECONDS, goLive, startEvmNode } from '../../../devnet/evm/node.ts'
import { findAnvil } from '../../../devnet/evm/program.ts'
import { EvmRpc } from '../../../devnet/evm/rpc.ts'
import { until } from '../../support/until.ts'

const { path, missing } = findAnvil()
if (path === null) throw new Error(missing)

t.test('blocks keep to the clock after reorganisations', async (t) => {
  const evm = await startEvmNode({ path, start: Date.now() })
  t.teardown(() => evm.stop())
  const rpc = new EvmRpc(evm.url)
  for (let i = 0; i < 2; i++) await rpc.call('evm_mine')
  await goLive(evm.url)
  const head = () =>
    rpc.call<{ hash: string; number: string; timestamp: string }>('eth_getBlockByNumber', 'latest', false)
  const seen = new Map<string, string>()
  let replaced = 0
  const errors: Error[] = []
  const stop = startEvmForks(rpc, { seed: 'time', everySeconds: 4, onError: (error) => errors.push(error) })
  await until('three blocks are replaced', async () => {
    const { number, hash } = await head()
    if ((seen.get(number) ?? hash) !== hash) replaced++
    seen.set(number, hash)
    return replaced >= 3
  })
  await stop()
  const { number } = await head()
  await until('a new block', async () => (await head()).number !== number)
  const behindMs = Date.now() - Number((await head()).timestamp) * 1000
  t.ok(behindMs < (BLOCK_SECONDS + 2) * 1000, `the newest block is ${behindMs} ms old`)
  t.same(errors, [])
})
