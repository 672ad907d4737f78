// The signer in its own thread.
import { PrivateKey } from '@wharfkit/antelope'
import t from 'tap'
import { UserError } from '../../core/errors.ts'
import { fromHex } from '../../core/hex.ts'
import { Signer } from '../../cosign/signer.ts'
import { ThreadedSigner } from '../../cosign/threaded-signer.ts'
import { keyFile, shipped } from './service.ts'

const { chain } = shipped()
const chainId = chain.chainId as string
const bytes = (n: number) => Uint8Array.of(n, 1, 2, 3)

t.test('each signature is by the key, for its own transaction', async (t) => {
  const key = PrivateKey.generate('K1')
  const signer = await ThreadedSigner.start({ keyFile: keyFile(t, String(key)), chainId })
  const own = new Signer(key, fromHex(chainId))
  t.equal(signer.publicKey, String(key.toPublic()))
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => signer.sign(bytes(n))))
  t.same(
    made,
    made.map((_, n) => own.sign(bytes(n))),
  )
  t.notMatch(JSON.stringify(signer), String(key))
  // A request just before the end is answered: with the signature if the thread was faster.
  const last = signer.sign(bytes(99)).then(
    () => 'signed',
    ({ code }) => code,
  )
  await signer.close()
  t.match(await last, /^(signed|COSIGN_SIGNER)$/, 'nobody waits for ever')
  await t.rejects(signer.sign(bytes(1)), { code: 'COSIGN_SIGNER' })
})

t.test('a key file that others may read is refused in the words of the file', async (t) => {
  const path = keyFile(t, String(PrivateKey.generate('K1')), 0o644)
  const error = await ThreadedSigner.start({ keyFile: path, chainId }).catch((thrown: unknown) => thrown)
  t.type(error, UserError)
  t.match(error, { code: 'COSIGN_KEY_PERMISSIONS', message: path, hint: /chmod 600/ })
})
