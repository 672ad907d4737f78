// The chains of the bridge, with their names and domains. A chain has one name in hosts, configuration and database,
// one in the cross-chain feed, and one in the bridge API. Other chains may be configured; they have one name
// everywhere.

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
  /** Chain id of an Antelope chain, 64 hex digits. */
  id?: string
}

/** The domain of an Antelope chain: the first 8 bytes of its id, big-endian. @param id  64 hex digits */
export const domainOfId = (id: string): bigint => BigInt(`0x${id.slice(0, 16)}`)

/** An EVM chain's domain is its chain id, which is below 2^32. */
export const isEvmDomain = (domain: bigint): boolean => domain < 1n << 32n

const evm = (name: string, title: string, domain: bigint): KnownChain => ({
  ...{ name, title, domain },
  ...{ feed: name, bridge: name },
})

const antelope = (name: string, title: string, id: string, { feed = name, bridge = name } = {}): KnownChain => ({
  ...{ name, title, id, feed, bridge },
  domain: domainOfId(id),
})

const KNOWN: readonly KnownChain[] = [
  evm('mainnet', 'Ethereum', 1n),
  evm('bsc', 'BNB Smart Chain', 56n),
  evm('polygon', 'Polygon', 137n),
  antelope('wax', 'WAX', '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aec5a4'),
  antelope('telos', 'Telos', '4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11'),
  antelope('proton', 'XPR Network', '384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0', {
    feed: 'xpr',
    bridge: 'xpr',
  }),
  antelope('eos', 'Vaulta', 'aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906', { bridge: 'vaulta' }),
]

const known = (which: (chain: KnownChain) => boolean): KnownChain | undefined => KNOWN.find(which)

/** A chain of the bridge. @param name  in configuration and database @throws RangeError for another chain */
export function bridgedChain(name: string): KnownChain {
  const chain = known((one) => one.name === name)
  if (!chain) throw new RangeError(`no chain ${name} of the bridge`)
  return chain
}

/** Name of a chain in the feed. @param name  in configuration and database */
export function feedChain(name: string): string {
  return known((chain) => chain.name === name)?.feed ?? name
}

/** Name of a chain in the bridge API. @param name  in configuration and database */
export function bridgeChain(name: string): string {
  return known((chain) => chain.name === name)?.bridge ?? name
}

/** Name of a chain for people. @param name  in configuration and database */
export function titleOfChain(name: string): string {
  return known((chain) => chain.name === name)?.title ?? name
}

/**
 * Id and name of a domain's chain in the bridge API.
 *
 * @param name  name in the database, if the chain is indexed
 * @returns the id of a known chain; otherwise the id made from `name`; without a name, the domain as a decimal
 */
export function chainOfDomain(domain: bigint, name?: string): { id: string; name: string } {
  const found = known((chain) => chain.domain === domain)
  if (found !== undefined) return { id: found.bridge, name: found.title }
  const id = name === undefined ? String(domain) : bridgeChain(name)
  return { id, name: id }
}

/** Ids, names and domains of all known chains in the bridge API. */
export const KNOWN_PLACES = KNOWN.map(({ bridge, title, domain }) => ({ id: bridge, name: title, domain }))

/** Names of all known chains in the bridge API, by kind of chain. */
export const BRIDGE_NAMES = {
  evm: KNOWN.filter(({ domain }) => isEvmDomain(domain)).map(({ bridge }) => bridge),
  antelope: KNOWN.filter(({ domain }) => !isEvmDomain(domain)).map(({ bridge }) => bridge),
}
