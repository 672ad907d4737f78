// Schemas are compiled when first used, once for all servers of the process.
import t from 'tap'
import { lazySerializer, lazyValidator } from '../../../api/http/compilers.ts'

const route = (schema: unknown) => ({ schema, method: 'GET', url: '/' })

t.test('a validator is compiled by its first call, once for equal schemas, and hands errors on', async (t) => {
  const compiled: unknown[] = []
  const error = { keyword: 'type', instancePath: '/a', schemaPath: '#', params: {}, message: 'must be a number' }
  const compiler = lazyValidator(({ schema }) => {
    compiled.push(schema)
    const validate = (data: number) => {
      validate.errors = data > 1 ? [error] : null
      return data <= 1
    }
    validate.errors = null as (typeof error)[] | null
    return validate
  })
  const [first, second] = [
    compiler(route({ type: 'number', title: 'one' })),
    compiler(route({ type: 'number', title: 'one' })),
  ]
  t.same(compiled, [])
  t.equal(first(2), false)
  t.same(first.errors, [error])
  t.equal(first(1), true)
  t.equal(first.errors, null)
  t.equal(second(1), true)
  t.equal(compiled.length, 1)
  compiler(route({ type: 'number', title: 'two' }))(1)
  t.same(compiled.at(-1), { type: 'number', title: 'two' })
})

t.test('a serializer likewise', async (t) => {
  let compiled = 0
  const compiler = lazySerializer(({ schema }) => {
    compiled++
    return (data) => `${(schema as { title: string }).title} ${data}`
  })
  const [first, second] = [compiler(route({ title: 'one' })), compiler(route({ title: 'one' }))]
  t.equal(compiled, 0)
  t.equal(first(1), 'one 1')
  t.equal(second(2), 'one 2')
  t.equal(compiled, 1)
})
