// How chains are called in the bridge API, and which domain is which chain.

/** Chains that the bridge's documents name, by domain. */
const KNOWN: ReadonlyMap<bigint, { id: string; name: string }> = new Map([
  [1n, { id: 'mainnet', name: 'Ethereum' }],
  [56n, { id: 'bsc', name: 'BNB Smart Chain' }],
  [137n, { id: 'polygon', name: 'Polygon' }],
  [1181148696416462999n, { id: 'wax', name: 'WAX' }],
  [5073219243131244279n, { id: 'telos', name: 'Telos' }],
  [4057084141687023600n, { id: 'xpr', name: 'XPR Network' }],
  [12439917377594391589n, { id: 'vaulta', name: 'Vaulta' }],
])

/** Names of chains in hosts that the bridge calls otherwise. */
const DIALECT: ReadonlyMap<string, string> = new Map([
  ['proton', 'xpr'],
  ['eos', 'vaulta'],
])

/** An EVM chain id is small; the domain of an Antelope chain is the first 8 bytes of its id. */
export function isEvmDomain(domain: bigint): boolean {
  return domain < 1n << 32n
}

/** A chain as the bridge API calls it, from its name in configuration and database. */
export function bridgeChainId(chain: string): string {
  return DIALECT.get(chain) ?? chain
}

/**
 * The chain of a domain.
 *
 * @param chain  its name in the database, where it is indexed
 * @returns the documents' id; else the name in the database; else the domain itself
 */
export function chainOfDomain(domain: bigint, chain?: string): { id: string; name: string } {
  const known = KNOWN.get(domain)
  if (known !== undefined) return known
  const id = chain === undefined ? String(domain) : bridgeChainId(chain)
  return { id, name: id }
}

/** Domain of one of the documents' ids. */
export function domainOfChain(id: string): bigint | undefined {
  for (const [domain, known] of KNOWN) if (known.id === id) return domain
  return undefined
}
