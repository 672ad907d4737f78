// Maps host names to chains. Pure.

/** The members of a chain that select it by host. */
export interface HostedChain {
  chain: string
  /** Host names of this chain, without ports. */
  hosts: readonly string[]
}

/**
 * Maps hosts to chains: by configured name, else by the first of several labels (`wax.example.org`).
 *
 * @returns a function from a `Host` header to its chain, undefined if it has none
 */
export function chainsByHost<T extends HostedChain>(chains: readonly T[]): (host: string | undefined) => T | undefined {
  const named = new Map(chains.flatMap((chain) => chain.hosts.map((host) => [host.toLowerCase(), chain] as const)))
  const labelled = new Map(chains.map((chain) => [chain.chain, chain]))
  return (host) => {
    if (host === undefined) return undefined
    const name = withoutPort(host.toLowerCase())
    return named.get(name) ?? (name.includes('.') ? labelled.get(name.slice(0, name.indexOf('.'))) : undefined)
  }
}

export interface HostTable<T> {
  /** The chain of a `Host` header, undefined if it has none. */
  chainOf(host: string | undefined): T | undefined
  /** Host names of the chains, as suggestions in an error. @param host  the unknown host of the request */
  known(host: string | undefined): string[]
}

/**
 * The hosts of a server. In addition to `chainsByHost`, loopback names and addresses map to the first chain; if there
 * is only one chain, every host that is not taken maps to it.
 *
 * @param isTaken  whether a host belongs to something other than a chain
 */
export function hostTable<T extends HostedChain>(
  chains: readonly T[],
  isTaken: (host: string | undefined) => boolean = () => false,
): HostTable<T> {
  const byHost = chainsByHost(chains)
  const [first] = chains
  return {
    chainOf(host) {
      const found = byHost(host)
      if (found !== undefined || isTaken(host)) return found
      return chains.length === 1 || (host !== undefined && isLoopback(withoutPort(host.toLowerCase())))
        ? first
        : undefined
    },
    known(host = '') {
      const name = withoutPort(host.toLowerCase())
      const port = /:\d+$/.exec(host)?.[0] ?? ''
      const names = chains.flatMap(({ chain, hosts }) => [...hosts, `${chain}.${domainOf(name)}`])
      return [...new Set(names)].map((one) => `${one.includes(':') ? `[${one}]` : one}${port}`)
    },
  }
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' || name === '::1' || name === '::' || name === '0.0.0.0' || /^127(\.\d{1,3}){3}$/.test(name)
  )
}

/** The parent domain, to which a chain's label can be prepended: `example.org` for `nowhere.example.org`. */
function domainOf(name: string): string {
  if (name === '' || name.includes(':') || /^[\d.]+$/.test(name)) return 'localhost'
  const labels = name.split('.')
  return labels.length > 2 || labels.at(-1) === 'localhost' ? labels.slice(1).join('.') || name : name
}

/** Removes port, brackets and final dot: `example.org:7700` gives `example.org`, `[::1]:7700` gives `::1`. */
function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'))
  const colon = host.lastIndexOf(':')
  return (colon === -1 ? host : host.slice(0, colon)).replace(/\.$/, '')
}
