// Digests of the final blocks, with which `headwater compare` finds the first block in which two databases differ.
import type { Pool } from 'pg'
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import { perObject } from '../../../core/cache.ts'
import type { Summary } from '../../../core/compare/side.ts'
import { UserError } from '../../../core/errors.ts'
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
  lastBlock: Type.Number({ description: 'Last final block that can be compared.' }),
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

/** Requests that wait for a computation. More are turned away. */
const MAX_WAITING = 16
/** Final blocks do not change. */
const CACHED = 'public, max-age=600'

/** One computation at a time, of all chains together: strangers may ask, and each computation holds a connection. */
class Queue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      throw new HttpError(503, 'Too many digests are being computed. Try again in a moment.')
    this.#waiting++
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return await turn.finally(() => this.#waiting--)
  }
}

/** The chains of a process share its connections. */
const queueOf = perObject((_pool: Pool) => new Queue())
const sideOf = perObject(({ pool, chain }: ChainContext) => new DatabaseSide(pool, chain, chain))

/** @throws HttpError 409 when nothing is indexed, or the chain is being filled */
async function summaryOf(chain: ChainContext): Promise<Summary> {
  return await sideOf(chain)
    .summary()
    .catch((error: unknown) => {
      throw error instanceof UserError ? new HttpError(409, error.message) : error
    })
}

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
    async ({ chain }): Promise<Static<typeof DigestSummary>> => await summaryOf(chain),
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
      checkRange(await summaryOf(chain), from, to)
      void reply.header('cache-control', CACHED)
      return await queueOf(chain.pool).run(() => sideOf(chain).digests({ from, to }))
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
      const summary = await summaryOf(chain)
      if (!summary.tables.some(({ name }) => name === table)) throw new HttpError(404, `no table ${table}`)
      checkRange(summary, block, block)
      void reply.header('cache-control', CACHED)
      return await queueOf(chain.pool).run(() => sideOf(chain).rows(table, block))
    },
  )
}

/** @throws HttpError 400 */
function checkRange({ firstBlock, lastBlock }: Summary, from: number, to: number): void {
  if (from <= to && from >= firstBlock && to <= lastBlock) return
  throw new HttpError(400, `digests are of blocks ${firstBlock} to ${lastBlock}, from not above to`)
}
