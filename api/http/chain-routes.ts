// Routes of one chain: sets the request's chain from its host and the answer's block from the market.
import type { FastifyInstance } from 'fastify'
import type { ChainContext } from '../chain-context.ts'
import { busy } from './failures.ts'
import { mark } from './freshness.ts'
import { hostTable } from './hosts.ts'
import { lenientQuery } from './query.ts'
import type { Api } from './typed.ts'

export interface ChainChoice {
  /** Whether a host belongs to something other than a chain. */
  isTaken(host: string | undefined): boolean
  /** The chain that a URL names; undefined when the host chooses. */
  named(url: string): string | undefined
}

/**
 * Adds routes that answer for the chain that the URL names, else for that of the request's host. Any other host gets 404
 * with a list of known hosts.
 */
export function chainRoutes(
  app: FastifyInstance,
  chains: readonly ChainContext[],
  { isTaken, named }: ChainChoice,
  add: (api: Api) => void,
): void {
  const hosts = chains.map((context) => ({ ...names(context), context }))
  const table = hostTable(hosts, isTaken)
  app.addHook('onRoute', lenientQuery)
  app.addHook('onRequest', (request, reply, done) => {
    const { host } = request.headers
    const name = named(request.originalUrl)
    const found = name === undefined ? table.chainOf(host) : hosts.find(({ chain }) => chain === name)
    if (found === undefined) return void reply.code(404).send({ error: 'Unknown network', hosts: table.known(host) })
    request.chain = found.context
    request.chainPrefix = name === undefined ? '' : `/${name}`
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
