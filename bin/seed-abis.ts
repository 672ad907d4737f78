// ABIs from the folder `abis/`, for a start in the middle of a chain, before the chain has sent its own.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ChainConfig } from '../config/schema.ts'
import { packAbi } from '../core/antelope/abi/pack.ts'
import { parseAbi } from '../core/antelope/abi/parse.ts'
import { UserError } from '../core/errors.ts'

/** Packed ABIs by account. Throws UserError SEED_ABI when a file is missing or invalid. */
export function seedAbis({ chain, abis = {} }: ChainConfig): Map<string, Uint8Array> {
  const folder = new URL('../abis/', import.meta.url)
  return new Map(
    Object.entries(abis).map(([account, file]) => {
      const path = fileURLToPath(new URL(file, folder))
      try {
        return [account, packAbi(parseAbi(readFileSync(path, 'utf8')))]
      } catch (cause) {
        throw new UserError('SEED_ABI', `${chain}: ${path} is not the ABI of ${account}: ${(cause as Error).message}`, {
          hint: `correct abis.${account} of ${chain}`,
          cause,
        })
      }
    }),
  )
}
