// Schedulers of virtual machines like to pack threads that wake each other on one processor, though another one idles.
import { execFileSync } from 'node:child_process'

/** Has the main thread of a process stay on one processor. @returns whether the system can do that (taskset of Linux) */
export function keepToCore(pid: number, core: number): boolean {
  try {
    execFileSync('taskset', ['-cp', String(core), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
