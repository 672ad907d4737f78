// Priority of a single thread. Linux has one for each thread, and its id of a thread is taken where one of a process is.
import { readlinkSync } from 'node:fs'
import os from 'node:os'
import { basename } from 'node:path'

/** A thread of default priority gets three times as much of a shared processor. */
const LOW = 5

/** Lets the other threads of the process, and other processes, run first. Does nothing on other systems than Linux. */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return
  try {
    os.setPriority(Number(basename(readlinkSync('/proc/thread-self'))), LOW)
  } catch {
    // Without /proc the thread has the priority of the process: the work is the same.
  }
}
