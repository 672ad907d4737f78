// A child process of the demo that fails is started again.
import { type ChildProcess, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Log } from '../../bin/cli/log.ts'
import { keepDemoChild } from '../../bin/demo-child.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

t.test('a child is started again after a failure and a kill, and not after its end', async (t) => {
  const folder = temporaryFolder(t)
  const script = join(folder, 'child.cjs')
  // Ends as its argument says; waits for a kill otherwise.
  writeFileSync(
    script,
    `console.log(JSON.stringify({ level: 30, msg: 'up', pid: process.pid }))
     if (process.argv[2] === 'wait') setInterval(() => {}, 1000)
     else process.exit(Number(process.argv[2]))`,
  )
  const lines: [string, string][] = []
  const write = (level: string) => (text: string) => void lines.push([level, text])
  const log = { info: write('info'), warn: write('warn'), error: write('error') } as Log
  const plan = ['70', 'wait', '0']
  const children: ChildProcess[] = []
  const start = () => {
    const child = fork(script, [plan[children.length] ?? 'none'], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
    children.push(child)
    return child
  }
  const stop = keepDemoChild({ name: 'relayer', start, log: 'stdout' }, log)
  t.teardown(stop)
  const ups = () => lines.filter(([, text]) => text === 'relayer: up').length
  await until('the child is started again', () => ups() === 2)
  children[1]!.kill('SIGKILL')
  await until('the child ends', () => ups() === 3 && children[2]!.exitCode === 0)
  t.same(
    lines.filter(([level]) => level === 'warn').map(([, text]) => text),
    Array(2).fill("the process of the demo's relayer ended and starts again"),
  )
  stop()
  t.equal(children.length, 3)
})
