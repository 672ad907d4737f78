// Decodes a value, or returns the reason why it cannot be decoded. Values without an ABI or type are frequent, so
// reasons are returned instead of thrown.

import { CompiledAbi } from '../../core/antelope/abi/compile.ts'
import { DecodeError } from '../../core/errors.ts'
import type { DecodedData } from './decoded.ts'

/** The reason why a value is stored raw. */
export class Reason {
  /** Stable: NO_ABI, UNKNOWN_ACTION, UNKNOWN_TABLE, or the code of a DecodeError. */
  readonly reasonCode: string
  readonly reason: string

  constructor(reasonCode: string, reason: string) {
    this.reasonCode = reasonCode
    this.reason = reason
  }
}

/**
 * @param abi  the book's entry at the position: an ABI, the error of an unusable one, or undefined
 * @param name  of the action or table
 * @param decode  makes the value. Its DecodeErrors become reasons; other errors are thrown.
 */
export function attempt(
  abi: CompiledAbi | DecodeError | undefined,
  members: 'actions' | 'tables',
  name: string,
  decode: (abi: CompiledAbi) => DecodedData,
): DecodedData | Reason {
  if (abi === undefined) return new Reason('NO_ABI', 'the account has no ABI at this position')
  if (!(abi instanceof CompiledAbi)) return new Reason(abi.code, abi.message)
  if (!abi[members].has(name)) {
    const [code, kind] = members === 'actions' ? ['UNKNOWN_ACTION', 'action'] : ['UNKNOWN_TABLE', 'table']
    return new Reason(code, `the ABI has no ${kind} ${name}`)
  }
  try {
    return decode(abi)
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    return new Reason(error.code, error.message)
  }
}

/** Whether the ABI has this action. */
export function isKnownAction(abi: CompiledAbi | DecodeError | undefined, name: string): boolean {
  return abi instanceof CompiledAbi && abi.actions.has(name)
}
