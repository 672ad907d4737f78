// Runs the relayer of a devnet, and simulated users who start transfers. Ends with its parent process.
//   node --import tsx devnet/relayer/main.ts --api http://127.0.0.1:7700/api/bridge/v1 \
//     --telos http://127.0.0.1:1 --wax http://127.0.0.1:2 --evm http://127.0.0.1:3 --beacon http://127.0.0.1:4 --every 20
// Prints a JSON line for each action.

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { UserError } from '../../core/errors.ts'
import { itemAt } from '../../core/required.ts'
import { BeaconNode } from '../../proofs/deposit/evm/beacon.ts'
import { EvmRpc } from '../evm/rpc.ts'
import { AntelopeNode } from './antelope-node.ts'
import { BridgeApi } from './bridge-api.ts'
import { Relayer } from './relayer.ts'
import { TRIPS, Travellers } from './travellers.ts'

const TURN_MS = 1000
/** Pause after a failed turn. */
const PAUSE_MS = 3000

const { values } = parseArgs({
  options: {
    api: { type: 'string' },
    telos: { type: 'string' },
    wax: { type: 'string' },
    evm: { type: 'string' },
    /** Beacon node of the EVM chain; without it, its deposits are not credited. */
    beacon: { type: 'string' },
    /** Seconds between journeys of simulated users; without it, there are none. */
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
const beacon = values.beacon === undefined ? undefined : new BeaconNode({ chain: 'mainnet', url: required('beacon') })
const relayer = new Relayer({ ...places, beacon, tell: (action) => say({ event: 'relayed', ...action }) })

async function relay(): Promise<void> {
  let silent = ''
  while (!signal.aborted) {
    try {
      await relayer.turn()
      silent = ''
      await sleep(TURN_MS, undefined, { signal })
    } catch (error) {
      if (signal.aborted) return
      const { message } = error as Error
      // A repeated error is printed once.
      if (message !== silent) say({ event: 'waiting', reason: message })
      silent = message
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }
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
await Promise.all([relay(), every === null ? undefined : travel(every)])
