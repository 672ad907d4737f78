// Custom errors of the bridge's EVM contracts as texts: what is wrong, and what to do.
import { selectorOf, words } from './abi.ts'

/** By the signature of the custom error. */
const WORDS: Readonly<Record<string, string>> = {
  'DepositsPaused()': 'The vault takes no deposits at the moment. Nothing was taken; try again later.',
  'AssetDisabled()': 'The vault does not take this token at the moment. Nothing was taken.',
  'AssetNotConfigured()': 'The vault does not know this token. Nothing was taken.',
  'BelowMinimum(uint64)': 'The amount is below the vault’s minimum. Choose a larger one.',
  'CapExceeded()':
    'The vault takes no deposits beyond its cap of this token. Choose a smaller amount or try again later.',
  'AmountTooSmall()': 'The amount is smaller than the smallest unit of the bridge. Choose a larger one.',
  'AmountTooLarge()': 'The amount is larger than the bridge can count. Choose a smaller one.',
  'MemoTooLong()': 'The destination does not fit into the memo of a deposit. Use a shorter account.',
  'ZeroAccount()': 'The deposit names no receiving account.',
  'ZeroRefundAddress()': 'The deposit names no address to return to.',
  'UseDepositNative()': 'The chain’s own coin has to be deposited in another way. Reload the page.',
  'FillFeeTooLarge()': 'The fee is larger than the amount.',
  'TransferFailed()':
    'The token did not move the whole amount: the balance or the allowance is too small, an address is blocked, or the token takes a fee.',
  'NativeSendFailed()':
    'The recipient did not take the chain’s own coin with the gas that it gets. The recipient itself may send the release, with all gas; after the deadline the tokens go back to their owner.',
  'NotAContract()': 'There is no token contract at this address.',
  'Reentrancy()': 'The call came from inside another one. Send it from an ordinary account.',
  'WithdrawalsPaused()': 'The vault pays nothing out at the moment. The withdrawal is safe; try again later.',
  'OutflowLimited()':
    'The vault has paid out its allowance for now. Nothing was used up: the same release works later, before its deadline.',
  'AlreadySettled()': 'It has been done already, by you or by somebody else.',
  'NotReleaser()': 'The vault does not take releases from this contract.',
  'PastDeadline()':
    'The deadline has passed, so it can no longer be released. It can be expired; the tokens then go back to their owner.',
  'BeforeDeadline()': 'It cannot be expired before its deadline. Release it instead.',
  'UntrustedRoot()':
    'The chain does not know the proof’s root, or a fork removed it. A new proof is needed: try again.',
  'BlockNotInRoot()': 'The proof does not fit its root. Try again with a new one.',
  'ActionNotInBlock()': 'The proof does not fit its block. Try again with a new one.',
  'WrongDomain()': 'This withdrawal is for another chain.',
  'AmountOverflow()': 'A contract cannot pay the withdrawal’s amount.',
  'FeeExceedsAmount()': 'The withdrawal’s fee exceeds its amount.',
  'BranchTooLong()': 'The proof is longer than any real one.',
  'NoQuorum(uint256,uint256)': 'Too few finalizers have signed the proof’s root. Try again in a minute.',
  'UnknownPolicy(uint32)': 'The chain has to learn of new finalizers first. Try again.',
  'PolicyIsOld(uint32)': 'The chain knows of these finalizers already. Try again.',
  'InvalidSignature()': 'The proof’s signature does not hold. Try again with a new one.',
  'InvalidPolicy()': 'The proof’s finalizers are not readable. Try again with a new one.',
  'InvalidBits()': 'The proof’s list of signers is not readable. Try again with a new one.',
  'WrongKeys()': 'The proof’s keys are not those of the finalizers. Try again with a new one.',
  'WrongPendingPolicy()': 'The proof’s pending finalizers are others. Try again with a new one.',
  'BlockNotUnderRoot()': 'The proof’s block is not under its root. Try again with a new one.',
  'RootNotStored()': 'The chain does not know this root. Try again with a new proof.',
  'EmptyRoot()': 'The proof has no root. Try again with a new one.',
  'UnsupportedVersion()': 'The proof is of a version that the contract does not know.',
}

interface KnownError {
  name: string
  text: string
}

let bySelector: Map<string, KnownError> | undefined

function known(): Map<string, KnownError> {
  bySelector ??= new Map(
    Object.entries(WORDS).map(([signature, text]) => [
      selectorOf(signature),
      { name: signature.slice(0, signature.indexOf('(')), text },
    ]),
  )
  return bySelector
}

/** Signatures of the custom errors that have a text. */
export const KNOWN_ERRORS: readonly string[] = Object.keys(WORDS)

const ERROR_TEXT = '0x08c379a0'
const PANIC = '0x4e487b71'

/** Text for revert data. @returns null when its form is unknown */
export function revertWords(data: string): KnownError | null {
  const selector = data.slice(0, 10).toLowerCase()
  const found = known().get(selector)
  if (found !== undefined) return found
  if (selector === ERROR_TEXT) {
    const length = Number(words(`0x${data.slice(10)}`, 2)?.[1] ?? 0n)
    const digits = data.slice(138, 138 + Math.min(length, 300) * 2)
    const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return { name: 'Error', text: `The contract refuses it: ${new TextDecoder().decode(bytes)}` }
  }
  if (selector === PANIC) return { name: 'Panic', text: 'The contract refuses it: a number is out of its range.' }
  return null
}

/** Minimum deposit in ledger units from `BelowMinimum`; null for any other error. */
export function minimumOf(data: string): bigint | null {
  if (!data.toLowerCase().startsWith(selectorOf('BelowMinimum(uint64)'))) return null
  return words(`0x${data.slice(10)}`, 1)?.[0] ?? null
}

/** Revert data in a provider's error, at any depth; null when there is none. */
export function revertData(error: unknown, depth = 0): string | null {
  if (typeof error === 'string') return /^0x[0-9a-f]{8,}$/i.test(error) ? error : null
  if (typeof error !== 'object' || error === null || depth > 4) return null
  const { data, error: inner, originalError, cause, message } = error as Record<string, unknown>
  for (const one of [data, inner, originalError, cause]) {
    const found = revertData(one, depth + 1)
    if (found !== null) return found
  }
  return typeof message === 'string' ? (/\b0x[0-9a-f]{8}(?:[0-9a-f]{64})*\b/i.exec(message)?.[0] ?? null) : null
}
