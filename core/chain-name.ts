// The rule for names of chains. A name is part of host names (`wax.localhost`), environment variables (HEADWATER_WAX_…)
// and names of partitions and their indexes, which PostgreSQL truncates after 63 bytes. `meta.add_chain` checks the
// same rule.

/** The rule in words. */
export const CHAIN_NAME_RULE = 'at most 24 of a to z, 0 to 9 and single hyphens inside, a letter first'

/** The rule as a regular expression. */
export const CHAIN_NAME_PATTERN = '^(?=.{1,24}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$'

const NAME = new RegExp(CHAIN_NAME_PATTERN)

export function isChainName(text: string): boolean {
  return NAME.test(text)
}
