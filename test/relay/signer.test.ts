// Keys at signers over HTTP: what they sign is checked, whatever they answer.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Checksum256, PrivateKey } from '@wharfkit/antelope'
import { keccak256, SigningKey } from 'ethers'
import t, { type Test } from 'tap'
import { AntelopeKey, WalletKey } from '../../relay/antelope/key.ts'
import { NotAllowed } from '../../relay/choice/refusal.ts'
import { EvmKey, Web3SignerKey } from '../../relay/evm/key.ts'
import { antelopeKeyOf, evmKeyOf, hasKeys } from '../../relay/keys.ts'
import { isSignerError } from '../../relay/signer-api.ts'
import { keyFile } from './key-file.ts'

type Mode = 'well' | 'other-key' | 'other-bytes' | 'nonsense' | 'locked'

const EVM = `0x${'11'.repeat(32)}`
const OTHER_EVM = `0x${'22'.repeat(32)}`
const K1 = PrivateKey.generate('K1')
const OTHER_K1 = PrivateKey.generate('K1')
const { signal } = new AbortController()
const TRANSACTION = {
  ...{ chainId: 1, nonce: 7, to: `0x${'77'.repeat(20)}`, data: '0x01020304', gasLimit: 120_000n },
  ...{ maxFee: 21_000_000_000n, maxTip: 1_000_000_000n },
}

/** A signer of both protocols. */
async function startSigner(t: Test) {
  const signer: { url: string; mode: Mode; asked: string[] } = { url: '', mode: 'well', asked: [] }
  const evmKeys = [OTHER_EVM, EVM].map((key) => new SigningKey(key))
  // Without the leading byte, as Web3Signer lists them.
  const listed = evmKeys.map(({ publicKey }) => `0x${publicKey.slice(4)}`)
  const evmAnswer = (key: string, data: string) => {
    const index = signer.mode === 'other-key' ? 0 : listed.indexOf(key)
    return evmKeys[index]?.sign(keccak256(signer.mode === 'other-bytes' ? `${data}00` : data)).serialized
  }
  const walletAnswer = ([digest = '', key]: string[]) => {
    if (key !== String(K1.toPublic())) return undefined
    const bytes = signer.mode === 'other-bytes' ? '00'.repeat(32) : digest
    return JSON.stringify(String((signer.mode === 'other-key' ? OTHER_K1 : K1).signDigest(Checksum256.from(bytes))))
  }
  const answer = (url: string, body: string) => {
    if (url === '/api/v1/eth1/publicKeys') return JSON.stringify(listed)
    if (signer.mode === 'nonsense') return '"0x00"'
    if (signer.mode === 'locked') return undefined
    if (url === '/v1/wallet/sign_digest') return walletAnswer(JSON.parse(body))
    return evmAnswer(url.replace('/api/v1/eth1/sign/', ''), JSON.parse(body).data)
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => void (text += chunk))
    request.on('end', () => {
      signer.asked.push(request.url ?? '')
      const body = answer(request.url ?? '', text)
      response.writeHead(body === undefined ? 500 : 200, { connection: 'close' }).end(body ?? 'wallet is locked')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  signer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return signer
}

const WRONG: readonly [Mode, RegExp][] = [
  ['other-key', /^RELAY_SIGNER_WRONG: .* a signature of .* for these bytes, not of /],
  ['other-bytes', /for these bytes, not of /],
  ['nonsense', /answers with no signature/],
]

t.test('a key for EVM chains at Web3Signer', async (t) => {
  const signer = await startSigner(t)
  const file = EvmKey.read(keyFile(t, EVM))
  const key = await Web3SignerKey.open(`${signer.url}/`, file.address.toUpperCase().replace('0X', '0x'), signal)
  t.equal(key.address, file.address)
  t.same(await key.sign(TRANSACTION), await file.sign(TRANSACTION), 'the same bytes as with a file')
  for (const [mode, message] of WRONG) {
    signer.mode = mode
    await t.rejects(key.sign(TRANSACTION), { code: 'RELAY_SIGNER_WRONG', message }, mode)
  }
  signer.mode = 'locked'
  await t.rejects(key.sign(TRANSACTION), { code: 'RELAY_SIGNER', message: /status 500 wallet is locked/ })
  const stranger = `0x${'ee'.repeat(20)}`
  await t.rejects(Web3SignerKey.open(signer.url, stranger, signal), {
    code: 'RELAY_SIGNER_KEY',
    message: /among its 2/,
  })
  await t.rejects(Web3SignerKey.open(signer.url, undefined, signal), { code: 'RELAY_SIGNER_KEY' })
  await t.rejects(Web3SignerKey.open('http://127.0.0.1:1', file.address, signal), { code: 'RELAY_SIGNER' })
})

t.test('a key for Antelope chains in a wallet', async (t) => {
  const signer = await startSigner(t)
  const file = AntelopeKey.read(keyFile(t, String(K1)))
  const key = WalletKey.open(signer.url, file.publicKey, signal)
  const [chainId, packed] = [new Uint8Array(32).fill(7), new Uint8Array([1, 2, 3])]
  t.equal(await key.sign(chainId, packed), await file.sign(chainId, packed))
  for (const [mode, message] of WRONG) {
    signer.mode = mode
    await t.rejects(key.sign(chainId, packed), { code: 'RELAY_SIGNER_WRONG', message }, mode)
  }
  signer.mode = 'locked'
  await t.rejects(key.sign(chainId, packed), { code: 'RELAY_SIGNER' })
  for (const text of [undefined, `${file.publicKey.slice(0, -1)}${file.publicKey.endsWith('a') ? 'b' : 'a'}`])
    t.throws(() => WalletKey.open(signer.url, text, signal), { code: 'RELAY_SIGNER_KEY' })
  const error = await key.sign(chainId, packed).catch((cause: unknown) => cause)
  t.same([isSignerError(error), isSignerError(new NotAllowed('x'))], [true, false])
})

t.test('a key is in a file or at a signer', async (t) => {
  const both = { evmKeyFile: 'a', evmSigner: 'http://b', antelopeKeyFile: 'c', antelopeSigner: 'http://d' }
  await t.rejects(evmKeyOf(both, signal), { code: 'RELAY_KEY_TWICE', message: /evmKeyFile and relay.evmSigner/ })
  t.throws(() => antelopeKeyOf(both, signal), { code: 'RELAY_KEY_TWICE' })
  t.same([await evmKeyOf({}, signal), antelopeKeyOf({}, signal)], [null, null])
  t.same(hasKeys({ evmSigner: 'http://b' }), { evm: true, antelope: false })
  t.same(hasKeys({ antelopeKeyFile: 'c' }), { evm: false, antelope: true })
})
