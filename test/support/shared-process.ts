// A process that runs test files one after the other, as `shared-files.ts` asks it to: loading the program's modules takes
// longer than most tests. After each file it waits for what would keep a process of that file alone from ending, and
// checks that the file has restored the state that files share.
import { symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printComment, runFile, totals } from './file-tap.ts'
import { FILE_ENDED, type FileEnd, type FileStart } from './shared-files.ts'

/** Pause between two checks whether all work of a file has ended, ms. */
const CHECK_MS = 2

/** State that all files of the process use. */
function sharedState(): Record<string, unknown> {
  return {
    'the working directory': process.cwd(),
    'process.env': JSON.stringify(process.env),
    'process.exitCode': process.exitCode,
    'listeners for uncaught errors': process.listenerCount('uncaughtException'),
    'listeners for unhandled rejections': process.listenerCount('unhandledRejection'),
    Date: globalThis.Date,
    fetch: globalThis.fetch,
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    'Math.random': Math.random,
  }
}

function differences(before: Record<string, unknown>): string[] {
  const after = sharedState()
  return Object.keys(before).filter((name) => before[name] !== after[name])
}

/** Sockets, timers and the like that keep the process alive, with how many there are of each. */
function resources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Resources in addition to those of the idle process. */
function unfinished(idle: ReadonlyMap<string, number>): string[] {
  return [...resources()].filter(([kind, count]) => count > (idle.get(kind) ?? 0)).map(([kind]) => kind)
}

/** Waits until all resources are closed that the idle process does not have. @returns open ones after the timeout */
async function untilFinished(idle: ReadonlyMap<string, number>, timeoutMs: number): Promise<string[]> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const left = unfinished(idle)
    if (left.length === 0 || performance.now() > deadline) return left
    // Does not count as a resource itself.
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS).unref())
  }
}

/** Number of files that have run. */
let count = 0

/**
 * Path of a module by a link to its folder. Node takes modules by another path for other modules (`--preserve-symlinks`),
 * so each file loads the modules of the program again, without the state that earlier files have left in them. The links
 * stay until the end of the run, for the positions in errors.
 */
function ownPath({ folder, module }: FileStart): string {
  count += 1
  const link = join(folder, '..', `${process.pid}-${count}`)
  symlinkSync(folder, link)
  return join(link, relative(folder, module))
}

async function run(start: FileStart, idle: ReadonlyMap<string, number>): Promise<void> {
  const { source, timeoutMs } = start
  const state = sharedState()
  const began = process.cpuUsage()
  const before = totals()
  const isOk = await runFile(source, timeoutMs, () => import(pathToFileURL(ownPath(start)).href))
  const left = await untilFinished(idle, timeoutMs)
  // Errors after the file's tests count too.
  const passed = totals().passed - before.passed
  const failed = totals().failed - before.failed
  const changed = differences(state)
  const { user, system } = process.cpuUsage(began)
  const troubles = [
    ...(isOk || failed > 0 ? [] : ['not all of its tests ended']),
    ...left.map((kind) => `it keeps the process alive with ${kind}`),
    ...changed.map((name) => `it changes ${name} for the files after it: restore it, or run it in its own process`),
  ]
  const end: FileEnd = {
    passed,
    failed,
    processor: (user + system) / 1e6,
    trouble: troubles.length > 0 ? troubles.join('; ') : null,
    memory: process.memoryUsage.rss(),
  }
  // Tap would hold a comment back until the next result.
  process.stdout.write(`\n${FILE_ENDED}${JSON.stringify(end)}\n`)
}

process.on('disconnect', () => process.exit(0))
// Tap lets the process end in spite of its channel when it prints for the first time.
printComment('several files')
process.channel?.ref()
const idle = resources()
process.on('message', (start: FileStart) => void run(start, idle))
