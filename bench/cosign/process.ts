// Starts the processes of the cosigner's benchmark: the cosigner on one core, a simulated wax with its chain API on
// others.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PrivateKey } from '@wharfkit/antelope'

const LIMITS = ['IP_HOUR', 'IP_DAY', 'ACCOUNT_HOUR', 'ACCOUNT_DAY', 'ALL_HOUR', 'ALL_DAY', 'FAILURES_HOUR']
/** Limit of all addresses, exceeded only where the benchmark has set a counter above it. */
export const LIMIT = 2_000_000_000

export interface RunningProcess {
  url: string
  /** The cosigner's own times from a request's body to its answer, from its log; milliseconds. */
  took: number[]
  /** CPU time so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** @param folder  folder for the key file @param more  settings from the environment */
export async function startCosigner(
  databaseUrl: string,
  folder: string,
  key: PrivateKey,
  more: Record<string, string> = {},
): Promise<RunningProcess> {
  const path = join(folder, 'payer.key')
  writeFileSync(path, `${key}\n`)
  chmodSync(path, 0o600)
  const script = new URL('../../bin/headwater.js', import.meta.url).pathname
  const most = Object.fromEntries(LIMITS.map((name) => [`HEADWATER_COSIGN_${name}`, String(LIMIT)]))
  const env = { ...process.env, ...most, DATABASE_URL: databaseUrl, HEADWATER_COSIGN_KEY_FILE: path, ...more }
  const pinned = process.platform === 'linux' ? ['taskset', '-c', '0'] : []
  const [program, ...args] = [...pinned, process.execPath, script, 'cosign', '--chain', 'wax', '--port', '0']
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const took: number[] = []
  createInterface(child.stderr).on('line', (line) => {
    const us = /"us":(\d+)/.exec(line)?.[1]
    if (us !== undefined) took.push(Number(us) / 1000)
  })
  const { url } = await waitForLine<{ url: string }>(child, child.stderr, (line) => line.includes('"msg":"cosigns"'))
  return { url, took, cpuSeconds: () => cpuSecondsOf(child.pid as number), stop: () => ended(child) }
}

/** Starts a simulated wax with a day of history and live blocks. @returns address of its chain API */
export async function startWax(): Promise<Pick<RunningProcess, 'url' | 'stop'>> {
  const script = new URL('../../devnet/main.ts', import.meta.url).pathname
  const args = ['--import', 'tsx', script, '--chains', 'wax', '--days', '1', '--interval', '1200']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const serving = waitForLine<{ chains: { http: string }[] }>(child, child.stdout, (line) => line.includes('"serving"'))
  const ready = waitForLine(child, child.stdout, (line) => line.includes('"ready"'))
  const [{ chains }] = await Promise.all([serving, ready])
  return { url: chains[0]?.http ?? '', stop: () => ended(child) }
}

/** Waits for a line of output and parses it as JSON. @throws Error with the output if the process ends first */
function waitForLine<T>(
  child: ChildProcess,
  from: NodeJS.ReadableStream | null,
  is: (line: string) => boolean,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const lines = createInterface(from as NodeJS.ReadableStream)
    const said: string[] = []
    lines.on('line', (line) => {
      if (said.length < 50) said.push(line)
      if (is(line)) resolve(JSON.parse(line) as T)
    })
    child.once('exit', () => reject(new Error(`${child.spawnargs.join(' ')} ended: ${said.join('\n')}`)))
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
}

/** Linux counts CPU time in hundredths of a second. */
function cpuSecondsOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
