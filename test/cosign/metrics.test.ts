// Metrics of the cosigner before and after the first requests.
import t from 'tap'
import { CosignMetrics } from '../../cosign/metrics.ts'
import { Unbounded } from '../../cosign/unbounded.ts'

t.test('the counters of an alert begin at 0, so that the first request is an increase', async (t) => {
  const metrics = new CosignMetrics(null, new Unbounded(), () => 0)
  const requests = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('headwater_cosign_requests_total'))
  t.same(await requests(), [
    'headwater_cosign_requests_total{outcome="signed"} 0',
    'headwater_cosign_requests_total{outcome="unavailable"} 0',
  ])
  metrics.note('unavailable', 3)
  t.same((await requests()).at(-1), 'headwater_cosign_requests_total{outcome="unavailable"} 1')
})
