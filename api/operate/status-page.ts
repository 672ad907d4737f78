// The page at `/`, which shows each chain's position, trades and candles from the public endpoints, and the files that
// pages share.
import type { FastifyInstance } from 'fastify'
import { serveFiles, servePage } from '../http/pages.ts'

export function statusPage(app: FastifyInstance): void {
  const shared = new URL('../../web/shared/', import.meta.url)
  serveFiles(app, '/web/shared/', shared, ['tokens.css', 'page.css', 'renew.js'])
  servePage(app, {
    page: '/',
    assets: '/web/status/',
    folder: new URL('../../web/status/', import.meta.url),
    files: ['index.html', 'status.js', 'chart.js', 'format.js', 'status.css'],
  })
}
