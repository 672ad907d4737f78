// Tests whether a process is alive, by its id and start time, so that a reused id is not mistaken for it. Start times
// come from /proc. Where it does not show a process, only the id is compared: on macOS, and for processes that systemd
// hides from a service (ProtectProc).
import { readFileSync } from 'node:fs'

/** State letter and start time of a process from /proc; undefined without /proc or process, or when it is hidden. */
function procStat(pid: number): { state: string; startTicks: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command name, in parentheses, may contain spaces: fields are counted after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startTicks: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/** Whether the process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return procStat(pid)?.state !== 'Z'
}

/** Whether the process runs and this process may send it signals: it has the same user, or this process is root's. */
export function isOfSameUser(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Key of a process that is unique until the next boot: `pid-startTicks`. */
export function processKey(pid: number): string {
  return `${pid}-${procStat(pid)?.startTicks ?? '0'}`
}

/** Whether the process of this key runs. A hidden process of the same user counts as that process. */
export function isKeyAlive(key: string): boolean {
  const pid = Number.parseInt(key, 10)
  if (!(pid > 0) || !isAlive(pid)) return false
  return processKey(pid) === key || (procStat(pid) === undefined && isOfSameUser(pid))
}
