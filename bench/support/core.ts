// Schedulers of virtual machines tend to put threads that wake each other on one processor while another is idle.
import { execFileSync } from 'node:child_process'

/**
 * Pins the main thread of a process to one processor. @returns false where the system cannot do it (needs Linux's
 * taskset)
 */
export function keepToCore(pid: number, core: number): boolean {
  try {
    execFileSync('taskset', ['-cp', String(core), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
