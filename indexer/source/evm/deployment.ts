// Finds the block in which the first of some contracts was deployed, by binary search with `eth_getCode`. Needs a node
// that keeps old state.
import { UserError } from '../../../core/errors.ts'
import type { Endpoint } from '../../../net/rpc/endpoint.ts'
import type { EvmReader } from './reader.ts'

/**
 * @param addresses  of contracts
 * @throws UserError EVM_NO_CONTRACT when none exists at the final block; errors of the endpoint
 */
export async function deploymentBlock(
  endpoint: Endpoint,
  reader: EvmReader,
  chain: string,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const { final } = await reader.heads()
  const isThere = async (num: number) => {
    const calls = addresses.map((address) => ({ method: 'eth_getCode', params: [address, `0x${num.toString(16)}`] }))
    return (await endpoint.batch<string>(calls, signal)).some((code) => code !== '0x')
  }
  if (!(await isThere(final.num)))
    throw new UserError(
      'EVM_NO_CONTRACT',
      `${chain}: no contract at ${addresses.join(', ')} up to block ${final.num}`,
      {
        hint: `correct the contracts of ${chain}, or set source.startBlock`,
        place: { chain },
      },
    )
  let absent = 0
  let present = final.num
  while (present - absent > 1) {
    const middle = absent + Math.floor((present - absent) / 2)
    if (await isThere(middle)) present = middle
    else absent = middle
  }
  return present
}
