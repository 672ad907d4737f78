// Users of an embedded server: one file for each process under `leases/`, so that the last one to leave stops the
// server; and a lock, so that only one process starts it. Files of killed processes are detected and removed.
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RetryableError } from '../../../core/errors.ts'
import { isKeyAlive, processKey } from './process.ts'

/** Timeout of the lock, ms. Its holder may have to wait for crash recovery. */
const LOCK_TIMEOUT = 60_000

/** Registers this process as a user of the server in `home`. */
export function takeLease(home: string): void {
  writeFileSync(join(home, 'leases', processKey(process.pid)), '')
}

/**
 * Removes this process from the users of the server in `home`.
 *
 * @returns whether no other living process uses it
 */
export function releaseLease(home: string): boolean {
  const folder = join(home, 'leases')
  rmSync(join(folder, processKey(process.pid)), { force: true })
  let others = 0
  for (const key of readdirSync(folder)) {
    if (isKeyAlive(key)) others++
    else rmSync(join(folder, key), { force: true })
  }
  return others === 0
}

/** Runs `work` under the lock of `home`. Throws RetryableError EMBEDDED_LOCKED after a minute. */
export async function withLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = join(home, 'lock')
  const mine = join(home, `lock.${process.pid}`)
  writeFileSync(mine, processKey(process.pid))
  try {
    await acquire(mine, lock)
    return await work().finally(() => rmSync(lock, { force: true }))
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Takes the lock by a hard link, which creates it atomically with its content and fails when it exists. */
async function acquire(mine: string, lock: string): Promise<void> {
  const deadline = Date.now() + LOCK_TIMEOUT
  for (;;) {
    try {
      linkSync(mine, lock)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readHolder(lock)
    if (holder !== undefined && !isKeyAlive(holder)) rmSync(lock, { force: true })
    else if (Date.now() > deadline)
      throw new RetryableError(
        'EMBEDDED_LOCKED',
        `process ${holder} has been starting or stopping PostgreSQL for a minute`,
        {
          hint: `if that process is not Headwater, remove ${lock}`,
        },
      )
    else await sleep(25)
  }
}

function readHolder(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'latin1')
  } catch {
    return undefined
  }
}
