// Names of chains and forms of addresses, as answers have them.
import { chainOfDomain, isEvmDomain } from '../chain-names.ts'
import { type BridgeContext, indexedChain } from './bridge-context.ts'

/** Domain of the ledger's own chain; null when neither its name nor its id tells. */
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

/** A transaction as its chain writes it: with 0x on an EVM chain. A chain without a domain is an Antelope one. */
export function transactionAt(domain: bigint | null, trx: string): string {
  return domain !== null && isEvmDomain(domain) ? `0x${trx}` : trx
}

export const textOf = (amount: bigint | null): string | null => (amount === null ? null : String(amount))
export const unixSeconds = (ms: number): number => Math.floor(ms / 1000)

/** Bytes as 0x and digits, and as text when they are printable UTF-8. */
export function memoOf(memo: Uint8Array): { memo: string; memoText: string | null } {
  const hex = `0x${Buffer.from(memo).toString('hex')}`
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(memo)
    return { memo: hex, memoText: /\p{Cc}/u.test(text) ? null : text }
  } catch {
    return { memo: hex, memoText: null }
  }
}
