// Processes that are started detached lead a group: whatever they start ends with it.
import type { ChildProcess } from 'node:child_process'

/** Kills a process that leads a group, and the rest of the group; nothing when all of it has ended. */
export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
