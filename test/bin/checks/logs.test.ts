// The line of `headwater check` about the logs of a node.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkLogFolders } from '../../../bin/checks/logs.ts'
import { checkNode } from '../../../bin/checks/node.ts'
import { loadConfig } from '../../../config/load.ts'
import { unpackNode } from '../../support/node-logs.ts'

const CHAIN_ID = '9ab8455e7f69aec914f61a19964a2612ea829cd28594b3ac7a8544b05a3d0573'
const [dev] = loadConfig({ env: {}, program: { chains: ['dev'] } }).config.chains
const configOf = (logs: string[], chainId: string | undefined = CHAIN_ID) => {
  return { ...dev!, chainId, source: { ...dev!.source, kind: 'ship' as const, urls: [], logs } }
}

t.test('names the blocks, missing ranges, and logs of another chain', async (t) => {
  const folder = unpackNode(t, 'partitions')
  t.match(await checkLogFolders(configOf([folder])), {
    level: 'ok',
    message: 'blocks 2 to 594, finality data from 32 on',
  })
  t.match(await checkLogFolders(configOf([folder], 'ab'.repeat(32))), { level: 'fail', message: /are of chain 9ab8/ })
  t.match(await checkLogFolders(configOf([join(folder, 'no')])), { level: 'fail', message: /no log of a node/ })
  rmSync(join(folder, 'state-history/archive/trace_history-101-200.log'))
  t.match(await checkLogFolders(configOf([folder])), {
    level: 'fail',
    message: 'blocks 2 to 594, without 101 to 200 of trace_history',
  })
})

t.test('without a node, the check says that indexing ends with the logs', async (t) => {
  const found = await checkNode(configOf([unpackNode(t, 'forks')]))
  t.match(found, [{ level: 'ok' }, { level: 'warn', message: /ends with the logs/ }])
  t.match(await checkNode(configOf([])), [{ level: 'fail', message: 'no node is configured' }])
})
