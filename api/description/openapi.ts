// The OpenAPI description, generated from the routes' schemas, and the page that shows it.
import { fileURLToPath } from 'node:url'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { type Body, bodyOf, sendBody } from '../http/body-cache.ts'
import { servePage, serveScript } from '../http/pages.ts'
import { completeDescription, type Description } from './complete.ts'
import { readExamples } from './examples.ts'
import { DESCRIPTION_SCHEMAS } from './schemas.ts'

const PAGE = new URL('../http/docs-page/', import.meta.url)
const PACKAGE = '@scalar/fastify-api-reference'
/** Path of the browser script, relative to the package's entry. */
const REFERENCE = './js/standalone.js'

/** Call it before the described routes are added. */
export function describeApi(app: FastifyInstance, version: string): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Headwater', version },
      servers: [{ url: '/' }],
    },
  })
}

/** The complete description. Call it after all routes are added. */
function description(app: FastifyInstance): Description {
  return completeDescription(app.swagger() as unknown as Description, readExamples(), DESCRIPTION_SCHEMAS)
}

/**
 * Serves `/openapi.json` and the reference at `/docs`. The reference is a package's script, served from this server and
 * configured to send requests to this server only.
 */
export function describeRoutes(app: FastifyInstance): void {
  let made: Body | undefined
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) => {
    made ??= bodyOf('openapi', [Buffer.from(JSON.stringify(description(app)))])
    return sendBody(request, reply.header('vary', 'accept-encoding'), made)
  })
  const files = ['index.html', 'docs.js', 'docs.css']
  servePage(app, { page: '/docs', assets: '/docs/', folder: PAGE, files, makesStyles: true })
  serveScript(app, '/docs/reference.js', fileURLToPath(new URL(REFERENCE, import.meta.resolve(PACKAGE))))
}
