// Names of chains: in hosts, configuration and database; in the cross-chain feed; in the bridge API, with the domain
// number. This module converts between them.

interface KnownChain {
  /** Name in hosts, configuration and database. */
  name: string
  /** Name in the feed. */
  feed: string
  /** Name in the bridge API. */
  bridge: string
  /** Name for people. */
  title: string
  domain: bigint
}

const sameNames = (name: string, title: string, domain: bigint): KnownChain => ({
  ...{ name, title, domain },
  ...{ feed: name, bridge: name },
})

const KNOWN: readonly KnownChain[] = [
  sameNames('mainnet', 'Ethereum', 1n),
  sameNames('bsc', 'BNB Smart Chain', 56n),
  sameNames('polygon', 'Polygon', 137n),
  sameNames('wax', 'WAX', 1181148696416462999n),
  sameNames('telos', 'Telos', 5073219243131244279n),
  { name: 'proton', feed: 'xpr', bridge: 'xpr', title: 'XPR Network', domain: 4057084141687023600n },
  { name: 'eos', feed: 'eos', bridge: 'vaulta', title: 'Vaulta', domain: 12439917377594391589n },
]

const known = (which: (chain: KnownChain) => boolean): KnownChain | undefined => KNOWN.find(which)

/** Name of a chain in the feed. @param name  in configuration and database */
export function feedChain(name: string): string {
  return known((chain) => chain.name === name)?.feed ?? name
}

/** Name of a chain in the bridge API. @param name  in configuration and database */
export function bridgeChain(name: string): string {
  return known((chain) => chain.name === name)?.bridge ?? name
}

/** A domain below 2^32 is an EVM chain id; the domain of an Antelope chain is the first 8 bytes of its id. */
export function isEvmDomain(domain: bigint): boolean {
  return domain < 1n << 32n
}

/**
 * Id and name of a domain's chain in the bridge API.
 *
 * @param name  name in the database, if the chain is indexed
 * @returns the id of a known chain; else the one of `name`; else the domain itself
 */
export function chainOfDomain(domain: bigint, name?: string): { id: string; name: string } {
  const found = known((chain) => chain.domain === domain)
  if (found !== undefined) return { id: found.bridge, name: found.title }
  const id = name === undefined ? String(domain) : bridgeChain(name)
  return { id, name: id }
}
