// A relayer in a process of its own that ends by SIGKILL between two steps of sending: HEADWATER_TEST_RELAY has its
// configuration, HEADWATER_TEST_KILL the step, and which of them: `intended 2` is that of the second transaction.

import { SILENT } from '../../relay/log.ts'
import { startRelayer } from '../../relay/start.ts'

const { config, databaseUrl } = JSON.parse(process.env.HEADWATER_TEST_RELAY ?? '')
const [wanted, number = '1'] = (process.env.HEADWATER_TEST_KILL ?? '').split(' ')
let left = Number(number)
const relayer = await startRelayer({
  config,
  databaseUrl,
  log: SILENT,
  onStep(step) {
    if (step === wanted && --left === 0) process.kill(process.pid, 'SIGKILL')
  },
})
await relayer.done
