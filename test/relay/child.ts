// A relayer in a process of its own that ends by SIGKILL between two steps of sending: HEADWATER_TEST_RELAY has its
// configuration, HEADWATER_TEST_KILL the step.

import { SILENT } from '../../relay/log.ts'
import { startRelayer } from '../../relay/start.ts'

const { config, databaseUrl } = JSON.parse(process.env.HEADWATER_TEST_RELAY ?? '')
const relayer = await startRelayer({
  config,
  databaseUrl,
  log: SILENT,
  onStep(step) {
    if (step === process.env.HEADWATER_TEST_KILL) process.kill(process.pid, 'SIGKILL')
  },
})
await relayer.done
