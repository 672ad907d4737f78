// The HTTP server. Keeps no state of its own: everything it answers is in the database.
import fastify, { type FastifyInstance } from 'fastify'
import { type OperateOptions, operateRoutes } from './operate/routes.ts'

export type ServerOptions = OperateOptions

/** Makes the server with all routes; the caller lets it listen and closes it. */
export function createServer(options: ServerOptions): FastifyInstance {
  // Open connections end with the server: a shutdown takes no longer than the requests under way.
  const app = fastify({ forceCloseConnections: 'idle' })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }))
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const code = error.statusCode ?? 500
    return reply.code(code).send({ error: code < 500 ? error.message : 'Internal server error' })
  })
  operateRoutes(app, options)
  return app
}
