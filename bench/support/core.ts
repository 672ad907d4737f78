// Pins processes to processors: the scheduler of a virtual machine tends to run threads that wake each other on one
// processor while another one is idle.
import { execFileSync } from 'node:child_process'

/**
 * Pins the main thread of a process to one processor.
 *
 * @returns false if the system cannot do it: it needs `taskset` of Linux
 */
export function pinToCore(pid: number, core: number): boolean {
  try {
    execFileSync('taskset', ['-cp', String(core), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
