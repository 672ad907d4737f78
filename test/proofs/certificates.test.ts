// Verification of certificates: in a thread, each certificate once; an invalid one is skipped.
import t from 'tap'
import type { CertifiedBlock } from '../../proofs/build.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { certifiedBlock, type Verifier } from '../../proofs/certified-block.ts'
import { threadedVerifier } from '../../proofs/threaded-verifier.ts'
import { Telos } from './telos.ts'

const ADDRESS = `0x${'c1'.repeat(20)}`
const telos = new Telos([{ domain: 1, vault: ADDRESS, token: ADDRESS, symbol: 'USDC', scale: 1n }])
telos.withdraw('USDC', 7n, 1, ADDRESS)
const burn = telos.chain.head.num
telos.idle(8)
telos.follow()
const { store } = telos

/** A verifier that rejects the certificates on these blocks and records its calls. */
function refusing(blocks: readonly number[]): { verify: Verifier; asked: number[] } {
  const asked: number[] = []
  const verify = async ({ block }: CertifiedBlock) => {
    asked.push(block.blockNum)
    return !blocks.includes(block.blockNum)
  }
  return { verify, asked }
}

t.test('an invalid certificate is skipped: the next one proves the same withdrawal', async (t) => {
  const all = refusing([])
  const first = (await certifiedBlock({ source: store, verify: all.verify }, burn, 1))!.block.blockNum
  const { verify, asked } = refusing([first, first + 1])
  const found = await certifiedBlock({ source: store, verify }, burn, 1)
  t.equal(found?.block.blockNum, first + 2)
  t.ok(found!.block.data.claimBlockNum >= burn)
  t.same(asked, [first, first + 1, first + 2])
})

t.test('after several invalid certificates the error names the node', async (t) => {
  const verify: Verifier = async () => false
  let asked = 0
  const counting: Verifier = (certified) => {
    asked++
    return verify(certified)
  }
  await t.rejects(certifiedBlock({ source: store, verify: counting, chain: 'telos' }, burn, 1), {
    code: 'CERTIFICATE_INVALID',
    place: { chain: 'telos' },
  })
  t.equal(asked, 4)
  t.equal(await certifiedBlock({ source: store, verify: counting }, telos.chain.head.num, 1), null, 'none is there yet')
  t.equal(asked, 4)
})

t.test('the thread returns the same result as direct verification, and verifies each once', async (t) => {
  const good = (await certifiedBlock({ source: store, verify: certificateVerifier() }, burn, 1))!
  const { active } = good.certificate
  const forged = {
    ...good,
    certificate: { ...good.certificate, active: { ...active, signature: active.signature.slice() } },
  }
  forged.certificate.active.signature[100]! ^= 1
  for (const verify of [certificateVerifier(), threadedVerifier()]) {
    const verdicts = [verify(good), verify(forged)]
    t.same(await Promise.all(verdicts), [true, false])
    t.equal(verify(good), verdicts[0], 'it is remembered')
  }
})

t.test('the same signature with other votes is another certificate', async (t) => {
  const good = (await certifiedBlock({ source: store, verify: certificateVerifier() }, burn, 1))!
  const { active } = good.certificate
  const strong = active.strong!.map((voted, i) => (i === 0 ? !voted : voted))
  const forged = { ...good, certificate: { ...good.certificate, active: { ...active, strong } } }
  for (const [first, second] of [
    [good, forged],
    [forged, good],
  ] as const) {
    const verify = certificateVerifier()
    t.equal(await verify(first), first === good)
    t.equal(await verify(second), second === good)
  }
})

t.test('a verification that failed with an error is tried again', async (t) => {
  const good = (await certifiedBlock({ source: store, verify: certificateVerifier() }, burn, 1))!
  let trials = 0
  const verify = certificateVerifier(async () => {
    if (trials++ === 0) throw new Error('the thread has ended')
    return true
  })
  await t.rejects(verify(good), /has ended/)
  t.equal(await verify(good), true)
})
