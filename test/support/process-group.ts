// A process that is started detached leads a process group, which contains its child processes.
import type { ChildProcess } from 'node:child_process'

/** Kills a process group by its leader; does nothing when all of it has ended. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
