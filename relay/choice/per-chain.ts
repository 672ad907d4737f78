// Settings with a value for all EVM chains and others for single ones: a list of NUMBER and NAME=NUMBER.
import { UserError } from '../../core/errors.ts'
import { type FeeLimits, weiOf } from './fees.ts'

/** @param defaultValue  without a value for all chains */
export function chainValue(list: readonly string[], chain: string, defaultValue: number): number {
  const own = list.findLast((text) => text.startsWith(`${chain}=`))
  const general = list.findLast((text) => !text.includes('='))
  const text = own?.slice(chain.length + 1) ?? general
  return text === undefined ? defaultValue : Number(text)
}

interface FeeSettings {
  maxFeeGwei: readonly string[]
  priorityGwei: readonly string[]
}

/** Limits of the fees on a chain, wei. */
export function feeLimitsOf({ maxFeeGwei, priorityGwei }: FeeSettings, chain: string): FeeLimits {
  return { cap: weiOf(chainValue(maxFeeGwei, chain, 200)), tip: weiOf(chainValue(priorityGwei, chain, 1)) }
}

/** @param names  of the configured EVM chains @throws UserError RELAY_NODES */
export function checkChainNames(lists: Readonly<Record<string, readonly string[]>>, names: readonly string[]): void {
  for (const [setting, list] of Object.entries(lists))
    for (const text of list) {
      const [name = ''] = text.split('=')
      if (!text.includes('=') || names.includes(name)) continue
      throw new UserError('RELAY_NODES', `${name}, which relay.${setting} names, is not one of the EVM chains`, {
        hint: 'add it to HEADWATER_CHAINS, or correct the setting',
      })
    }
}
