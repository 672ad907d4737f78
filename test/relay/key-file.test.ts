// Files with the relayer's keys: which are refused, and that no message contains a key.
import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { PrivateKey } from '@wharfkit/antelope'
import t from 'tap'
import { AntelopeKey } from '../../relay/antelope/key.ts'
import { EvmKey } from '../../relay/evm/key.ts'
import { keyFile } from './key-file.ts'

const HEX = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
const key = PrivateKey.generate('K1')
const KINDS = [
  { read: (path: string) => EvmKey.read(path), setting: 'relay.evmKeyFile', text: HEX },
  { read: (path: string) => AntelopeKey.read(path), setting: 'relay.antelopeKeyFile', text: String(key) },
]

function failure(work: () => unknown): { code?: string; message?: string; hint?: string } {
  try {
    work()
  } catch (error) {
    return error as object
  }
  throw new Error('it did not fail')
}

t.test('a file that is missing, no file, or open to others is refused', async (t) => {
  for (const { read, setting, text } of KINDS) {
    const path = keyFile(t, text)
    t.ok(read(path))
    const missing = `${path}.none`
    t.match(
      failure(() => read(missing)),
      {
        code: 'RELAY_KEY_FILE',
        message: `the key file ${missing} cannot be opened: ENOENT`,
        hint: `${setting} names a file with one line, of the user that runs this process: chmod 600 ${missing}`,
      },
    )
    t.match(
      failure(() => read(join(path, '..'))),
      { code: 'RELAY_KEY_FILE', message: /is not a file with a key$/ },
    )
    chmodSync(path, 0o640)
    const open = { code: 'RELAY_KEY_FILE', message: /may be read by others than its owner$/, hint: /chmod 600/ }
    t.match(
      failure(() => read(path)),
      open,
    )
  }
})

t.test(
  'a file of another user is refused, and the error says what to change',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  async (t) => {
    for (const { read, setting, text } of KINDS) {
      const path = keyFile(t, text)
      chownSync(path, 12_345, 12_345)
      t.match(
        failure(() => read(path)),
        {
          code: 'RELAY_KEY_FILE',
          message: `the key file ${path} belongs to another user than that of this process`,
          hint: `${setting} names a file with one line, of the user that runs this process: chown USER ${path}`,
        },
      )
    }
  },
)

t.test('a file without a key is refused, and the error does not contain its text', async (t) => {
  for (const { read } of KINDS)
    for (const text of ['', 'secret-that-is-none', `${HEX}00`, `${HEX}\n${HEX}`, '0'.repeat(64), `${key}x`]) {
      const error = failure(() => read(keyFile(t, text)))
      t.match(error, { code: 'RELAY_KEY_INVALID', message: /does not hold a private key$/ })
      if (text !== '') t.notMatch(inspect(error, { depth: 9, showHidden: true }), text.slice(0, 12))
    }
})

t.test('a key in place of a path is in no message', async (t) => {
  for (const { read } of KINDS)
    for (const text of [HEX, `0x${HEX}`, HEX.slice(1), `/etc/${HEX.toUpperCase()}`, String(key), key.toWif()]) {
      const error = failure(() => read(text))
      t.match(error, { code: 'RELAY_KEY_FILE', message: /the key file (\/etc\/)?\*\*\* cannot be opened/ })
      t.match(error.hint, 'this is a key, not a file')
      t.notMatch(`${error.message} ${error.hint}`, new RegExp(text.slice(-12), 'i'))
    }
})
