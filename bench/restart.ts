// Restart: time from the start of the process to the commit of the first live block, with PostgreSQL running, a
// development chain of two blocks a second, and history indexed. Each figure includes the wait for a block.
// Usage: node --import tsx bench/restart.ts [restarts]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { SimulationMessage, SimulationTask } from '../devnet/simulation-process.ts'
import { start } from '../test/bin/program.ts'
import { benchDatabase } from './support/database.ts'
import { hardware } from './support/hardware.ts'

const restarts = Number(process.argv[2] ?? 7)

const database = await benchDatabase('headwater_bench_restart')
const reader = new pg.Client({ connectionString: database.url })
const { simulation, ship } = await startSimulation()
try {
  console.log(hardware())
  await reader.connect()
  await reader.query('listen headwater')
  const env = {
    DATABASE_URL: database.url,
    PORT: '0',
    HEADWATER_CHAINS: 'wax',
    HEADWATER_WAX_SOURCE_URLS: ship.address,
    HEADWATER_WAX_SOURCE_START_BLOCK: String(ship.firstBlock),
  }
  const first = start(['run'], env)
  await ready(first.output)
  await end(first)
  const serving: number[] = []
  const indexing: number[] = []
  for (let i = 0; i < restarts; i++) {
    const began = performance.now()
    const committed = once(reader, 'notification').then(() => indexing.push(performance.now() - began))
    const program = start(['run'], env)
    await ready(program.output)
    serving.push(performance.now() - began)
    await committed
    await end(program)
  }
  for (const [what, times] of Object.entries({ 'ready to answer': serving, 'first block committed': indexing })) {
    times.sort((a, b) => a - b)
    const at = (share: number) => ((times[Math.floor((times.length - 1) * share)] as number) / 1000).toFixed(2)
    console.log(`restart, ${what}: median ${at(0.5)} s, worst of ${restarts} ${at(1)} s`)
  }
} finally {
  simulation.kill('SIGKILL')
  await reader.end()
  await database.close()
}

async function startSimulation(): Promise<{ simulation: ChildProcess; ship: { address: string; firstBlock: number } }> {
  const task: SimulationTask = { chains: ['wax'], days: 1, seed: 1, interval: 300_000, end: Date.now() }
  const file = fileURLToPath(new URL('../devnet/simulation-process.ts', import.meta.url))
  const simulation = fork(file, [JSON.stringify(task)], { execArgv: ['--import', 'tsx'] })
  for (;;) {
    const [message] = (await once(simulation, 'message')) as [SimulationMessage]
    const chain = message.chains[0]
    if (message.ready && chain) return { simulation, ship: { address: chain.ship, firstBlock: chain.firstBlock } }
  }
}

/** Waits until the program reports that it is ready, with the chain at its head. */
async function ready(output: { stderr: string }): Promise<void> {
  let url: string | undefined
  for (let tries = 0; tries < 6000; tries++) {
    url ??= output.stderr.match(/"url":"(http[^"]+)"/)?.[1]
    if (url && (await fetch(`${url}/health/ready`)).status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`the program is not ready after a minute: ${output.stderr.slice(-2000)}`)
}

async function end(program: ReturnType<typeof start>): Promise<void> {
  program.child.kill('SIGTERM')
  await program.outcome
}
