// Is a process still there? Told by its id and its start time, so that a recycled id is not mistaken for the old owner.
// Start times come from /proc; where there is none (macOS), the id alone decides.
import { readFileSync } from 'node:fs'

/** State letter and start time of a process from /proc; undefined where there is no /proc or no such process. */
function procStat(pid: number): { state: string; startTicks: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command name, in parentheses, may hold blanks: fields are counted after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/** True while the process runs; a zombie that nobody reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return procStat(pid)?.state !== 'Z'
}

/** Names a process for as long as the machine is up: `pid-startTicks`. */
export function processKey(pid: number): string {
  return `${pid}-${procStat(pid)?.startTicks ?? '0'}`
}

/** True while the process that `processKey` named runs. */
export function isKeyAlive(key: string): boolean {
  const pid = Number.parseInt(key, 10)
  return pid > 0 && isAlive(pid) && processKey(pid) === key
}
