// Assets of the cross-chain feed: which tokens are forms of one asset, and the aggregator's id of it. In its own file,
// because an asset does not belong to one chain. docs/operate/configuration.md documents the schema.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import Type, { type Static, type TSchema } from 'typebox'
import { findProblems } from './problems.ts'

const exact = { additionalProperties: false }

export const FeedAssetSchema = Type.Object(
  {
    symbol: Type.String({
      description: 'Symbol of the asset on the aggregator. Its markets are named by it: `BASE_TARGET`.',
      pattern: '^[A-Z0-9.$-]{1,20}$',
      expect: 'capital letters, digits, dots, hyphens and $',
    }),
    name: Type.Optional(Type.String({ description: 'Name for people. Without it, the symbol.', minLength: 1 })),
    id: Type.Optional(
      Type.Integer({
        description:
          'Id of the asset on the aggregator. Without it the aggregator is not known to list the asset, and no pair of it is in the merged form.',
        minimum: 1,
        maximum: 2 ** 31 - 1,
      }),
    ),
    note: Type.Optional(
      Type.String({ description: 'A remark for readers of the file, such as why an id is missing.' }),
    ),
    kind: Type.Optional(
      Type.Enum(['stable', 'coin'], {
        description:
          '`stable`: pairs are quoted in this asset first. `coin`, the coin of a chain: next. The USD tokens and system tokens of the configured chains need no mark.',
      }),
    ),
    tokens: Type.Array(
      Type.String({
        pattern: '^[a-z][a-z0-9-]*:[a-z]{1,7}-[a-z1-5.]{1,13}$',
        expect: 'chain:symbol-contract in lower case, the chain as the feed calls it: wax, xpr, eos, telos',
      }),
      {
        description:
          'Tokens that count as this asset: the asset on its own chain, and its bridged forms on other chains, by any bridge.',
      },
    ),
  },
  exact,
)

const FeedAssetsFile = Type.Object({ assets: Type.Array(FeedAssetSchema) }, exact)

export type FeedAsset = Static<typeof FeedAssetSchema>

/** The file that ships with the program. */
const SHIPPED_ASSETS = fileURLToPath(new URL('feed/assets.json', import.meta.url))

/**
 * Reads a file of assets.
 *
 * @param path      default: the shipped file
 * @param problems  receives the problems found, each with path, value and expectation
 * @returns the assets; empty when there is a problem
 */
export function readFeedAssets(path: string | undefined, problems: string[]): FeedAsset[] {
  const file = path === undefined ? SHIPPED_ASSETS : resolve(path)
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    problems.push(`feed.assets: ${file} cannot be read: ${(error as Error).message} (HEADWATER_FEED_ASSETS)`)
    return []
  }
  const found = findProblems(FeedAssetsFile as TSchema, content).map(({ path: place, value, expectation }) => {
    const said = value === undefined ? expectation : `${value} is not ${expectation}`
    return `${file}: ${place}: ${said}`
  })
  if (found.length === 0) found.push(...repeated((content as { assets: FeedAsset[] }).assets, file))
  problems.push(...found)
  return found.length > 0 ? [] : (content as { assets: FeedAsset[] }).assets
}

/** Problems of duplicate symbols, ids and tokens. */
function repeated(assets: readonly FeedAsset[], file: string): string[] {
  const problems: string[] = []
  const unique = (what: string, values: readonly (string | number)[]) => {
    for (const value of new Set(values.filter((one, i) => values.indexOf(one) !== i)))
      problems.push(`${file}: the ${what} ${value} is there more than once`)
  }
  unique(
    'symbol',
    assets.map(({ symbol }) => symbol),
  )
  unique(
    'id',
    assets.flatMap(({ id }) => (id === undefined ? [] : [id])),
  )
  unique(
    'token',
    assets.flatMap(({ tokens }) => tokens),
  )
  return problems
}
