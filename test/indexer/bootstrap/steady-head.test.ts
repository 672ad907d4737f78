import t from 'tap'
import { RetryableError } from '../../../core/errors.ts'
import type { NodeApi, NodeInfo } from '../../../indexer/bootstrap/node-api.ts'
import { SteadyHead } from '../../../indexer/bootstrap/steady-head.ts'

const chainId = 'ab'.repeat(32)
const block = (num: number) => ({ num, id: `${num}` })

/** A node whose head the test moves. */
function node(): { api: NodeApi; move(): void } {
  let num = 10
  const info = (): Promise<NodeInfo> => Promise.resolve({ chainId, head: block(num), lib: block(1) })
  return { api: { url: 'http://node', info } as unknown as NodeApi, move: () => void num++ }
}

const contradiction = () => new RetryableError('NODE_API_MALFORMED', 'no row at 7', { hint: '' })

t.test('after a contradiction, the request is repeated if the head has moved', async (t) => {
  const { api, move } = node()
  const head = new SteadyHead(api, chainId)
  let asked = 0
  const request = async () => {
    if (++asked > 1) return 'row'
    move()
    throw contradiction()
  }
  t.same(await head.read([request, () => Promise.resolve('other')]), ['row', 'other'])
  t.same(head.seen, [block(11)], 'only the head of the answers counts')
})

t.test('a contradiction at an unchanged head is thrown', async (t) => {
  const head = new SteadyHead(node().api, chainId)
  await t.rejects(head.read([() => Promise.reject(contradiction())]), { code: 'NODE_API_MALFORMED' })
})

t.test('a permanent error is thrown, whether the head moves or not', async (t) => {
  const { api, move } = node()
  const request = () => {
    move()
    return Promise.reject(new TypeError('a bug'))
  }
  await t.rejects(new SteadyHead(api, chainId).read([request]), TypeError)
})
