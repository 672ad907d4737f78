// Writes client/generated/openapi.ts: the types of every endpoint, from the server's own description of itself.
// Usage: node --import tsx client/generate.ts
import { mkdir, writeFile } from 'node:fs/promises'
import openapiTypes, { astToString } from 'openapi-typescript'
import pg from 'pg'
import { createServer } from '../api/server.ts'

const ABOUT = `// The endpoints of Headwater and what they take and answer. Made by client/generate.ts from /openapi.json: after a change
// of an endpoint run \`node --import tsx client/generate.ts\`.

`

export const GENERATED = new URL('./generated/openapi.ts', import.meta.url)

/** Text of the generated file. Needs no database and no chain: the description is in the routes' schemas. */
export async function clientTypes(): Promise<string> {
  const app = createServer({ pool: new pg.Pool(), chains: [], maxLagSeconds: 60, version: '0.0.0' })
  await app.ready()
  const { payload } = await app.inject({ url: '/openapi.json' })
  await app.close()
  return ABOUT + astToString(await openapiTypes(JSON.parse(payload)))
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await mkdir(new URL('.', GENERATED), { recursive: true })
  await writeFile(GENERATED, await clientTypes())
}
