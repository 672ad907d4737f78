// A chain in the path: `/telos/api/v2/tokens` is `/api/v2/tokens` of the chain telos, on every host. For addresses that
// choose no chain by their host name, such as 127.0.0.1.

export interface ChainPrefixes {
  /** The chain that a URL names in its first part; undefined when it names none. */
  chainOf(url: string): string | undefined
  /** The URL without the chain. */
  without(url: string): string
}

/** @param names  of the chains */
export function chainPrefixes(names: readonly string[]): ChainPrefixes {
  const known = new Set(names)
  const chainOf = (url: string) => {
    const end = url.indexOf('/', 1)
    const name = end === -1 ? '' : url.slice(1, end)
    return known.has(name) && url.startsWith('/api/', end) ? name : undefined
  }
  return {
    chainOf,
    without(url) {
      const name = chainOf(url)
      return name === undefined ? url : url.slice(name.length + 1)
    },
  }
}
