// The one rule for names of chains. A name stands in host names (`wax.localhost`), in variables (HEADWATER_WAX_…) and in
// names of partitions and their indexes, which PostgreSQL cuts after 63 bytes. `meta.add_chain` keeps the same rule.

/** What it takes, in words. */
export const CHAIN_NAME_RULE = 'at most 24 of a to z, 0 to 9 and single hyphens inside, a letter first'

/** As a regular expression. */
export const CHAIN_NAME_PATTERN = '^(?=.{1,24}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$'

const NAME = new RegExp(CHAIN_NAME_PATTERN)

export function isChainName(text: string): boolean {
  return NAME.test(text)
}
