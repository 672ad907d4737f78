// Chain names, addresses, transactions and memos in the API's form.
import { chainOfDomain, isEvmDomain } from '../../core/chains.ts'
import { type BridgeContext, indexedChain } from './bridge-context.ts'

/** Domain of the ledger's chain; null when neither its name nor its id determines it. */
export function ledgerDomain({ domains, ledger }: BridgeContext): bigint | null {
  return domains.find(({ chain }) => chain === ledger)?.domain ?? null
}

export function ledgerId(world: BridgeContext): { id: string; name: string } {
  const domain = ledgerDomain(world)
  return domain === null ? { id: world.ledger, name: world.ledger } : chainOfDomain(domain, world.ledger)
}

export function chainAt(world: BridgeContext, domain: bigint): { id: string; name: string } {
  return chainOfDomain(domain, indexedChain(world, domain))
}

/** A transaction id in its chain's form: with 0x on an EVM chain. A chain without a domain is an Antelope chain. */
export function transactionAt(domain: bigint | null, trx: string): string {
  return domain !== null && isEvmDomain(domain) ? `0x${trx}` : trx
}

export const textOf = (amount: bigint | null): string | null => (amount === null ? null : String(amount))
export const unixSeconds = (ms: number): number => Math.floor(ms / 1000)

/** Bytes as 0x and digits, and as text if they are UTF-8 without control characters. */
export function memoOf(memo: Uint8Array): { memo: string; memoText: string | null } {
  const hex = `0x${Buffer.from(memo).toString('hex')}`
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(memo)
    return { memo: hex, memoText: /\p{Cc}/u.test(text) ? null : text }
  } catch {
    return { memo: hex, memoText: null }
  }
}
