// Routes of one chain: sets the request's chain from its host and the answer's block from the market.
import type { FastifyInstance } from 'fastify'
import type { ChainContext } from '../chain-context.ts'
import { busy } from './failures.ts'
import { mark } from './freshness.ts'
import { hostTable } from './hosts.ts'
import { lenientQuery } from './query.ts'
import type { Api } from './typed.ts'

/**
 * Adds routes that answer for the chain of the request's host. Any other host gets 404 with a list of known hosts.
 *
 * @param isTaken  whether a host belongs to something other than a chain
 */
export function chainRoutes(
  app: FastifyInstance,
  chains: readonly ChainContext[],
  isTaken: (host: string | undefined) => boolean,
  add: (api: Api) => void,
): void {
  const table = hostTable(
    chains.map((context) => ({ ...names(context), context })),
    isTaken,
  )
  app.addHook('onRoute', lenientQuery)
  app.addHook('onRequest', (request, reply, done) => {
    const { host } = request.headers
    const found = table.chainOf(host)
    if (found === undefined) return void reply.code(404).send({ error: 'Unknown network', hosts: table.known(host) })
    request.chain = found.context
    done()
  })
  app.addHook('preHandler', (request, reply, done) => {
    const state = request.chain.market.state
    if (state === null) {
      if (request.routeOptions.config.withoutMarket === true) return done()
      return void busy(reply, `${request.chain.chain}: data is being loaded. Try again in a moment.`)
    }
    // The client has the answer of this block: nothing to compute.
    if (mark(request, reply, state.at)) return void reply.code(304).send()
    done()
  })
  add(app as unknown as Api)
}

function names({ chain, config }: ChainContext) {
  return { chain, hosts: config.hosts }
}
