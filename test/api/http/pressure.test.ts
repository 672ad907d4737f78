// An overloaded server refuses requests with 503 and a retry time; health still answers.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

t.test('under pressure requests get 503 with Retry-After, afterwards 200 again', async (t) => {
  const api = await testApi(t, await testDatabase(t), { maxDelay: 400 })
  const url = '/api/v3/meta'
  // Blocks the event loop for a second at a time, until the pressure check notices.
  let turnedAway = await api.get(url)
  for (let i = 0; i < 20 && !turnedAway.text.includes('The server is busy'); i++) {
    const until = performance.now() + 1000
    while (performance.now() < until);
    await delay(5)
    turnedAway = await api.get(url)
  }
  t.equal(turnedAway.status, 503)
  t.equal(turnedAway.headers['retry-after'], '1')
  t.same([turnedAway.body.statusCode, turnedAway.body.message], [503, 'The server is busy. Try again in a moment.'])
  t.equal((await api.get('/health/live')).status, 200, 'health is not turned away')
  const until = Date.now() + 60_000
  while ((await api.get(url)).text.includes('The server is busy') && Date.now() < until) await delay(100)
  t.notMatch((await api.get(url)).text, 'The server is busy')
})
