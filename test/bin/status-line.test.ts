// `headwater status` names the cause of each obstacle and a command.
import t from 'tap'
import type { ChainPosition } from '../../api/operate/positions.ts'
import type { ChainReport } from '../../api/operate/reports.ts'
import { statusLine } from '../../bin/status-line.ts'

const position = (more: Partial<ChainPosition> = {}): ChainPosition => ({
  ...{ chain: 'wax', chainId: null, firstBlock: 1, block: 90, blockId: '', blockTime: '', lib: 80, head: 100 },
  ...{ indexed: true, stateBlock: null, hasState: true, staleRows: 0, stale: [], updatedAt: '' },
  ...{ headAgeSeconds: 1, lagBlocks: 10, lagSeconds: 5, ...more },
})
const refused = (ageSeconds: number, ended = false): ChainReport => ({
  ...{ chain: 'wax', ended, contradiction: null },
  fault: { code: 'NODE_REFUSES', text: 'the node refuses connections: ws://127.0.0.1:8080', ageSeconds },
})
const line = (at?: ChainPosition, report?: ChainReport) => statusLine('wax', at, report, 60)

t.test('nothing is indexed: no indexer, a node that is down, an indexer that has stopped', async (t) => {
  t.equal(line(), 'wax: nothing is indexed yet; start `headwater run` or `headwater index`')
  t.equal(
    line(undefined, refused(3)),
    'wax: nothing is indexed yet; the node refuses connections: ws://127.0.0.1:8080; `headwater check` tries its nodes',
  )
  t.match(line(undefined, refused(900)), /yet; start `headwater run`/, 'an old fault is no cause')
  t.match(
    line(undefined, refused(900, true)),
    /: ws:\/\/127\.0\.0\.1:8080; correct that, then start `headwater run` or `headwater index`$/,
  )
})

t.test('at the head nothing is added', async (t) => {
  t.equal(line(position()), 'wax: block 90 of 100, irreversible 80, 5 s old')
})

t.test('a lag: catching up, a node that is down, an indexer that does not run', async (t) => {
  const old = 'wax: block 90 of 100, irreversible 80, 10 min old; '
  t.equal(line(position({ lagSeconds: 600 })), `${old}it lags and catches up`)
  const down = position({ lagSeconds: 600, headAgeSeconds: 600 })
  t.equal(
    line(down, refused(5)),
    `${old}the node refuses connections: ws://127.0.0.1:8080; \`headwater check\` tries its nodes`,
  )
  t.equal(
    line(down),
    `${old}no indexer has written for 10 min; start \`headwater run\` or \`headwater index\`; \`headwater check\` tries its nodes`,
  )
  t.match(line({ ...down, indexed: false }), /backfill under way; it lags and catches up$/)
})

t.test('rows that are not exact yet', async (t) => {
  t.match(line(position({ stateBlock: 95 })), /5 s old, current rows exact from block 95 on$/)
})
