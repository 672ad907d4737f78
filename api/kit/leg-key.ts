// Keys of legs: `d:<domain>:<nonce>` for a deposit, `w:<id>` for a withdrawal. Numbers are unsigned 64-bit without
// leading zeros, so each leg has exactly one key.

export type LegKey = DepositKey | WithdrawalKey

export interface DepositKey {
  kind: 'deposit'
  domain: bigint
  nonce: bigint
}

interface WithdrawalKey {
  kind: 'withdrawal'
  id: bigint
}

const KEY = /^(?:d:(0|[1-9]\d{0,19}):(0|[1-9]\d{0,19})|w:(0|[1-9]\d{0,19}))$/
const U64_MAX = 2n ** 64n - 1n

/** @returns null when the text is not a key */
export function parseLegKey(text: string): LegKey | null {
  const found = KEY.exec(text)
  if (found === null) return null
  const [domain, nonce, id] = found.slice(1).map((digits) => (digits === undefined ? undefined : BigInt(digits)))
  if ([domain, nonce, id].some((number) => number !== undefined && number > U64_MAX)) return null
  return id === undefined
    ? { kind: 'deposit', domain: domain as bigint, nonce: nonce as bigint }
    : { kind: 'withdrawal', id }
}

export function depositKey(domain: bigint | string, nonce: bigint | string): string {
  return `d:${domain}:${nonce}`
}

export function withdrawalKey(id: bigint | string): string {
  return `w:${id}`
}

export function keyText(key: LegKey): string {
  return key.kind === 'deposit' ? depositKey(key.domain, key.nonce) : withdrawalKey(key.id)
}
