// Measures one server of the stream: opens the readers, plays blocks, and prints latencies, processor and memory.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { pinToCore } from '../support/core.ts'
import { type Contender, type StreamServer, startContender } from './contender.ts'
import type { Touch } from './market.ts'
import type { Order, Report } from './readers.ts'
import { topicsOf, Watched } from './watched.ts'

/** Blocks before the measurement. */
const WARM_UP = 20
/** Time for the readers to wake up. */
const WAKE_MS = 5
/** Time after a block within which all messages have arrived. */
const WINDOW_MS = 400
/** Timeout for a report of the readers, ms. */
const REPORT_MS = 60_000

export interface Scale {
  connections: number
  /** Subscriptions of each connection. */
  each: number
  rounds: number
  /** Connections that never read. */
  mute: number
}

/** Figures of a kind of block, milliseconds. */
export interface Figures {
  name: string
  /** From the block to a message. */
  p50: number
  p99: number
  /** Median of a block's last message. */
  last: number
  /** Median of the processor time after a block, all threads. */
  work: number
}

/** Fails the process when messages are missing or clients that never read were dropped. */
export async function measure(contender: Contender, scale: Scale): Promise<Figures[]> {
  const { connections, mute } = scale
  const server = await startContender(contender, connections + mute)
  const course = new Course(server, scale)
  try {
    return await course.run()
  } finally {
    course.stop()
    await server.close()
  }
}

interface Measured {
  /** Milliseconds from the block to each message. */
  latencies: number[]
  /** Milliseconds to advance the market by the block, and CPU milliseconds of the work after it. */
  step: number
  work: number
  bytes: number
  isComplete: boolean
}

class Course {
  private readonly server: StreamServer
  private readonly scale: Scale
  private readonly origin = process.hrtime.bigint()
  private readonly readers: ChildProcess
  private readonly ended: Promise<never>

  constructor(server: StreamServer, scale: Scale) {
    this.server = server
    this.scale = scale
    this.readers = fork(new URL('./readers.ts', import.meta.url), [String(this.origin)], {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
    })
    this.ended = once(this.readers, 'exit').then(([code, signal]) => {
      throw new Error(`the readers ended: ${code ?? signal}`)
    })
    this.ended.catch(() => {})
  }

  stop(): void {
    this.readers.kill()
  }

  async run(): Promise<Figures[]> {
    const { market, port } = this.server
    const { connections, each, rounds, mute } = this.scale
    const { pid } = this.readers
    const areApart = pid !== undefined && pinToCore(process.pid, 0) && pinToCore(pid, 1)
    console.log(areApart ? 'server and readers on a processor each' : 'server and readers where the system puts them')
    const subscriptions = Array.from({ length: connections }, (_, i) => topicsOf(market.state, i, each))
    const watched = new Watched(market.state, subscriptions.flat())
    const opening = performance.now()
    this.send({ kind: 'open', port, subscriptions })
    const opened = await this.report()
    const seconds = ((performance.now() - opening) / 1000).toFixed(1)
    console.log(
      `${connections} connections with ${each} subscriptions each, ${watched.size} channels; ` +
        `${opened.kind === 'opened' ? opened.messages : 0} first states in ${seconds} s`,
    )
    const one: Touch = { pools: [0], change: 'reserve' }
    const all: Touch = { pools: watched.ids('pool'), books: watched.ids('orderbook'), change: 'price' }
    // Warm-up to the state of a running server: blocks have come, and clients have come and gone.
    for (let i = 0; i < WARM_UP; i++) {
      if (i === WARM_UP / 4) await this.connectMute()
      if (i === (WARM_UP * 3) / 4) await this.disconnectMute()
      await this.block(i % 2 === 0 ? one : all)
    }
    const figures = [await this.blocks('one channel of every connection', rounds, one)]
    await this.connectMute()
    figures.push(await this.blocks('every subscription', Math.ceil(rounds / 4), all))
    const before = memory()
    figures.push(await this.blocks('the same, once more', Math.ceil(rounds / 4), all))
    console.log(`memory of the server: ${before} and ${memory()} MB (heap and buffers, after collection)`)
    const there = await this.disconnectMute()
    console.log(`clients that never read, at the end of it: ${there} of ${mute}`)
    if (there < mute) process.exitCode = 1
    return figures
  }

  private send(order: Order): void {
    this.readers.send(order)
  }

  private async report(): Promise<Report> {
    const message = once(this.readers, 'message', { signal: AbortSignal.timeout(REPORT_MS) })
    return (await Promise.race([message, this.ended]))[0] as Report
  }

  /** Connects the clients that never read. They subscribe to the longest messages too. */
  private async connectMute(): Promise<void> {
    const { mute, each } = this.scale
    const { market, port } = this.server
    const subscriptions = Array.from({ length: mute }, (_, i) => [
      { channel: 'tokens' },
      ...topicsOf(market.state, i, each),
    ])
    this.send({ kind: 'mute', port, subscriptions })
    await this.report()
  }

  /** Disconnects them. @returns number of them that the server had not dropped */
  private async disconnectMute(): Promise<number> {
    const open = await this.server.connections()
    this.send({ kind: 'leave' })
    return open - this.scale.connections
  }

  private async block(touch: Touch): Promise<Measured> {
    const { market } = this.server
    const reads = market.read(touch)
    const stepping = performance.now()
    const changes = market.advance(reads)
    const step = performance.now() - stepping
    this.send({ kind: 'wake' })
    await delay(WAKE_MS)
    const used = process.cpuUsage()
    const sent = Number(process.hrtime.bigint() - this.origin)
    market.tell(changes)
    // Waits before the readers check the messages: that would take their processor.
    await delay(WINDOW_MS)
    this.send({ kind: 'round', touch })
    const report = await this.report()
    // On a loaded machine messages arrive after the window too.
    const { user, system } = process.cpuUsage(used)
    if (report.kind !== 'received') throw new Error('out of step')
    const { bytes, isComplete } = report
    const latencies = report.times.map((time) => (time - sent) / 1e6)
    return { latencies, step, work: (user + system) / 1000, bytes, isComplete }
  }

  private async blocks(name: string, times: number, touch: Touch): Promise<Figures> {
    const blocks: Measured[] = []
    for (let round = 0; round < times; round++) blocks.push(await this.block(touch))
    const latencies = blocks.flatMap((one) => one.latencies).sort((a, b) => a - b)
    const bytes = blocks.reduce((sum, one) => sum + one.bytes, 0)
    const isComplete = blocks.every((one) => one.isComplete)
    const messages = Math.round(latencies.length / times)
    console.log(`${name}: ${times} blocks, ${messages} messages and ${Math.round(bytes / times / 1024)} KiB each`)
    const lasts = blocks.map((one) => one.latencies.at(-1) ?? 0).sort((a, b) => a - b)
    const works = blocks.map(({ work }) => work).sort((a, b) => a - b)
    const steps = blocks.map(({ step }) => step).sort((a, b) => a - b)
    console.log(`  message received after the block: ${shares(latencies)}`)
    console.log(`  last message of a block: ${shares(lasts)}, worst ${(lasts.at(-1) ?? 0).toFixed(1)} ms`)
    console.log(`  processor of the server, all threads: ${shares(works)}`)
    console.log(`  taking ${touch.pools.length} pools in, prices included: ${shares(steps)}`)
    console.log(
      `  completeness: ${isComplete ? 'every message came once, bytes as they should be' : 'MESSAGES ARE MISSING'}`,
    )
    if (!isComplete) process.exitCode = 1
    return { name, p50: at(latencies, 0.5), p99: at(latencies, 0.99), last: at(lasts, 0.5), work: at(works, 0.5) }
  }
}

/** @param sorted  ascending */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function shares(sorted: readonly number[]): string {
  return `p50 ${at(sorted, 0.5).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms`
}

function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return Math.round((heapUsed + external) / 2 ** 20)
}
