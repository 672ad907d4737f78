// When the payer's CPU is requested while the node does not answer.
import t from 'tap'
import { CpuMonitor } from '../../cosign/cpu-monitor.ts'
import { SILENT } from '../../cosign/log.ts'
import { TestClock } from './clock.ts'

t.test('a node that was silent at the start is asked again soon, and then every two minutes', async (t) => {
  const clock = new TestClock()
  let [asked, isDown] = [0, true]
  const read = async () => {
    asked++
    if (isDown) throw new Error('no answer')
    return { used: 10n, max: 1000n }
  }
  const monitor = new CpuMonitor(read, clock, SILENT)
  await monitor.start()
  t.same([asked, monitor.cpu, monitor.lastCheck], [1, null, null])
  clock.advance(5_000)
  await Promise.resolve()
  t.equal(asked, 2)
  isDown = false
  clock.advance(5_000)
  await new Promise((resolve) => setImmediate(resolve))
  t.same([asked, monitor.cpu], [3, { used: 10, max: '1000', percent: 1 }])
  clock.advance(109_999)
  t.equal(asked, 3, 'known, it is not asked before its time')
  clock.advance(1)
  t.equal(asked, 4)
  monitor.stop()
  clock.advance(600_000)
  t.equal(asked, 4)
})
