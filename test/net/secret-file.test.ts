// Which files count as private: those of their owner alone, and the credentials that systemd makes for a service.
import { chmodSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readSecretFile } from '../../net/secret-file.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MAX = 100

function secretFile(t: Test, mode: number): { folder: string; path: string } {
  const folder = temporaryFolder(t)
  const path = join(folder, 'a.key')
  writeFileSync(path, 'secret\n')
  chmodSync(path, mode)
  return { folder, path }
}

/** Reads a file as a service whose credentials are in a folder. */
function readAsService(folder: string, path: string) {
  const before = process.env.CREDENTIALS_DIRECTORY
  process.env.CREDENTIALS_DIRECTORY = folder
  try {
    return readSecretFile(path, MAX)
  } finally {
    if (before === undefined) delete process.env.CREDENTIALS_DIRECTORY
    else process.env.CREDENTIALS_DIRECTORY = before
  }
}

t.test('a file of its owner alone is read', async (t) => {
  t.same(readSecretFile(secretFile(t, 0o600).path, MAX), { text: 'secret' })
})

t.test('a file that others may read is refused', async (t) => {
  for (const mode of [0o440, 0o644])
    t.same(readSecretFile(secretFile(t, mode).path, MAX), { problem: 'open-to-others' })
})

t.test('a credential that systemd made as root for the user of a service is read', async (t) => {
  const { folder, path } = secretFile(t, 0o440)
  // Only root makes files of root: for another user, it is a file like any other.
  const expected = process.getuid?.() === 0 ? { text: 'secret' } : { problem: 'open-to-others' }
  t.same(readAsService(folder, path), expected)
  t.same(readAsService(`${folder}/`, path), expected)
})

t.test('a file among the credentials that others may read or change is refused', async (t) => {
  for (const mode of [0o444, 0o640, 0o660, 0o604]) {
    const { folder, path } = secretFile(t, mode)
    t.same(readAsService(folder, path), { problem: 'open-to-others' }, mode.toString(8))
  }
})

t.test('a file elsewhere is not a credential', async (t) => {
  const { path } = secretFile(t, 0o440)
  t.same(readAsService(tmpdir(), path), { problem: 'open-to-others' })
})
