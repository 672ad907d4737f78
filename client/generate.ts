// Writes client/generated/openapi.ts: types of every endpoint, from the server's OpenAPI description.
// Usage: node --import tsx client/generate.ts
import { mkdir, writeFile } from 'node:fs/promises'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import pg from 'pg'
import type { Description } from '../api/description/complete.ts'
import { createServer } from '../api/server.ts'

const ABOUT = `// The endpoints of Headwater and what they take and answer. Made by client/generate.ts from /openapi.json: after a change
// of an endpoint run \`node --import tsx client/generate.ts\`.

`

export const GENERATED = new URL('./generated/openapi.ts', import.meta.url)

/** Text of the generated file. Needs neither database nor chain: the description comes from the routes' schemas. */
export async function clientTypes(): Promise<string> {
  // With a cosigner address the CPU sponsorship endpoints are included. No request is sent to it.
  const cosign = { url: 'http://127.0.0.1:1', chain: 'wax' }
  const app = createServer({ pool: new pg.Pool(), chains: [], maxLagSeconds: 60, version: '0.0.0', cosign })
  await app.ready()
  const { payload } = await app.inject({ url: '/openapi.json' })
  await app.close()
  return ABOUT + astToString(await openapiTypes(typesOnly(JSON.parse(payload, withoutExample) as Description)))
}

const withoutExample = (key: string, value: unknown) => (key === 'example' ? undefined : value)

/** Removes what types do not need: ids, and error answers, which the client throws. */
function typesOnly({ paths, ...rest }: Description): OpenAPI3 {
  const kept = Object.entries(paths).flatMap(([path, methods]) => {
    const answering = Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId, responses = {}, ...others } = operation
      const good = Object.entries(responses).filter(([status]) => /^20/.test(status))
      return good.length === 0 ? [] : [[method, { ...others, responses: Object.fromEntries(good) }]]
    })
    return answering.length === 0 ? [] : [[path, Object.fromEntries(answering)]]
  })
  return { ...rest, components: {}, paths: Object.fromEntries(kept) } as unknown as OpenAPI3
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await mkdir(new URL('.', GENERATED), { recursive: true })
  await writeFile(GENERATED, await clientTypes())
}
