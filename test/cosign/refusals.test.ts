// Refusals without reading a chain: each attack by its number in docs/operate/cosigner.md. Documented texts are
// compared completely, other texts by a pattern.
import t from 'tap'
import { testDatabase } from '../support/database.ts'
import { ATTACKS, GOOD } from './attacks.ts'
import { startTestCosigner } from './service.ts'
import { by, call, noop, transfer, USER, unique } from './transactions.ts'

t.test('refused transactions', async (t) => {
  const database = await testDatabase(t)
  const cosigner = await startTestCosigner(t, database)

  for (const [id, hex, text] of ATTACKS)
    t.test(`refusal ${id}`, async (t) => {
      const { status, body } = await cosigner.sign(hex)
      t.equal(status, 400)
      t.same(Object.keys(body), ['error'])
      if (typeof text === 'string') t.equal(body.error, text)
      else t.match(body.error, text)
    })

  t.test('refusal 5: lists without end are refused at once', async (t) => {
    const began = performance.now()
    for (let i = 0; i < 50; i++) await cosigner.sign(`${GOOD.slice(0, 28)}ffffffff0f${'00'.repeat(i)}`)
    t.ok(performance.now() - began < 30_000)
  })

  t.test('refused transactions were not counted', async (t) => {
    t.equal((await database.pool.query('select from cosign.counters')).rowCount, 0)
  })

  t.test('allowed transactions are signed', async (t) => {
    for (const hex of [
      unique(),
      unique().toUpperCase(),
      unique([noop(), call('swap.svc'), transfer()]),
      unique([noop(), transfer('swap.svc', { authorization: [by(USER, 'trade')] })]),
    ])
      t.equal((await cosigner.sign(hex)).status, 201)
  })
})
