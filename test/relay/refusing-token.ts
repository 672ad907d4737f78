// A token on a local EVM whose transfers can be made to refuse, while its balances stay readable.
import type { Contract } from 'ethers'

type Rpc = (method: string, ...params: unknown[]) => Promise<unknown>

/** Where the token's own code is while it refuses. */
const IMPLEMENTATION = `${'00'.repeat(18)}7e57`
/** Ends of a call of `transfer`: `return(0, 32)` of empty memory, which is false, and `revert(0, 0)`. */
const ENDS = { 'returns false': '60205ff3', reverts: '5f5ffd' } as const
export type Refusing = keyof typeof ENDS

/** Code that ends each `transfer`, and passes every other call on to the token's own code. */
const codeOf = (how: Refusing): string =>
  [
    // if (selector == transfer) goto refuse
    '0x5f3560e01c63a9059cbb14603557',
    // calldatacopy(0, 0, size); delegatecall(gas, implementation, 0, size, 0, 0)
    `365f5f375f5f365f73${IMPLEMENTATION}5af4`,
    // returndatacopy(0, 0, size); return(0, size)
    '503d5f5f3e3d5ff3',
    // refuse:
    `5b${ENDS[how]}`,
  ].join('')

/** @returns starts refusing in one way, or stops it */
export async function refusingToken(rpc: Rpc, { target }: Contract): Promise<(how: Refusing | null) => Promise<void>> {
  const own = await rpc('eth_getCode', target, 'latest')
  await rpc('anvil_setCode', `0x${IMPLEMENTATION}`, own)
  return async (how) => void (await rpc('anvil_setCode', target, how === null ? own : codeOf(how)))
}
