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

/** `example.org:7700` and `[::1]:7700` without the port and the brackets. */
function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'))
  const colon = host.lastIndexOf(':')
  return (colon === -1 ? host : host.slice(0, colon)).replace(/\.$/, '')
}
