// Operations for operators. They cover the whole process and are on every host.
import { Type } from 'typebox'
import { failure, type Operations } from './operation.ts'

const tag = 'Operating'
const Sentences = (description: string) => Type.Array(Type.String(), { description })
const Ready = Type.Object({
  ready: Type.Boolean({ description: 'Whether answers can be relied on.' }),
  reasons: Sentences('Why not.'),
  warnings: Sentences('What is missing from answers nevertheless.'),
})

export const OPERATE: Operations = {
  'GET /health/live': {
    id: 'getLive',
    tag,
    summary: 'Whether the process is alive',
    answers: Type.Object({ live: Type.Boolean() }),
    about: 'Answers as long as the process does.',
    ask: '/health/live',
  },
  'GET /health/ready': {
    id: 'getReady',
    tag,
    summary: 'Whether the service is ready',
    answers: Ready,
    about: '200 when every chain is near its head and loaded; else 503 with the reasons.',
    ask: '/health/ready',
    failures: [
      {
        status: 503,
        when: 'The service is not ready.',
        body: { ready: false, reasons: ['telos: nothing is indexed yet'], warnings: [] },
      },
    ],
  },
  'GET /health/market': {
    id: 'getMarketAudit',
    tag,
    summary: 'Whether the market in memory is that of the database',
    about: 'Compares the market in memory with the database.',
    ask: '/health/market',
    failures: [
      {
        status: 500,
        when: 'They differ.',
        body: { isRight: false, chains: [{ chain: 'wax', block: 300000001, differences: ['pool 2: tick 7, 8'] }] },
      },
      {
        ...failure(503, 'They are not at the same block at this moment.'),
        body: {
          statusCode: 503,
          error: 'Service Unavailable',
          message: 'A market is not at the block of the database.',
        },
      },
    ],
  },
  'GET /status': {
    id: 'getStatus',
    tag,
    summary: 'Where every chain stands',
    about: 'Positions of all chains, and how many rows each table has.',
    ask: '/status',
  },
  'GET /metrics': {
    id: 'getMetrics',
    type: 'text/plain',
    tag,
    summary: 'Metrics of the process',
    about: 'In the text format of Prometheus.',
    ask: '/metrics',
  },
}
