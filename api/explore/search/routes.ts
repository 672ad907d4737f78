// Search over everything that the explorer shows.
import { Type } from 'typebox'
import { HttpError } from '../../http/failures.ts'
import type { Api } from '../../http/typed.ts'
import { LIMITS } from '../../kit/limits.ts'
import { Count, marketOf } from '../../kit/parameters.ts'
import { KINDS, ranked } from './found.ts'
import { MAX_QUERY, parseSearch } from './query.ts'
import { storedFound } from './stored.ts'
import { venuesFound } from './venues.ts'

const Query = Type.Object({
  q: Type.Optional(
    Type.String({
      description: `What is searched, any case, ${MAX_QUERY} characters at most: the start of an account's name; a token's symbol, contract or id, or a part of them; two tokens of a pair (\`tlm/wax\`); the number of a pool, market or block (\`pool:5\` and \`market:5\` name one kind); the id of a block, from 8 digits on; the id of a transaction, also of one that began, passed on or ended a bridge transfer, on any chain; the key of a bridge transfer.`,
      maxLength: MAX_QUERY,
    }),
  ),
  kind: Type.Optional(Type.Enum([...KINDS], { description: 'Only results of this kind.' })),
  limit: Count(`Maximum number of results. Default ${LIMITS.searchResults}, maximum ${LIMITS.searchResultsMost}.`),
})

const Result = Type.Object({
  kind: Type.Enum([...KINDS], { description: 'What was found.' }),
  id: Type.String({ description: 'Its id, as in the paths of its endpoints.' }),
  chain: Type.String({ description: 'Chain on which it is.' }),
  label: Type.String({ description: 'Its name for people.' }),
  detail: Type.Union([Type.String(), Type.Null()], {
    description: 'Distinguishes it from others of the same name, for people.',
  }),
  score: Type.Integer({ description: 'How well the text names it: 100 for an id of its own, less for parts.' }),
  final: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether its block is irreversible, of a bridge transfer the block of its first known action; null for what has no block.',
  }),
})

const Answer = Type.Object({
  block: Type.Integer({ description: 'Block as of which the answer is.' }),
  query: Type.String({ description: 'What was searched.' }),
  results: Type.Array(Result),
})

export function searchRoutes(api: Api): void {
  const summary = 'Find accounts, tokens, pools, markets, transactions, blocks and bridge transfers'
  const schema = { tags: ['Explorer'], summary, querystring: Query, response: { 200: Answer } }
  api.get('/api/v3/explore/search', { schema }, async (request) => {
    const { chain: context } = request
    const { q = '', kind, limit: wanted = 0 } = request.query
    if (q.trim() === '') throw new HttpError(400, 'q is missing: say what to search')
    const limit = wanted === 0 ? LIMITS.searchResults : Math.min(wanted, LIMITS.searchResultsMost)
    const query = parseSearch(q)
    const state = marketOf(context)
    const { block } = state.at
    const found = venuesFound(state, context.chain, query)
    // The database may be a block ahead of the market: the tag is that of the content.
    request.taggedByContent = true
    const stored = await storedFound(context.pool, context.chain, query, limit)
    return { block, query: q.trim(), results: ranked([...found, ...stored], limit, kind) }
  })
}
