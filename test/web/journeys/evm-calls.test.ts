// Calls and errors of the EVM contracts, compared with another library and with the published ABIs.
import { readFileSync } from 'node:fs'
import { Interface, type InterfaceAbi } from 'ethers'
import fc from 'fast-check'
import t from 'tap'
import { compiledContract, interfaceOf } from '../../../devnet/evm/contracts.ts'
import { encodeCall } from '../../../web/bridge/core/evm/abi.ts'
import * as calls from '../../../web/bridge/core/evm/calls.ts'
import { KNOWN_ERRORS, minimumOf, revertData, revertWords } from '../../../web/bridge/core/evm/errors.ts'
import { antelopeFault, evmFault } from '../../../web/bridge/core/faults.ts'
import { hex, learn, OWNER, release, root, TOKEN } from './sample-proof.ts'

const VAULT = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0'
const vault = interfaceOf('SvcVault')
const withdrawals = interfaceOf('SvcWithdrawals')
const lightClient = interfaceOf('SvcLightClient')
const token = interfaceOf('PlainToken')

/** The published ABI from the repository. */
function published(name: string): Interface {
  const file = new URL(`../../../abis/${name}.abi.json`, import.meta.url)
  const read = JSON.parse(readFileSync(file, 'utf8')) as InterfaceAbi | { abi: InterfaceAbi }
  return new Interface('abi' in (read as object) ? (read as { abi: InterfaceAbi }).abi : (read as InterfaceAbi))
}

const rootValues = [root.finality, root.bits, root.signature, root.policyKeys, root.pending]

t.test('calls are encoded as other libraries encode them', async (t) => {
  const terms = {
    vault: VAULT,
    token: TOKEN,
    amount: 5_000_000n,
    telosTo: 7_777_777n,
    refundTo: OWNER,
    memo: '1:bob|1:0xä',
  }
  const memo = `0x${Buffer.from(terms.memo).toString('hex')}`
  const expected: [calls.EvmCall, Interface, string, unknown[], bigint?][] = [
    [calls.approve(TOKEN, VAULT, 12n), token, 'approve', [VAULT, 12n]],
    [calls.allowance(TOKEN, OWNER, VAULT), token, 'allowance', [OWNER, VAULT]],
    [calls.balanceOf(TOKEN, OWNER), token, 'balanceOf', [OWNER]],
    [calls.assets(VAULT, TOKEN), vault, 'assets', [TOKEN]],
    [calls.deposit(terms), vault, 'deposit', [TOKEN, 5_000_000n, 7_777_777n, OWNER, 0, 0, memo]],
    [calls.depositNative(terms), vault, 'depositNative', [7_777_777n, OWNER, 0, 0, memo], 5_000_000n],
    [calls.domainOf(VAULT), withdrawals, 'domain', []],
    [calls.release(VAULT, release), withdrawals, 'release', [release]],
    [calls.expire(VAULT, release), withdrawals, 'expire', [release]],
    [calls.submitAndRelease(VAULT, root, release), withdrawals, 'submitAndRelease', [...rootValues, release]],
    [calls.submitAndExpire(VAULT, root, release), withdrawals, 'submitAndExpire', [...rootValues, release]],
    [calls.submitAndLearn(VAULT, root, learn), lightClient, 'submitAndLearn', [...rootValues, learn]],
  ]
  for (const [call, contract, name, values, value = 0n] of expected) {
    t.equal(call.data, contract.encodeFunctionData(name, values), name)
    t.equal(call.value, value)
    if (contract === vault || contract === withdrawals) {
      const theirs = published(contract === vault ? 'SvcVault' : 'SvcWithdrawals').getFunction(name)
      t.equal(call.data.slice(0, 10), theirs?.selector, `${name} as published`)
    }
  }
})

t.test('generated proofs are encoded as other libraries encode them', async (t) => {
  const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
  const some = fc.record({
    memo: fc.uint8Array({ maxLength: 130 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    actionSiblings: fc.array(word, { maxLength: 6 }),
    treeSiblings: fc.array(word, { maxLength: 27 }),
    amount: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(String),
  })
  fc.assert(
    fc.property(some, (part) => {
      const proof = { ...release, ...part }
      t.equal(calls.release(VAULT, proof).data, withdrawals.encodeFunctionData('release', [proof]))
    }),
    { numRuns: 60 },
  )
})

t.test('a value that does not fit its type is refused', async (t) => {
  const bad: [string, unknown][] = [
    ['uint64', '18446744073709551616'],
    ['uint64', -1],
    ['uint32', 1.5],
    ['uint64', '0x10'],
    ['uint64', null],
    ['address', '0x12'],
    ['address', OWNER.slice(2)],
    ['bytes32', hex(31)],
    ['bytes', '0x123'],
    ['bytes', 'text'],
    ['bytes32[]', 'text'],
    ['int8', 1],
  ]
  for (const [type, value] of bad)
    t.throws(() => encodeCall('f', [type], [value]), RangeError, `${type} ${String(value)}`)
  t.throws(() => calls.release(VAULT, { ...release, memo: undefined }), RangeError)
  t.throws(() => encodeCall('f', ['bytes'], []), RangeError)
})

t.test('the nonce comes from the vault’s own event', async (t) => {
  const event = vault.encodeEventLog('Deposit', [TOKEN, OWNER, 5n, 5n, 6n, 42n, OWNER, 0n, 0n, '0x'])
  const log = { address: VAULT.toUpperCase().replace('0X', '0x'), ...event }
  t.equal(calls.depositNonce([log], VAULT), 42n)
  t.equal(calls.depositNonce([{ ...log, address: TOKEN }], VAULT), null)
  t.equal(
    calls.depositNonce(
      [
        { ...log, topics: [hex(32)] },
        { ...log, data: '0x' },
      ],
      VAULT,
    ),
    null,
  )
})

t.test('every custom error of the contracts is explained in words', async (t) => {
  /** Errors that only owners and guardians of a vault can cause. */
  const governing = /^(Not(Owner|PendingOwner|Guardian)|Scale|CapTooLarge|NothingProposed|TooEarly)/
  for (const name of ['SvcVault', 'SvcWithdrawals', 'SvcLightClient'] as const)
    for (const contract of [new Interface(compiledContract(name).abi), published(name)])
      contract.forEachError((error) => {
        if (governing.test(error.name)) return
        t.ok(KNOWN_ERRORS.includes(error.format('sighash')), `${name} ${error.format('sighash')}`)
        t.equal(revertWords(`${error.selector}${'0'.repeat(64)}`)?.name, error.name)
      })
  const least = vault.encodeErrorResult('BelowMinimum', [5_000_000n])
  t.equal(minimumOf(least), 5_000_000n)
  t.equal(minimumOf('0x13d0ff59'), null)
  const text = new Interface(['error Error(string)']).encodeErrorResult('Error', ['too many'])
  t.match(revertWords(text)?.text, 'too many')
  t.equal(revertWords('0xffffffff'), null)
})

t.test('errors of wallets and nodes have a code and words', async (t) => {
  const data = vault.encodeErrorResult('DepositsPaused', [])
  const forms = [
    { code: 3, message: 'execution reverted', data },
    { code: -32603, message: 'Internal', data: { originalError: { data } } },
    { code: -32603, message: 'Internal', data: { data } },
    { message: `execution reverted: custom error ${data}` },
  ]
  for (const form of forms) {
    t.equal(revertData(form), data)
    t.equal(evmFault(form).code, 'CONTRACT_DEPOSITS_PAUSED')
  }
  const codes: [object | string | null, string][] = [
    [{ code: 4001, message: 'no' }, 'WALLET_REJECTED'],
    [{ code: 'ACTION_REJECTED' }, 'WALLET_REJECTED'],
    [{ message: 'MetaMask Tx Signature: User denied transaction signature.' }, 'WALLET_REJECTED'],
    [{ code: -32002 }, 'WALLET_BUSY'],
    [{ code: 4902 }, 'WALLET_UNKNOWN_CHAIN'],
    [{ code: -32000, message: 'insufficient funds for gas * price + value' }, 'NOT_ENOUGH_FOR_GAS'],
    [{ message: 'execution reverted' }, 'CONTRACT_REVERTED'],
    [{ message: 'x'.repeat(5000) }, 'WALLET_FAILED'],
    [null, 'WALLET_FAILED'],
    ['text', 'WALLET_FAILED'],
  ]
  for (const [error, code] of codes) {
    const fault = evmFault(error)
    t.equal(fault.code, code)
    t.ok(fault.message.length > 20 && fault.message.length < 400)
  }
  const assert = (message: string) => antelopeFault(new Error(`assertion failure with message: ${message}`))
  t.equal(assert('overdrawn balance').code, 'NOT_ENOUGH')
  t.equal(assert('nothing to claim').code, 'NOTHING_TO_COLLECT')
  t.equal(assert('amount is outside the limits of the route').code, 'OUTSIDE_LIMITS')
  t.equal(assert('deposits are closed').code, 'ROUTE_CLOSED')
  t.equal(assert('the account is denied').code, 'CONTRACT_REFUSED')
  t.match(assert('something new').message, /^The contract refuses it: something new$/)
  t.equal(antelopeFault(new Error('Request cancelled')).code, 'WALLET_REJECTED')
  t.equal(antelopeFault({ error: { what: 'x', details: [{ message: 'expired transaction 12' }] } }).code, 'EXPIRED')
})
