// The description of the API, generated from the schemas that validate and serialise, and a page that shows it.
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { servePage } from './pages.ts'

const PAGE = new URL('./docs-page/', import.meta.url)

/** Must be called before the routes that it describes are added. */
export function describeApi(app: FastifyInstance, version: string): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Headwater',
        version,
        description:
          'Read-only data of an exchange: tokens, pools, order books, candles and account history. The host name chooses the chain.',
      },
      servers: [{ url: '/' }],
    },
  })
}

/** Serves `/openapi.json` and `/docs`: plain files of ours, nothing from elsewhere. */
export function describeRoutes(app: FastifyInstance): void {
  let text: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(text)
  })
  servePage(app, { page: '/docs', assets: '/docs/', folder: PAGE, files: ['index.html', 'docs.js', 'docs.css'] })
}
