// Runs a devnet outside of the program that uses it: one process a chain, so that history is made on all cores.
// Prints one JSON line with the addresses when they serve, another when all history is made.
//   node --import tsx devnet/main.ts --chains wax,telos --days 14 --seed 1

import { fork } from 'node:child_process'
import { parseArgs } from 'node:util'
import { UserError } from '../core/errors.ts'
import type { ChainAddress, ChainMessage, ChainTask } from './chain-process.ts'
import { isNetworkName } from './networks.ts'

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

function tasks(): ChainTask[] {
  const end = values.end === undefined ? Date.now() : Date.parse(values.end)
  if (Number.isNaN(end)) throw new UserError('INVALID_OPTION', `--end must be an ISO time, not ${values.end}`)
  const days = positive(values.days, 'days')
  const seed = positive(values.seed, 'seed')
  const interval = positive(values.interval, 'interval') * 1000
  return values.chains.split(',').map((chain) => {
    if (!isNetworkName(chain)) throw new UserError('INVALID_OPTION', `--chains: ${chain} is not known`)
    return { chain, days, seed, interval, end }
  })
}

/** Starts one chain; `done` resolves when its history is made. */
async function startChain(task: ChainTask): Promise<{ address: ChainAddress; done: Promise<void> }> {
  const script = new URL('./chain-process.ts', import.meta.url)
  const child = fork(script, [JSON.stringify(task)], { execArgv: ['--import', 'tsx'] })
  child.once('exit', (code) => process.exit(code ?? 1))
  const next = () =>
    new Promise<ChainMessage>((resolve) => child.once('message', (message) => resolve(message as never)))
  const { address } = await next()
  return { address, done: next().then(() => {}) }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))

const began = performance.now()
const chains = await Promise.all(tasks().map(startChain))
console.log(JSON.stringify({ event: 'serving', chains: chains.map(({ address }) => address) }))
await Promise.all(chains.map(({ done }) => done))
console.log(JSON.stringify({ event: 'ready', seconds: Math.round(performance.now() - began) / 1000 }))
