import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import t from 'tap'
import { childModule } from '../support/child-module.ts'
import { ShipClient } from './ship/client.ts'

const { file, execArgv } = childModule('../../devnet/main.ts', import.meta.url)
/** In a folder without packages: a child process of the devnet must find its loader. */
const start = (...args: string[]) => spawn(process.execPath, [...execArgv, file, ...args], { cwd: tmpdir() })

t.test('a devnet process reports its addresses, then that it is ready, and ends on a signal', async (t) => {
  const child = start('--chains', 'wax,telos', '--days', '2', '--seed', '3')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  t.teardown(() => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const read = async () => JSON.parse((await lines.next()).value!)
  const { event, chains } = await read()
  t.equal(event, 'serving')
  t.match(chains, [
    { name: 'wax', ship: /^ws:/, http: /^http:/, chainId: /^1064487b/, firstBlock: 300_000_000 },
    { name: 'telos', chainId: /^4667b205/ },
  ])
  t.match(await read(), { event: 'ready', seconds: Number })
  for (const { ship, chainId, firstBlock } of chains) {
    const client = new ShipClient(ship)
    const { chain_id, head, trace_begin_block } = await client.status(1)
    t.equal(chain_id, chainId)
    t.equal(trace_begin_block, firstBlock)
    t.ok(head.block_num > firstBlock + 2 * 720, 'two full days, a block every two minutes')
    client.close()
  }
  child.kill('SIGTERM')
  await ended
  t.pass('ended')
})

t.test('invalid options are refused with a reason', async (t) => {
  const child = start('--chains', 'eos')
  let text = ''
  child.stderr.on('data', (data) => (text += data))
  t.equal(await new Promise((resolve) => child.once('exit', resolve)), 1)
  t.match(text, 'INVALID_OPTION')
  t.match(text, 'eos is not known')
})
