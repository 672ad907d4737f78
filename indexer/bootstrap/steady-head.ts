// Ties answers of a node to blocks: answers are accepted only when the node's head was the same before and after the
// requests. A node never returns to a head that it left, so such an answer is the state of that head. At the end the
// caller checks that all these heads are blocks of the final branch.
import { RetryableError, UserError } from '../../core/errors.ts'
import type { BlockPosition } from '../source/source.ts'
import type { NodeApi, NodeInfo } from './node-api.ts'

type Request<T> = () => Promise<T>

/** Attempts before a group of requests is halved, and attempts of a single request before it fails. */
const GROUP_ATTEMPTS = 2
const SINGLE_ATTEMPTS = 40

export class SteadyHead {
  private readonly api: NodeApi
  private readonly chainId: string | null
  private last: NodeInfo | null = null
  /** Heads at which answers were accepted, oldest first. */
  readonly seen: BlockPosition[] = []

  constructor(api: NodeApi, chainId: string | null) {
    this.api = api
    this.chainId = chainId
  }

  /** Requests the node's current head. @throws UserError OTHER_CHAIN */
  async look(): Promise<NodeInfo> {
    const info = await this.api.info()
    if (this.chainId !== null && info.chainId !== this.chainId)
      throw new UserError('OTHER_CHAIN', `${this.api.url} serves chain ${info.chainId}, wanted is ${this.chainId}`, {
        hint: 'correct the address or the chain id',
      })
    this.last = info
    return info
  }

  /**
   * Answers that belong to one head. Requests run concurrently. When the head moves meanwhile they run again; when it
   * keeps moving, in smaller groups. A retryable error counts only under an unmoved head, like an answer: a row that is
   * removed between two requests about it looks like a contradiction of the node.
   *
   * @throws RetryableError HEAD_MOVES when the node cannot answer one request within a block, and the errors of
   *   requests
   */
  async read<T>(requests: readonly Request<T>[]): Promise<T[]> {
    const attempts = requests.length === 1 ? SINGLE_ATTEMPTS : GROUP_ATTEMPTS
    for (let attempt = 0; attempt < attempts; attempt++) {
      const { head } = this.last ?? (await this.look())
      const answers = await settled(requests)
      if ((await this.look()).head.id !== head.id) continue
      if (answers instanceof RetryableError) throw answers
      if (this.seen.at(-1)?.id !== head.id) this.seen.push(head)
      return answers
    }
    if (requests.length === 1)
      throw new RetryableError('HEAD_MOVES', `${this.api.url} takes longer for an answer than for a block`, {
        hint: 'use a node that is near, or one that does not follow the head',
      })
    const half = requests.length >> 1
    return [...(await this.read(requests.slice(0, half))), ...(await this.read(requests.slice(half)))]
  }
}

/** All answers, or the first retryable error, after every request ended. @throws the first error of another kind */
async function settled<T>(requests: readonly Request<T>[]): Promise<T[] | RetryableError> {
  const results = await Promise.allSettled(requests.map((request) => request()))
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const lasting = errors.find((error) => !(error instanceof RetryableError))
  if (lasting !== undefined) throw lasting
  const [passing] = errors
  if (passing instanceof RetryableError) return passing
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
