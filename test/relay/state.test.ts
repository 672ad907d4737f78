// Fees, refusals, and what a look at a chain says about a transaction.
import t from 'tap'
import { firstFees, GWEI, priceOf, replacementFees, weiOf } from '../../relay/choice/fees.ts'
import { antelopeRefusal, evmRefusal, retryAfter } from '../../relay/choice/refusal.ts'
import { type AntelopeObservation, antelopeStep, type EvmObservation, evmStep } from '../../relay/state/step.ts'

const gwei = (value: number) => BigInt(value) * GWEI

t.test('fees stay under the cap and rise enough to replace', async (t) => {
  const limits = { cap: gwei(100), tip: gwei(2) }
  t.same(firstFees(gwei(20), limits), { maxFee: gwei(42), maxTip: gwei(2) })
  t.same(firstFees(gwei(80), limits), { maxFee: gwei(100), maxTip: gwei(2) }, 'the cap')
  t.equal(firstFees(gwei(99), limits), null, 'the base fee leaves no room for the tip')
  t.equal(weiOf(1.5), 1_500_000_000n)
  t.equal(priceOf({ maxFee: gwei(42), maxTip: gwei(2) }, gwei(20)), gwei(22))
  t.equal(priceOf({ maxFee: gwei(21), maxTip: gwei(2) }, gwei(20)), gwei(21))

  const first = { maxFee: gwei(42), maxTip: gwei(2) }
  t.same(
    replacementFees(first, gwei(10), limits),
    { maxFee: 47_250_000_000n, maxTip: 2_250_000_000n },
    'at least an eighth',
  )
  t.same(replacementFees(first, gwei(45), limits), { maxFee: gwei(92), maxTip: 2_250_000_000n }, 'more after a spike')
  t.same(
    replacementFees({ maxFee: 9n, maxTip: 9n }, 0n, { cap: 100n, tip: 0n }),
    { maxFee: 11n, maxTip: 11n },
    'rounded up',
  )
  t.same(
    replacementFees({ maxFee: gwei(20), maxTip: 0n }, gwei(10), { cap: gwei(100), tip: 0n }),
    { maxFee: 22_500_000_000n, maxTip: 1n },
    'a tip of 0 rises too: nodes refuse the same tip again',
  )
  t.equal(replacementFees({ maxFee: gwei(90), maxTip: gwei(2) }, gwei(10), limits), null, 'the cap')
  t.equal(replacementFees(first, gwei(99), limits), null)
})

t.test('refusals', async (t) => {
  t.same(
    ['AlreadySettled', 'OutflowLimited', 'TransferFailed', 'NoQuorum', 'AmountTooLarge', 'a text'].map(evmRefusal),
    ['done', 'later', 'later', 'proof', 'never', 'later'],
  )
  t.equal(antelopeRefusal('pay', 'withdrawal is paid already', 0, true), 'done')
  t.equal(antelopeRefusal('credit', 'hash mismatch', 0, true), 'later')
  t.equal(antelopeRefusal('credit', 'hash mismatch', 2, true), 'proof', 'the third in a row')
  t.equal(antelopeRefusal('forward', 'receiver refuses', 9, true), 'later', 'no proof is involved')
  t.same(
    [1, 2, 3, 4, 100].map((count) => retryAfter('later', 'TransferFailed', count)),
    [5, 10, 30, 60, 1800],
  )
  t.equal(retryAfter('later', 'OutflowLimited', 50), 5, 'it passes by itself')
  for (const reason of ['the bridge API has no proof yet', 'its outcome is in no final block yet'])
    t.same([retryAfter('later', reason, 1), retryAfter('later', reason, 50)], [5, 60], 'it comes with a final block')
  t.equal(retryAfter('never', 'AmountTooLarge', 1), null)
  for (const reason of ['NotReleaser', 'AssetNotConfigured'])
    t.equal(retryAfter(evmRefusal(reason), reason, 1), 1800, 'an administrator can change it')
  t.equal(retryAfter('done', 'AlreadySettled', 1), 120)
})

t.test('a transaction on an EVM chain', async (t) => {
  const look: EvmObservation = {
    state: 'sent',
    isCancel: false,
    nonce: 7,
    receipt: null,
    nextNonce: 7,
    finalBlock: 100,
    sibling: 'none',
    isNewest: true,
    isKnown: true,
    isUnderpriced: false,
    isBelowTip: false,
    isDenied: false,
    missing: null,
    ageMs: 0,
    replaceMs: 60_000,
  }
  const step = (more: Partial<EvmObservation>) => evmStep({ ...look, ...more })
  const mined = { receipt: { succeeded: true, block: 101 }, nextNonce: 8 }
  t.equal(step({}), 'wait')
  t.equal(step({ state: 'intended' }), 'send', 'the process ended between intent and send')
  t.equal(step({ isKnown: false }), 'send', 'a full pool dropped it')
  t.equal(step({ ageMs: 60_000 }), 'replace')
  t.equal(step({ ageMs: 60_000, isKnown: false }), 'send', 'no node has it: a higher fee is no help')
  t.equal(step({ ageMs: 60_000, state: 'intended' }), 'send', 'no node took it, for want of coins')
  const outrun = { ageMs: 60_000, isKnown: false, isUnderpriced: true }
  t.equal(step(outrun), 'replace', 'the base fee is above its fee, and no node takes it')
  t.equal(
    step({ state: 'intended', isKnown: false, isBelowTip: true }),
    'replace',
    'nodes demand a higher tip, at once',
  )
  t.equal(step({ isDenied: true }), 'replace', 'its recipient was denied after it was sent')
  t.equal(step({ isBelowTip: true }), 'wait', 'the node has it all the same')
  t.equal(step({ ageMs: 60_000, state: 'mined' }), 'send', 'a reorganisation long after it was sent')
  t.equal(step({ ageMs: 60_000, isNewest: false }), 'wait', 'its replacement is out')
  t.equal(step(mined), 'mined')
  t.equal(step({ ...mined, state: 'intended' }), 'mined', 'the process ended after it was sent')
  t.equal(step({ ...mined, state: 'mined' }), 'wait')
  t.equal(step({ ...mined, state: 'mined', finalBlock: 101 }), 'done')
  t.equal(step({ ...mined, finalBlock: 101, isCancel: true }), 'cancelled')
  t.equal(step({ receipt: { succeeded: false, block: 90 } }), 'reverted')
  t.equal(step({ state: 'mined', isKnown: false }), 'send', 'a reorganisation removed its block')
  t.equal(step({ nextNonce: 8, sibling: 'final' }), 'replaced')
  t.equal(step({ nextNonce: 8, sibling: 'mined', ageMs: 1e9 }), 'wait', 'its block may be undone')
  t.equal(step({ nextNonce: 8 }), 'wait', 'the receipt may come')
  t.equal(step({ nextNonce: 8, ageMs: 1e9 }), 'wait', 'one backend of the node lags: age says nothing')
  const missing = (turns: number, finalBlock: number) => step({ nextNonce: 8, missing: { turns, finalBlock } })
  t.equal(missing(2, 99), 'wait')
  t.equal(missing(3, 100), 'wait', 'no final block since the first look')
  t.equal(missing(3, 99), 'foreign', 'another program uses the key')
})

t.test('a transaction on an Antelope chain is made again only when the first one can be in no block', async (t) => {
  const look: AntelopeObservation = {
    state: 'sent',
    isPending: true,
    isRefused: false,
    libNum: 50,
    libTime: 1000,
    block: null,
    expiresAt: 2000,
    ageMs: 0,
    againMs: 5000,
  }
  const step = (more: Partial<AntelopeObservation>) => antelopeStep({ ...look, ...more })
  t.equal(step({}), 'wait')
  t.equal(step({ state: 'intended', isPending: false }), 'send', 'the same bytes, which a chain takes once')
  t.equal(step({ state: 'intended', libTime: 2001 }), 'expired')
  t.equal(step({ ageMs: 5000 }), 'send')
  t.equal(step({ libTime: 2000 }), 'wait', 'its last block is not irreversible')
  t.equal(step({ libTime: 2001 }), 'expired')
  t.equal(
    step({ block: 50, state: 'mined', libTime: 2001 }),
    'expired',
    'a fork has dropped its block, and the work is back',
  )
  t.equal(step({ isPending: false, block: 51 }), 'wait')
  t.equal(step({ isPending: false, block: 50 }), 'done')
  t.equal(step({ isPending: false, libTime: 2001 }), 'done')
  t.equal(step({ isPending: null, libTime: 2001 }), 'wait', 'the API has not answered')
  t.equal(step({ isPending: null, ageMs: 5000 }), 'send')
  t.equal(step({ state: 'intended', isRefused: true }), 'wait', 'its next try pushes the same bytes')
  t.equal(step({ state: 'intended', isRefused: true, libTime: 2001 }), 'reverted')
})
