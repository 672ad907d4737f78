// The page at `/`: how far each chain is, what is traded, and candles. It shows what the endpoints answer.
import type { FastifyInstance } from 'fastify'
import { servePage } from '../http/pages.ts'

export function statusPage(app: FastifyInstance): void {
  servePage(app, {
    page: '/',
    assets: '/web/status/',
    folder: new URL('../../web/status/', import.meta.url),
    files: ['index.html', 'status.js', 'chart.js', 'format.js', 'status.css'],
  })
}
