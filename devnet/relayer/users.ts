// Sets up the gateway of a devnet's EVM chain, and runs simulated users who start transfers over the bridge. Ends with its
// parent process. The relayer is another program: `headwater relay`.
//   node --import tsx devnet/relayer/users.ts --api http://127.0.0.1:7700/api/bridge/v1 \
//     --telos http://127.0.0.1:1 --wax http://127.0.0.1:2 --evm http://127.0.0.1:3 --beacon http://127.0.0.1:4 --every 20
// Prints a JSON line for each journey.

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { UserError } from '../../core/errors.ts'
import { itemAt } from '../../core/required.ts'
import { BeaconNode } from '../../proofs/deposit/evm/beacon.ts'
import { EvmRpc } from '../evm/rpc.ts'
import { AntelopeNode } from './antelope-node.ts'
import { BridgeApi } from './bridge-api.ts'
import { setUpGateway } from './following.ts'
import { TRIPS, Travellers } from './travellers.ts'

const { values } = parseArgs({
  options: {
    api: { type: 'string' },
    telos: { type: 'string' },
    wax: { type: 'string' },
    evm: { type: 'string' },
    /** Beacon node of the EVM chain; without it, its deposits are not credited. */
    beacon: { type: 'string' },
    /** Seconds between journeys; without it, there are none. */
    every: { type: 'string' },
  },
})

function required(name: 'api' | 'telos' | 'wax' | 'evm' | 'beacon'): string {
  const value = values[name]
  if (value !== undefined && URL.canParse(value)) return value
  throw new UserError('INVALID_OPTION', `--${name} must be a URL, not ${value}`)
}

const say = (line: object) => console.log(JSON.stringify({ time: new Date().toISOString(), ...line }))

const stop = new AbortController()
const { signal } = stop
for (const name of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(name, () => stop.abort())

const places = {
  api: new BridgeApi(required('api')),
  telos: new AntelopeNode(required('telos')),
  wax: new AntelopeNode(required('wax')),
  evm: new EvmRpc(required('evm')),
}

async function travel(seconds: number): Promise<void> {
  const travellers = new Travellers(places)
  for (let n = 0; !signal.aborted; n++) {
    const { name, once, go } = itemAt(TRIPS, n % TRIPS.length)
    if (once && n >= TRIPS.length) continue
    say({ event: 'journey', name })
    go(travellers, signal).catch((error: Error) => {
      if (!signal.aborted) say({ event: 'journey ended', name, reason: error.message })
    })
    await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
  }
}

const every = values.every === undefined ? null : Number(values.every)
if (every !== null && !(every > 0)) throw new UserError('INVALID_OPTION', `--every must be a positive number`)
if (values.beacon !== undefined)
  await setUpGateway(places.telos, new BeaconNode({ chain: 'mainnet', url: required('beacon') }), signal)
if (every !== null) await travel(every)
