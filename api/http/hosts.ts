// Which chain a host name means. Pure.

/** A chain as far as hosts choose it. */
export interface HostedChain {
  chain: string
  /** Host names that mean this chain, without ports. */
  hosts: readonly string[]
}

/**
 * Makes the table of hosts. A configured name wins; else the first label of a name with several is a chain's
 * (`wax.example.org`).
 *
 * @returns the chain of a `Host` header, undefined when it means none
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
  /** The chain of a `Host` header, undefined when it means none. */
  chainOf(host: string | undefined): T | undefined
  /** Host names that mean a chain, for those who came by one that means none. @param host  by which they came */
  known(host: string | undefined): string[]
}

/**
 * Makes the table of hosts of a server. Beside what `chainsByHost` says, names and addresses of the machine itself mean
 * the first chain, and with one chain every host means it that is not taken.
 *
 * @param isTaken  whether a host means something else
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

/** What follows the label of a chain in a name of the same site: `example.org` for `nowhere.example.org`. */
function domainOf(name: string): string {
  if (name === '' || name.includes(':') || /^[\d.]+$/.test(name)) return 'localhost'
  const labels = name.split('.')
  return labels.length > 2 || labels.at(-1) === 'localhost' ? labels.slice(1).join('.') || name : name
}

/** `example.org:7700` and `[::1]:7700` without the port and the brackets. */
function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'))
  const colon = host.lastIndexOf(':')
  return (colon === -1 ? host : host.slice(0, colon)).replace(/\.$/, '')
}
