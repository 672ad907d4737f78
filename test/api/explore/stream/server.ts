// The API on a test's database as a process of its own, so that a test can kill it. Arguments: database, port or 0. Sends
// its port when it serves.
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { testApi } from '../../../support/api.ts'

const [url = '', port = '0'] = process.argv.slice(2)
// A process that is killed has no end of its own.
const api = await testApi({ teardown() {} }, { url, pool: new pg.Pool({ connectionString: url }) })
await api.app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.((api.app.server.address() as AddressInfo).port)
