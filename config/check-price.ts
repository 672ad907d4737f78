// Checks prices and trust beyond the schema: settings that depend on each other.
import { parseUsdPrice, USD_PRICE_DIGITS } from '../core/price/token-price.ts'
import { chainVariable } from './environment.ts'
import type { ChainConfig } from './schema.ts'

/** @param config  already valid by the schema */
export function priceProblems(config: ChainConfig): string[] {
  return [...sourceProblems(config), ...trustProblems(config)]
}

function sourceProblems({ chain, price, accounts }: ChainConfig): string[] {
  const problems: string[] = []
  const need = (path: string[], value: unknown, what: string) => {
    if (value !== undefined) return
    const because = `needed when price.source is ${price?.source}`
    problems.push(`${[chain, ...path].join('.')}: missing: ${what}, ${because} (${chainVariable(chain, path)})`)
  }
  switch (price?.source) {
    case 'oracle':
      need(['price', 'pair'], price.pair, 'a pair of the oracle')
      need(['accounts', 'oracle'], accounts.oracle, 'the account of the oracle')
      break
    case 'http':
      need(['price', 'url'], price.url, 'an address')
      need(['price', 'path'], price.path, 'where the price is in the answer')
      break
    case 'fixed':
      need(['price', 'usd'], price.usd, 'a price')
      if (price.usd !== undefined && parseUsdPrice(price.usd.toFixed(USD_PRICE_DIGITS)) === null)
        problems.push(`${chain}.price.usd: ${price.usd} is not a price (${chainVariable(chain, ['price', 'usd'])})`)
      break
  }
  return problems
}

function trustProblems({ chain, trust, systemToken }: ChainConfig): string[] {
  const system = [`${systemToken.symbol.toLowerCase()}-${systemToken.contract}`, systemToken.contract]
  const problems: string[] = []
  for (const list of ['trusted', 'scam'] as const) {
    trust[list].forEach(({ token, from }, index) => {
      const path = `${chain}.trust.${list}.${index}`
      const variable = chainVariable(chain, ['trust', list])
      if (from !== undefined && Number.isNaN(Date.parse(from)))
        problems.push(`${path}.from: ${JSON.stringify(from)} is not a time that there is (${variable})`)
      if (list === 'scam' && system.includes(token))
        problems.push(
          `${path}.token: ${JSON.stringify(token)} is the system token, which cannot be a scam (${variable})`,
        )
    })
  }
  return problems
}
