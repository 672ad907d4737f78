// What chains are called: by hosts, configuration and database; by the cross-chain feed; and by the bridge, which also has
// a number for each, its domain. Everything that turns one into another is here.

interface KnownChain {
  /** In hosts, configuration and database. */
  name: string
  /** In the feed. */
  feed: string
  /** In the bridge API. */
  bridge: string
  /** For people. */
  title: string
  domain: bigint
}

const alike = (name: string, title: string, domain: bigint): KnownChain => ({
  ...{ name, title, domain },
  ...{ feed: name, bridge: name },
})

const KNOWN: readonly KnownChain[] = [
  alike('mainnet', 'Ethereum', 1n),
  alike('bsc', 'BNB Smart Chain', 56n),
  alike('polygon', 'Polygon', 137n),
  alike('wax', 'WAX', 1181148696416462999n),
  alike('telos', 'Telos', 5073219243131244279n),
  { name: 'proton', feed: 'xpr', bridge: 'xpr', title: 'XPR Network', domain: 4057084141687023600n },
  { name: 'eos', feed: 'eos', bridge: 'vaulta', title: 'Vaulta', domain: 12439917377594391589n },
]

const known = (which: (chain: KnownChain) => boolean): KnownChain | undefined => KNOWN.find(which)

/** A chain as the feed calls it, from its name in configuration and database. */
export function feedChain(name: string): string {
  return known((chain) => chain.name === name)?.feed ?? name
}

/** A chain as the bridge API calls it, from its name in configuration and database. */
export function bridgeChain(name: string): string {
  return known((chain) => chain.name === name)?.bridge ?? name
}

/** An EVM chain id is small; the domain of an Antelope chain is the first 8 bytes of its id. */
export function isEvmDomain(domain: bigint): boolean {
  return domain < 1n << 32n
}

/**
 * The chain of a domain, as the bridge API calls it.
 *
 * @param name  in the database, where it is indexed
 * @returns the documents' id; else that of the name; else the domain itself
 */
export function chainOfDomain(domain: bigint, name?: string): { id: string; name: string } {
  const found = known((chain) => chain.domain === domain)
  if (found !== undefined) return { id: found.bridge, name: found.title }
  const id = name === undefined ? String(domain) : bridgeChain(name)
  return { id, name: id }
}

/** Domain of a chain by its id in the bridge API. */
export function domainOfChain(id: string): bigint | undefined {
  return known((chain) => chain.bridge === id)?.domain
}
