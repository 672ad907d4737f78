// The lines of relayers in the live view.
import t from 'tap'
import { relayLine } from '../../bin/relay-line.ts'
import type { WatchedKey } from '../../relay/watch.ts'

const ADDRESS = `0x${'12'.repeat(18)}abcd`
const key = (more: Partial<WatchedKey> = {}): WatchedKey => ({
  ...{ signer: ADDRESS, open: 0, oldestSeconds: null, gasUsd: 0, alarm: null, isOn: true },
  ...more,
})

t.test('open transactions, the oldest, gas against the limit', async (t) => {
  t.equal(relayLine(key(), undefined), 'relayer 0x1212…abcd  0 open  gas 0.00 USD in 24 h')
  t.equal(
    relayLine(key({ open: 3, oldestSeconds: 95, gasUsd: 1.234 }), 20),
    'relayer 0x1212…abcd  3 open, oldest 1 min 35 s  gas 1.23 of 20.00 USD in 24 h',
  )
  t.match(relayLine(key({ signer: 'relayer.svc' }), 20), /^relayer relayer\.svc {2}0 open/)
})

t.test('a switch and an alarm', async (t) => {
  const alarm = { text: 'release w:7 on mainnet: ProofError\n(1)', ageSeconds: 7200 }
  t.equal(
    relayLine(key({ alarm, isOn: false }), 20),
    'relayer 0x1212…abcd  SWITCHED OFF  0 open  gas 0.00 of 20.00 USD in 24 h  ALARM 2 h ago: release w:7 on mainnet: ProofError (1)',
  )
})
