// Runs a devnet as a separate program. Prints one JSON line with the addresses when it serves, and another when all
// history is made:
//   node --import tsx devnet/main.ts --chains wax,telos --days 14 --seed 1

import { parseArgs } from 'node:util'
import { UserError } from '../core/errors.ts'
import { forkSource } from './fork-source.ts'
import { isNetworkName } from './networks.ts'
import type { SimulationMessage, SimulationTask } from './simulation-process.ts'

const { values } = parseArgs({
  options: {
    chains: { type: 'string', default: 'wax,telos' },
    days: { type: 'string', default: '14' },
    seed: { type: 'string', default: '1' },
    interval: { type: 'string', default: '120' },
    end: { type: 'string' },
  },
})

function positive(text: string, option: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new UserError('INVALID_OPTION', `--${option} must be a positive number, not ${text}`)
}

function task(): SimulationTask {
  const end = values.end === undefined ? Date.now() : Date.parse(values.end)
  if (Number.isNaN(end)) throw new UserError('INVALID_OPTION', `--end must be an ISO time, not ${values.end}`)
  const days = positive(values.days, 'days')
  const seed = positive(values.seed, 'seed')
  const interval = positive(values.interval, 'interval') * 1000
  const chains = values.chains.split(',').map((chain) => {
    if (isNetworkName(chain)) return chain
    throw new UserError('INVALID_OPTION', `--chains: ${chain} is not known`)
  })
  return { chains, days, seed, interval, end }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))

const began = performance.now()
const child = forkSource(new URL('./simulation-process.ts', import.meta.url), [JSON.stringify(task())], {
  execArgv: ['--single-threaded-gc'],
})
child.once('exit', (code) => process.exit(code ?? 1))
child.on('message', (message) => {
  const { chains, ready } = message as SimulationMessage
  const seconds = Math.round(performance.now() - began) / 1000
  console.log(JSON.stringify(ready ? { event: 'ready', seconds } : { event: 'serving', chains }))
})
