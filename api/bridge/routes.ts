// The endpoints of the bridge. They cover all chains, so every host of the server gives the same answers.

import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { HttpError } from '../http/failures.ts'
import { lenientQuery } from '../http/query.ts'
import type { Api } from '../http/typed.ts'
import { type LegKey, parseLegKey } from '../kit/leg-key.ts'
import { BRIDGE_PATH } from '../kit/paths.ts'
import type { Bridge } from './bridge.ts'
import type { BridgeContext, ChainPosition, Snapshot } from './bridge-context.ts'
import { legsOfTransaction, readJourneysByLeg, readLegs } from './by-key.ts'
import { chainsAnswer, readRoots } from './chains-answer.ts'
import { newestJourneys } from './journey-list.ts'
import { closeRoutes } from './lagging-chains.ts'
import { type LegFilter, newestLegs } from './leg-list.ts'
import type { LegStatus } from './leg-state.ts'
import { pendingAnswer } from './pending/answer.ts'
import { filterOf } from './pending/page.ts'
import { PendingAnswer, PendingQuery } from './pending/schema.ts'
import { outcomeOf, proofFailure } from './proof-failure.ts'
import type { ProofMetrics } from './proof-metrics.ts'
import { DepositActions, HandoffsAnswer, WithdrawalProofAnswer } from './proof-schema.ts'
import { listRoutes } from './route-list.ts'
import {
  answers,
  ChainsAnswer,
  DomainParams,
  HopsQuery,
  Journey,
  JourneysAnswer,
  KeyParams,
  LEG_STATUSES,
  Leg,
  LegsAnswer,
  LIMIT,
  MAX_LIMIT,
  ProofQuery,
  RoutesAnswer,
  TransfersQuery,
} from './schema.ts'

const tags = ['Bridge']
/** Clients may cache an immutable answer for a year. */
const FOREVER = 'public, max-age=31536000, immutable'

export function bridgeRoutes(api: Api, bridge: Bridge): void {
  api.addHook('onRoute', lenientQuery)
  tableRoutes(api, bridge)
  journeyRoutes(api, bridge)
  legRoutes(api, bridge)
  proofRoutes(api, bridge)
  handoffRoutes(api, bridge)
}

function tableRoutes(api: Api, bridge: Bridge): void {
  api.get(
    `${BRIDGE_PATH}/routes`,
    { schema: { tags, summary: 'Ways over the bridge, with their limits', response: answers(RoutesAnswer) } },
    (request, reply) =>
      answerWithViews(bridge, request, reply, async ({ database, context }) => {
        const sides = await bridge.sidesAt(database, context)
        const routes = listRoutes(sides, context, await bridge.timingsAt(database, context))
        return { routes: closeRoutes(routes, bridge.laggingChains(context)) }
      }),
  )
  api.get(
    `${BRIDGE_PATH}/chains`,
    {
      schema: {
        tags,
        summary: 'Chains of the bridge, with contracts and measured times',
        response: answers(ChainsAnswer),
      },
    },
    (request, reply) =>
      answerWithViews(bridge, request, reply, async ({ database, context }) => {
        const sides = await bridge.sidesAt(database, context)
        const timings = await bridge.timingsAt(database, context)
        const roots = await readRoots(database, context)
        return chainsAnswer(sides, context, {
          timings,
          roots,
          configured: bridge.evm,
          lagging: bridge.laggingChains(context),
        })
      }),
  )
  api.get(
    `${BRIDGE_PATH}/pending`,
    {
      schema: {
        tags,
        summary: 'What can be settled, credited, delivered or sent back now',
        querystring: PendingQuery,
        response: answers(PendingAnswer),
      },
    },
    (request, reply) => {
      const filter = filterOf(request.query)
      return answerWithViews(bridge, request, reply, async (at) => {
        const { open, work, evm: configured } = bridge
        const sides = await bridge.sidesAt(at.database, at.context)
        return pendingAnswer(at, { open, work, sides, configured }, filter)
      })
    },
  )
}

function journeyRoutes(api: Api, bridge: Bridge): void {
  api.get(
    `${BRIDGE_PATH}/hops`,
    { schema: { tags, summary: 'Journeys, newest first', querystring: HopsQuery, response: answers(JourneysAnswer) } },
    (request, reply) => {
      const { party, tx, direct = false, ...page } = request.query
      const trx = tx === undefined ? undefined : transactionOf(tx)
      return answer(bridge, request, reply, async (at) => {
        const timings = await bridge.timingsAt(at.database, at.context)
        if (trx !== undefined) {
          const found = await readJourneysByLeg(at, timings, await legsOfTransaction(at, trx))
          return { hops: found.map(({ journey }) => journey), next: null }
        }
        const filter = { party: party === undefined ? null : party.toLowerCase(), direct, ...pageOf(page) }
        const { rows, next } = await newestJourneys(at, timings, bridge.journeys, filter)
        return { hops: rows, next }
      })
    },
  )
  api.get(
    `${BRIDGE_PATH}/hops/:key`,
    { schema: { tags, summary: 'The journey of a leg', params: KeyParams, response: answers(Journey) } },
    (request, reply) => {
      const { text } = keyOf(request.params.key)
      return answer(bridge, request, reply, async (at) => {
        const timings = await bridge.timingsAt(at.database, at.context)
        const [found] = await readJourneysByLeg(at, timings, [text])
        if (found === undefined) throw unknown(text)
        return found.journey
      })
    },
  )
}

function legRoutes(api: Api, bridge: Bridge): void {
  api.get(
    `${BRIDGE_PATH}/transfers`,
    { schema: { tags, summary: 'Legs, newest first', querystring: TransfersQuery, response: answers(LegsAnswer) } },
    (request, reply) => {
      const { account, address, tx, direction, status, ...page } = request.query
      const trx = tx === undefined ? undefined : transactionOf(tx)
      const filter: LegFilter = {
        parties: [account, address].filter((one) => one !== undefined).map((one) => one.toLowerCase()),
        direction: direction ?? null,
        statuses: statusesOf(status),
        ...pageOf(page),
      }
      return answer(bridge, request, reply, async (at) => {
        if (trx !== undefined) {
          const found = await readLegs(at, await legsOfTransaction(at, trx))
          return { transfers: found.map(({ leg }) => leg), next: null }
        }
        const { rows, next } = await newestLegs(at, bridge.open, bridge.legs, filter)
        return { transfers: rows, next }
      })
    },
  )
  api.get(
    `${BRIDGE_PATH}/transfers/:key`,
    { schema: { tags, summary: 'One leg of a transfer', params: KeyParams, response: answers(Leg) } },
    (request, reply) => {
      const { text } = keyOf(request.params.key)
      return answer(bridge, request, reply, async (at) => {
        const [found] = await readLegs(at, [text])
        if (found === undefined) throw unknown(text)
        return found.leg
      })
    },
  )
}

/** An account name, or the empty string. */
const ACCOUNT = /^[a-z1-5.]{0,12}$/

function proofRoutes(api: Api, bridge: Bridge): void {
  api.get(
    `${BRIDGE_PATH}/proofs/:key`,
    {
      schema: {
        tags,
        summary: 'The proof of a leg: for contracts of the destination, or the actions that credit a deposit',
        params: KeyParams,
        querystring: ProofQuery,
        response: answers(Type.Union([WithdrawalProofAnswer, DepositActions])),
      },
    },
    (request, reply) => {
      const { key, text } = keyOf(request.params.key)
      const { relayer = '', learned } = request.query
      if (!ACCOUNT.test(relayer)) throw new HttpError(400, 'relayer is no name of an account')
      return answer(bridge, request, reply, async (at) => {
        const make = async () =>
          key.kind === 'withdrawal'
            ? await withdrawalProof(bridge, at, key.id, learned)
            : await depositProof(bridge, at, key, text, relayer)
        const { body, immutable } = await counted(bridge.proofMetrics, key.kind, make())
        if (immutable) reply.header('cache-control', FOREVER).header('etag', `W/"${text}"`)
        return body
      })
    },
  )
}

function handoffRoutes(api: Api, bridge: Bridge): void {
  api.get(
    `${BRIDGE_PATH}/handoffs/:domain`,
    {
      schema: {
        tags,
        summary: 'Finalizer policies that the light clients of an EVM chain can learn now',
        params: DomainParams,
        response: answers(HandoffsAnswer),
      },
    },
    (request, reply) => {
      const { domain } = request.params
      if (!/^\d{1,20}$/.test(domain))
        throw new HttpError(400, `${JSON.stringify(domain)} is no domain: use decimal digits`)
      return answer(bridge, request, reply, async (at) => {
        const lightClients = await bridge.proofs.handoffs(at, BigInt(domain)).catch((error) => {
          throw proofFailure(error, `hand-offs to ${domain}`, bridge.log)
        })
        if (lightClients.length === 0) throw new HttpError(404, `no light client of domain ${domain} is known`)
        return { lightClients }
      })
    },
  )
}

async function counted<T>(metrics: ProofMetrics, kind: LegKey['kind'], making: Promise<T>): Promise<T> {
  try {
    const made = await making
    metrics.count(kind, 'made')
    return made
  } catch (error) {
    metrics.count(kind, outcomeOf(error))
    throw error
  }
}

async function withdrawalProof(bridge: Bridge, at: Snapshot, id: bigint, learned: number | undefined) {
  const made = await bridge.proofs.read(at, id, learned).catch((error) => {
    throw proofFailure(error, `w:${id}`, bridge.log)
  })
  if (typeof made === 'string') throw new HttpError(404, made)
  return { body: made.proof, immutable: made.immutable }
}

async function depositProof(
  bridge: Bridge,
  at: Snapshot,
  key: Extract<LegKey, { kind: 'deposit' }>,
  text: string,
  relayer: string,
) {
  const [leg] = await readLegs(at, [text])
  if (leg === undefined) throw unknown(text)
  const made = await bridge.proofOfDeposit?.(at, key, relayer)
  if (!made) throw new HttpError(404, `there is no proof of ${text} yet`)
  return { body: [...made.actions] as Record<string, unknown>[], immutable: made.immutable }
}

type Make<T> = (at: Snapshot) => Promise<T>

/** Answers from a snapshot, with headers of the ledger's block; 304 if the client has this version. */
function answer<T>(bridge: Bridge, request: FastifyRequest, reply: FastifyReply, make: Make<T>): Promise<T> {
  return answerAt(bridge, async (at) => {
    freshness(reply, at.context, '')
    return isUnmodified(request, reply) ? (reply.code(304).send() as never) : make(at)
  })
}

/**
 * The same for answers that use vault views. It always makes the body, since requests trigger the update of the views.
 */
function answerWithViews<T>(bridge: Bridge, _request: FastifyRequest, reply: FastifyReply, make: Make<T>): Promise<T> {
  return answerAt(bridge, async (at) => {
    const body = await make(at)
    freshness(reply, at.context, bridge.viewsTag(at.context))
    return body
  })
}

async function answerAt<T>(bridge: Bridge, make: Make<T>): Promise<T> {
  const made = await bridge.at(async (database, context) => ({ body: await make({ database, context }) }))
  if (made === null) throw new HttpError(503, 'The ledger of the bridge is not indexed yet.')
  return made.body
}

function freshness(reply: FastifyReply, context: BridgeContext, views: string): void {
  const { block, time } = context.positions.get(context.ledger) as ChainPosition
  const tag = createHash('sha256').update(`${context.tag};${views}`).digest('hex').slice(0, 24)
  reply
    .header('x-block-num', String(block))
    .header('x-block-time', new Date(time).toISOString())
    .header('cache-control', 'public, no-cache')
    .header('vary', 'accept-encoding')
    .header('etag', `W/"${tag}"`)
}

function isUnmodified(request: FastifyRequest, reply: FastifyReply): boolean {
  const known = request.headers['if-none-match']
  return known?.split(',').some((one) => one.trim() === reply.getHeader('etag')) ?? false
}

function keyOf(text: string): { key: LegKey; text: string } {
  const key = parseLegKey(text)
  if (key === null) throw new HttpError(400, `${JSON.stringify(text)} is no key: use d:<domain>:<nonce> or w:<id>`)
  return { key, text }
}

function unknown(key: string): HttpError {
  return new HttpError(404, `${key} is not known`)
}

function transactionOf(text: string): string {
  const found = /^(?:0x)?([0-9a-f]{64})$/.exec(text.toLowerCase())
  if (found === null) throw new HttpError(400, 'tx is no transaction: 64 hexadecimal digits, with or without 0x')
  return found[1] as string
}

function statusesOf(text: string | undefined): LegStatus[] {
  const named = (text ?? '').split(',').filter((one) => one !== '')
  for (const one of named)
    if (!(LEG_STATUSES as string[]).includes(one))
      throw new HttpError(400, `status must be one of ${LEG_STATUSES.join(', ')}`)
  return [...new Set(named)] as LegStatus[]
}

function pageOf({ limit = 0, before }: { limit?: number; before?: number }): { limit: number; before: number } {
  return { limit: limit === 0 ? LIMIT : Math.min(limit, MAX_LIMIT), before: before ?? Infinity }
}
