// Errors with a stable code and a text for users.
import { revertData, revertWords } from './evm/errors.ts'

export class Fault extends Error {
  readonly code: string

  /** @param code  stable, upper case @param text  the problem and what to do */
  constructor(code: string, text: string) {
    super(text)
    this.code = code
  }
}

/** Texts by error code of EIP-1193 and of JSON-RPC servers. */
const BY_NUMBER: Readonly<Record<number, readonly [code: string, text: string]>> = {
  4001: ['WALLET_REJECTED', 'You have declined it in the wallet. Nothing was sent.'],
  4100: ['WALLET_UNAUTHORIZED', 'The wallet does not let this page use the account. Connect it again.'],
  4200: ['WALLET_UNSUPPORTED', 'The wallet cannot do this. Try another one.'],
  4900: ['WALLET_DISCONNECTED', 'The wallet has no connection. Check its network and try again.'],
  4901: ['WALLET_DISCONNECTED', 'The wallet has no connection to this chain. Check its network and try again.'],
  4902: ['WALLET_UNKNOWN_CHAIN', 'The wallet does not know this chain. Add it there and try again.'],
  [-32002]: ['WALLET_BUSY', 'The wallet has a request open already. Open it, answer, and try again.'],
}

const LIMIT = 300
const short = (text: string): string => (text.length > LIMIT ? `${text.slice(0, LIMIT)}…` : text)

/** Converts an error of an EVM wallet or node. */
export function evmFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const { code, message = '' } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Error> & {
    code?: number | string
  }
  const text = String(message)
  const byNumber = BY_NUMBER[Number(code)]
  if (byNumber !== undefined) return new Fault(...byNumber)
  if (code === 'ACTION_REJECTED' || /user (rejected|denied|cancel)/i.test(text))
    return new Fault(...(BY_NUMBER[4001] as [string, string]))
  if (/insufficient funds/i.test(text))
    return new Fault('NOT_ENOUGH_FOR_GAS', 'The account has too little of the chain’s coin to pay for the transaction.')
  const data = revertData(error)
  const known = data === null ? null : revertWords(data)
  if (known !== null) return new Fault(`CONTRACT_${upperSnakeCase(known.name)}`, known.text)
  if (/revert/i.test(text)) return new Fault('CONTRACT_REVERTED', `The contract refuses it: ${short(text)}`)
  return new Fault('WALLET_FAILED', text === '' ? 'The wallet has failed without saying why.' : short(text))
}

/** `BelowMinimum` as `BELOW_MINIMUM`. */
function upperSnakeCase(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
}

/** Error messages of Antelope contracts and nodes, with code and text. */
const ANTELOPE: readonly (readonly [RegExp, string, string])[] = [
  [/overdrawn balance/, 'NOT_ENOUGH', 'The account does not have that much.'],
  [/no balance object found/, 'NOT_ENOUGH', 'The account has none of this token.'],
  [/outside the limits of the route/, 'OUTSIDE_LIMITS', 'The amount is outside the limits of this route now.'],
  [/too little backing/, 'OVER_BACKING', 'The vault at the other end holds less than that. Choose a smaller amount.'],
  [/withdrawals are closed|deposits are closed/, 'ROUTE_CLOSED', 'This route is closed at the moment.'],
  [/nothing to claim/, 'NOTHING_TO_COLLECT', 'There is nothing left to collect: it has been collected already.'],
  [/no such deposit/, 'DONE_ALREADY', 'It has been done already, by you or by somebody else.'],
  [/nothing to recover/, 'DONE_ALREADY', 'There is nothing left to send back: it has been done already.'],
  [/too early/, 'TOO_EARLY', 'It is too early for that: a deposit may be sent back an hour after its arrival.'],
  [
    /missing authority|unsatisfied_authorization|does not have signatures/,
    'WRONG_ACCOUNT',
    'The wallet’s account may not do that.',
  ],
  [
    /tx_cpu_usage_exceeded|cpu usage|billed CPU/i,
    'NO_CPU',
    'The account has too little CPU for the transaction. Add some and try again.',
  ],
  [
    /tx_net_usage_exceeded|net usage/i,
    'NO_NET',
    'The account has too little NET for the transaction. Add some and try again.',
  ],
  [
    /ram usage|insufficient ram|ram_usage_exceeded/i,
    'NO_RAM',
    'The account has too little RAM for the transaction. Buy some and try again.',
  ],
  [/expired transaction|expired_tx/i, 'EXPIRED', 'The transaction was signed too late. Try again.'],
  [/duplicate transaction/i, 'DUPLICATE', 'This transaction is in the chain already.'],
]

/** Converts an error of an Antelope wallet or node. */
export function antelopeFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const { message = '', error: inner } = (typeof error === 'object' && error !== null ? error : {}) as {
    message?: string
    error?: { what?: string; details?: { message?: string }[] }
  }
  const text = String(inner?.details?.[0]?.message ?? inner?.what ?? message)
  for (const [pattern, code, words] of ANTELOPE) if (pattern.test(text)) return new Fault(code, words)
  const said = text.replace(/^assertion failure with message: /, '')
  if (said === text && inner === undefined && /reject|cancell?ed|declined|denied|closed/i.test(text))
    return new Fault(...(BY_NUMBER[4001] as [string, string]))
  if (said !== text) return new Fault('CONTRACT_REFUSED', `The contract refuses it: ${short(said)}`)
  return new Fault('WALLET_FAILED', said === '' ? 'The wallet has failed without saying why.' : short(said))
}
