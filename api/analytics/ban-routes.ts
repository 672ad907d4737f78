// Endpoints of banned accounts and of the scam lists.
import { Type } from 'typebox'
import type { Api } from '../http/typed.ts'
import { answerAt } from '../kit/answer.ts'
import { marketOf } from '../kit/parameters.ts'
import { readPage } from '../kit/snapshot.ts'
import { BANS } from './facts-sql.ts'
import { Meta, metaOf } from './meta.ts'

const SOURCES = ['dex', 'swap', 'otc'] as const
type Source = (typeof SOURCES)[number]

const bySource = <T extends import('typebox').TSchema>(of: T) => Type.Object({ dex: of, swap: of, otc: of })
const Contract = Type.Union([Type.String(), Type.Null()], { description: 'Account; null when there is none.' })

const BannedAccounts = Type.Object({
  meta: Meta,
  contracts: bySource(Contract),
  totals: Type.Object({
    unique: Type.Number({ description: 'Accounts banned anywhere.' }),
    dex: Type.Number({ description: 'By the order books.' }),
    swap: Type.Number({ description: 'By the pools.' }),
    otc: Type.Number({ description: 'By the OTC contract.' }),
  }),
  bySource: bySource(Type.Array(Type.String({ description: 'Account.' }))),
  items: Type.Array(
    Type.Object({
      account: Type.String({ description: 'Account.' }),
      sources: Type.Array(Type.String({ description: 'dex, swap or otc.' })),
    }),
  ),
  errors: Type.Array(Type.String(), { description: 'Always empty: the lists are indexed, not requested.' }),
})

export function banRoutes(api: Api): void {
  api.get(
    '/api/v3/analytics/bans/accounts',
    {
      schema: {
        tags: ['Analytics'],
        summary: 'Accounts banned by the contracts of the exchange',
        response: { 200: BannedAccounts },
      },
    },
    async (request, reply) => {
      const { chain, pool, config } = request.chain
      const statement = { name: 'bans', text: BANS, values: [chain] }
      const page = answerAt(
        request,
        reply,
        await readPage<{ source: Source; account: string }>(pool, statement, 'account'),
      )
      if (page === null) return reply
      // The answer's `meta` has the server's time, so its bytes always differ. The entity tag is that of its block.
      request.taggedByContent = false
      const of = (source: Source) =>
        [...new Set(page.rows.filter((row) => row.source === source).map((row) => row.account))].sort()
      const lists = { dex: of('dex'), swap: of('swap'), otc: of('otc') }
      const accounts = [...new Set(page.rows.map(({ account }) => account))].sort()
      const { spot, amm, otc } = config.accounts
      return {
        meta: metaOf(request.chain, 'all'),
        contracts: { dex: spot ?? null, swap: amm ?? null, otc: otc ?? null },
        totals: { unique: accounts.length, dex: lists.dex.length, swap: lists.swap.length, otc: lists.otc.length },
        bySource: lists,
        items: accounts.map((account) => ({
          account,
          sources: SOURCES.filter((source) => lists[source].includes(account)),
        })),
        errors: [],
      }
    },
  )

  api.get(
    '/api/v2/config/scam-lists',
    {
      schema: {
        tags: ['About'],
        summary: 'Contracts and tokens on the scam lists in force',
        response: {
          200: Type.Object({
            scam_contracts: Type.Array(Type.String({ description: 'Contract: all its tokens.' })),
            scam_tokens: Type.Array(Type.String({ description: 'Token id.' })),
          }),
        },
      },
    },
    ({ chain }) => {
      const { at } = marketOf(chain)
      const inForce = chain.config.trust.scam.filter(({ from }) => from === undefined || Date.parse(from) <= at.time)
      const names = [...new Set(inForce.map(({ token }) => token))].sort()
      return {
        scam_contracts: names.filter((name) => !name.includes('-')),
        scam_tokens: names.filter((name) => name.includes('-')),
      }
    },
  )
}
