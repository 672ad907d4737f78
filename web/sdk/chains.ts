// Ids of the bridge's chains, as in its API. A small copy of `core/chains.ts` for scripts on other sites; a test compares
// them.

export const EVM_CHAINS = ['mainnet', 'bsc', 'polygon']
export const CHAINS = ['wax', 'telos', 'xpr', 'vaulta'].concat(EVM_CHAINS)
