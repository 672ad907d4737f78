// Digests of the final blocks, with which `headwater compare` finds the first block in which two databases differ.
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { perObject } from '../../../core/cache.ts'
import type { Summary } from '../../../core/compare/side.ts'
import type { ChainContext } from '../../chain-context.ts'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { DatabaseSide } from './database-side.ts'

const BlockNumber = (description: string) => Type.Integer({ description, minimum: 0, maximum: 2 ** 32 })
const described = <T extends Record<string, TSchema>>(description: string, members: T) =>
  Type.Object(members, { description })

const DigestSummary = described('What of a chain can be compared.', {
  chain: Type.String({ description: 'Chain name.' }),
  chainId: Type.Union([Type.String(), Type.Null()], { description: 'Chain id; null when it is not known.' }),
  firstBlock: Type.Number({ description: 'First indexed block.' }),
  lastBlock: Type.Number({ description: 'Last final block whose digests can be had.' }),
  leaf: Type.Number({ description: 'Length of the ranges whose digests are stored, blocks.' }),
  contracts: Type.Array(Type.String(), { description: 'Watched contracts: role, space, account.' }),
  tables: Type.Array(
    described('A table of the ledger.', {
      name: Type.String({ description: 'Name.' }),
      columns: Type.String({ description: 'SHA-256 of the names of its columns, which differ between versions.' }),
    }),
    { description: 'Tables with digests.' },
  ),
})

const Digests = Type.Array(
  described('A part of the range.', {
    from: Type.Number({ description: 'First block.' }),
    to: Type.Number({ description: 'Last block.' }),
    tables: Type.Array(
      described('The rows of a table.', {
        name: Type.String({ description: 'Table.' }),
        rows: Type.Number({ description: 'Rows in these blocks.' }),
        sha256: Type.String({ description: 'Their digest.' }),
      }),
      { description: 'Tables with rows in these blocks.' },
    ),
  }),
)

const Rows = described('Rows of a table in one block.', {
  columns: Type.Array(Type.String(), { description: 'Columns that the blocks determine.' }),
  key: Type.Array(Type.String(), { description: 'Columns of the primary key.' }),
  rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Null()])), {
    description: 'Values as text, in the order of the columns; a long one as `sha256:` and its digest.',
  }),
  more: Type.Boolean({ description: 'Whether there are more rows than were sent.' }),
})

/** Requests that wait for a computation, of one chain. More are turned away. */
const MAX_WAITING = 16
/** Final blocks do not change. */
const CACHED = 'public, max-age=600'

/** Digests of a chain, one computation at a time: strangers may ask. */
class Queue {
  readonly side: DatabaseSide
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor({ pool, chain }: ChainContext) {
    this.side = new DatabaseSide(pool, chain, chain)
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      throw new HttpError(503, 'Too many digests are being computed. Try again in a moment.')
    this.#waiting++
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return await turn.finally(() => this.#waiting--)
  }

  /** @throws HttpError 404 when nothing is indexed */
  async summary(): Promise<Summary> {
    return await this.side.summary().catch((error: { code?: string; message: string }) => {
      throw error.code === 'UNKNOWN_CHAIN' ? new HttpError(404, error.message) : error
    })
  }
}

const queueOf = perObject((context: ChainContext) => new Queue(context))

export function digestRoutes(api: Api): void {
  const config = { withoutMarket: true }
  api.get(
    '/api/v3/digests',
    {
      config,
      schema: {
        tags: ['About'],
        summary: 'What can be compared with another database',
        response: { 200: DigestSummary },
      },
    },
    async ({ chain }): Promise<Static<typeof DigestSummary>> => await queueOf(chain).summary(),
  )

  api.get(
    '/api/v3/digests/ranges',
    {
      config,
      schema: {
        tags: ['About'],
        summary: 'Digests of the parts of a range of final blocks',
        querystring: Type.Object({ from: BlockNumber('First block.'), to: BlockNumber('Last block.') }),
        response: { 200: Digests },
      },
    },
    async ({ chain, query: { from, to } }, reply) => {
      const queue = queueOf(chain)
      await checkRange(queue, from, to)
      void reply.header('cache-control', CACHED)
      return await queue.run(() => queue.side.digests({ from, to }))
    },
  )

  api.get(
    '/api/v3/digests/rows',
    {
      config,
      schema: {
        tags: ['About'],
        summary: 'Rows of a table of the ledger in one final block',
        querystring: Type.Object({
          table: Type.String({ description: 'Table, as in the digests.', maxLength: 63 }),
          block: BlockNumber('Block.'),
        }),
        response: { 200: Rows },
      },
    },
    async ({ chain, query: { table, block } }, reply) => {
      const queue = queueOf(chain)
      const { tables } = await queue.summary()
      if (!tables.some(({ name }) => name === table)) throw new HttpError(404, `no table ${table}`)
      await checkRange(queue, block, block)
      void reply.header('cache-control', CACHED)
      return await queue.run(() => queue.side.rows(table, block))
    },
  )
}

/** @throws HttpError 400 */
async function checkRange(queue: Queue, from: number, to: number): Promise<void> {
  const { firstBlock, lastBlock } = await queue.summary()
  if (from <= to && from >= firstBlock && to <= lastBlock) return
  throw new HttpError(400, `digests are of blocks ${firstBlock} to ${lastBlock}, from not above to`)
}
