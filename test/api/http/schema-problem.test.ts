// A refused request says what is wrong in words for a person, never as a pattern.
import { fastify } from 'fastify'
import pg from 'pg'
import t from 'tap'
import { EXPLAINED, schemaProblem } from '../../../api/http/schema-problem.ts'
import { ACCOUNT_NAME } from '../../../api/kit/forms.ts'
import { createServer } from '../../../api/server.ts'

t.test('a refusal names the parameter and what it must be', async (t) => {
  const app = fastify({ ajv: EXPLAINED, schemaErrorFormatter: schemaProblem })
  t.teardown(() => app.close())
  const querystring = {
    type: 'object',
    required: ['from'],
    properties: {
      from: { type: 'number' },
      side: { enum: ['buy', 'sell'] },
      count: { type: 'integer', minimum: 0, maximum: 9 },
      name: { type: 'string', maxLength: 3 },
      account: { type: 'string', ...ACCOUNT_NAME },
      other: { type: 'string', pattern: '^x$' },
    },
  }
  app.get('/', { schema: { querystring } }, async () => 'ok')
  const params = { type: 'object', properties: { account: { type: 'string', ...ACCOUNT_NAME } } }
  app.get('/of/:account', { schema: { params } }, async () => 'ok')
  const messageOf = async (url: string) => (await app.inject(url)).json().message
  t.equal(await messageOf('/'), 'from is missing')
  t.equal(await messageOf('/?from=1&side=hold'), 'side must be one of buy, sell')
  t.equal(await messageOf('/?from=x'), 'from must be a number')
  t.equal(await messageOf('/?from=1&count=many'), 'count must be a whole number')
  t.equal(await messageOf('/?from=1&count=-1'), 'count must be at least 0')
  t.equal(await messageOf('/?from=1&count=10'), 'count must be at most 9')
  t.equal(await messageOf('/?from=1&name=long'), 'name must have at most 3 characters')
  t.match(await messageOf('/?from=1&account=ALICE'), /^account must be an account name: 1 to 12 of a-z/)
  t.match(await messageOf('/of/ALICE'), /^account must be an account name: 1 to 12 of a-z/)
  t.equal(await messageOf('/?from=1&other=y'), 'other has another form than the one described')
})

t.test('every pattern of a parameter is described in words', async (t) => {
  const app = createServer({ pool: new pg.Pool(), chains: [], maxLagSeconds: 60, version: '0.0.0' })
  t.teardown(() => app.close())
  await app.ready()
  interface Parameter {
    name: string
    description: string
    schema: { pattern?: string; expect?: string }
  }
  const { paths } = (await app.inject('/openapi.json')).json()
  let count = 0
  for (const [path, methods] of Object.entries<Record<string, { parameters?: Parameter[] }>>(paths))
    for (const { parameters = [] } of Object.values(methods))
      for (const { name, description, schema } of parameters) {
        t.equal(schema.expect, undefined, 'not a member of JSON schemas')
        if (schema.pattern === undefined) continue
        count++
        t.match(description, / It is (a|an|the) /, `${name} of ${path}`)
      }
  t.ok(count > 20, `${count} patterns`)
})
