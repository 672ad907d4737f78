// The key: allowed files, and that no output contains it.
import { chmodSync, chownSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Checksum256, PrivateKey, Signature } from '@wharfkit/antelope'
import t from 'tap'
import type { HeadwaterError } from '../../core/errors.ts'
import { sha256 } from '../../core/sha256.ts'
import { readKeyFile } from '../../cosign/key-file.ts'
import { Signer } from '../../cosign/signer.ts'
import { testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { keyFile, startTestCosigner } from './service.ts'
import { noop, transfer, unique } from './transactions.ts'

const key = PrivateKey.generate('K1')
const texts = [String(key), key.toWif()]
const chainId = new Uint8Array(32).fill(7)

function failure(work: () => unknown): HeadwaterError {
  try {
    work()
  } catch (error) {
    return error as HeadwaterError
  }
  throw new Error('it did not fail')
}

t.test('a key in either form is read from a file of its owner', async (t) => {
  for (const text of texts)
    for (const mode of [0o600, 0o400]) t.equal(String(readKeyFile(keyFile(t, text, mode))), String(key))
})

t.test('a file that others may read is refused', async (t) => {
  for (const mode of [0o640, 0o604, 0o620, 0o644, 0o660]) {
    const error = failure(() => readKeyFile(keyFile(t, String(key), mode)))
    t.match(error, { code: 'COSIGN_KEY_PERMISSIONS', hint: /chmod 600/ })
  }
})

t.test('a file of another user is refused', { skip: process.getuid?.() !== 0 && 'needs root' }, async (t) => {
  const path = keyFile(t, String(key))
  chownSync(path, 12_345, 12_345)
  const error = failure(() => readKeyFile(path))
  t.match(error, { code: 'COSIGN_KEY_PERMISSIONS', message: /belongs to another user/, hint: `chown USER ${path}` })
})

t.test('a text that is not a key is refused, and the error does not contain it', async (t) => {
  const r1 = String(PrivateKey.generate('R1'))
  for (const text of [
    '',
    'secret-that-is-none',
    String(key).replace(/.$/, (last) => (last === '1' ? '2' : '1')),
    `${key.toWif()}x`,
    r1,
    `${key}\n${key}`,
  ]) {
    const error = failure(() => readKeyFile(keyFile(t, text)))
    t.equal(error.code, 'COSIGN_KEY_INVALID')
    const shown = `${inspect(error, { depth: 9, showHidden: true })} ${error.stack}`
    if (text !== '') t.notMatch(shown, new RegExp(text.slice(0, 12).replaceAll(/\W/g, '.')))
  }
  t.equal(failure(() => readKeyFile(keyFile(t, 'x'.repeat(300)))).code, 'COSIGN_KEY_FILE')
})

t.test('a key in place of a path is in no message', async (t) => {
  for (const text of texts) {
    const { code, message, hint } = failure(() => readKeyFile(text))
    t.equal(code, 'COSIGN_KEY_FILE')
    t.equal(message, 'the key file *** cannot be opened: ENOENT')
    t.match(hint, 'this is a key, not a file')
  }
})

t.test('a missing file, a folder, and a link to a file that is open to others are refused', async (t) => {
  const folder = temporaryFolder(t)
  t.match(
    failure(() => readKeyFile(join(folder, 'none'))),
    { code: 'COSIGN_KEY_FILE', message: /ENOENT/ },
  )
  for (const path of [folder, '/dev/null', '/dev/zero'])
    t.equal(failure(() => readKeyFile(path)).code, 'COSIGN_KEY_FILE')
  const target = keyFile(t, String(key))
  const link = join(folder, 'link')
  symlinkSync(target, link)
  t.equal(String(readKeyFile(link)), String(key))
  chmodSync(target, 0o644)
  t.equal(failure(() => readKeyFile(link)).code, 'COSIGN_KEY_PERMISSIONS')
})

t.test('signatures are canonical, repeat themselves, and are of the key over the chain', async (t) => {
  const signer = new Signer(key, chainId)
  for (let i = 0; i < 200; i++) {
    const packed = Buffer.from(`transaction ${i}`)
    const text = signer.sign(packed)
    t.equal(signer.sign(packed), text)
    const signature = Signature.from(text)
    const [r, s] = [signature.data.array.subarray(1, 33), signature.data.array.subarray(33)]
    if ([r, s].some((half) => half[0]! >= 0x80 || (half[0] === 0 && half[1]! < 0x80))) t.fail(`not canonical: ${text}`)
    const digest = Checksum256.from(sha256(Buffer.concat([chainId, packed, new Uint8Array(32)])))
    if (String(signature.recoverDigest(digest)) !== signer.publicKey) t.fail(`another key: ${text}`)
    if (!signature.verifyDigest(digest, key.toPublic())) t.fail(`does not verify: ${text}`)
  }
})

t.test('the key is in no answer, no log line and no inspection of the signer', async (t) => {
  const signer = new Signer(key, chainId)
  const secret = Buffer.from(key.data.array).toString('hex')
  const shown = `${inspect(signer, { depth: 9, showHidden: true })} ${JSON.stringify(signer)} ${JSON.stringify({ signer })}`
  for (const text of [...texts, secret]) t.notMatch(shown, text)

  const cosigner = await startTestCosigner(t, await testDatabase(t), {}, { key })
  const bodies = [
    (await cosigner.sign(unique())).text,
    (await cosigner.sign('zz')).text,
    (await cosigner.sign(unique([noop(), transfer('mallory1')]))).text,
    (await cosigner.post('/api/v2/cpu/status', undefined)).text,
    await (await fetch(`${cosigner.url}/metrics`)).text(),
  ]
  t.ok(cosigner.lines.length >= 4)
  for (const text of [...texts, secret]) t.notMatch([...bodies, ...cosigner.lines].join('\n'), text)
})
