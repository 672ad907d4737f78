// Digests of the final blocks, with which `headwater compare` finds the first block in which two databases differ.
import type { Pool } from 'pg'
import { type Static, Type } from 'typebox'
import { perObject } from '../../../core/cache.ts'
import { DigestSummary, Digests, MAX_BLOCK, Rows } from '../../../core/compare/answers.ts'
import type { Summary } from '../../../core/compare/side.ts'
import { UserError } from '../../../core/errors.ts'
import { Turns } from '../../../core/turns.ts'
import type { ChainContext } from '../../chain-context.ts'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { DatabaseSide } from './database-side.ts'

const BlockNumber = (description: string) => Type.Integer({ description, minimum: 0, maximum: MAX_BLOCK })

/** Requests that are computed or wait. More are turned away. */
const MAX_WAITING = 16
/** Final blocks do not change. */
const CACHED = 'public, max-age=600'

/** One computation at a time, of all chains together: strangers may ask, and each computation holds a connection. */
const turnsOf = perObject((_pool: Pool) => new Turns())
const sideOf = perObject(({ pool, chain }: ChainContext) => new DatabaseSide(pool, chain, chain))

/** @throws HttpError 503 when too many requests wait */
function inTurn<T>({ pool }: ChainContext, work: () => Promise<T>): Promise<T> {
  const turns = turnsOf(pool)
  if (turns.unfinished >= MAX_WAITING)
    throw new HttpError(503, 'Too many digests are being computed. Try again in a moment.')
  return turns.take(work)
}

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
      return await inTurn(chain, () => sideOf(chain).digests({ from, to }))
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
      return await inTurn(chain, () => sideOf(chain).rows(table, block))
    },
  )
}

/** @throws HttpError 400 */
function checkRange({ firstBlock, lastBlock }: Summary, from: number, to: number): void {
  if (from <= to && from >= firstBlock && to <= lastBlock) return
  throw new HttpError(400, `digests are of blocks ${firstBlock} to ${lastBlock}, from not above to`)
}
