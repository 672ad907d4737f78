// Generates the settings table in docs/operate/configuration.md from the schema.
import type { TSchema } from 'typebox'
import { chainSettings, programSettings, type SchemaNode, type Setting } from './environment.ts'
import { EvmChainSchema } from './evm-schema.ts'
import { FeedAssetSchema } from './feed-assets.ts'
import { expectation } from './problems.ts'
import { ProgramSchema } from './program-schema.ts'
import { ChainSchema } from './schema.ts'

const BEGIN = '<!-- settings: made by config/reference.ts -->'
const END = '<!-- end of settings -->'

/** The page with its tables regenerated. */
export function withReference(page: string): string {
  const [before, rest = ''] = page.split(BEGIN)
  const after = rest.split(END)[1] ?? ''
  return `${before}${BEGIN}\n\n${reference()}\n${END}${after}`
}

function reference(): string {
  const chain = chainSettings('wax')
  return `## Program

${table(programSettings(), ProgramSchema)}
## A chain

The variables of the chain \`wax\`; for another one, write its name instead of \`WAX\`. An empty variable of a contract's
role, \`HEADWATER_WAX_ACCOUNTS_HOP=\`, means that the chain has no such contract. An empty variable of \`accounts.gateways\`, or
of the \`contracts\` of an EVM chain, means that there are none. Any other empty variable has no effect.

${table(chain, ChainSchema)}
## An EVM chain

A file whose \`kind\` is \`evm\`. The variables of the chain \`mainnet\`.

${table(chainSettings('mainnet', EvmChainSchema), EvmChainSchema)}
## An asset of the feed

Members of each entry of \`assets\` in \`config/feed/assets.json\`, or in the file of \`feed.assets\`. Symbols, ids and tokens
must be unique. A token that is in no entry, but has an id in its chain's \`aggregatorIds\`, is an asset of its own.

${members(FeedAssetSchema)}`
}

/** Members of an object that only a file can set. */
function members(schema: TSchema): string {
  const { properties = {}, required = [] } = schema as SchemaNode
  const rows = Object.entries(properties).map(([name, node]) => {
    const place = node.type === 'array' ? [name, '0'] : [name]
    const text = `${node.type === 'array' ? 'a list: ' : ''}${expectation(schema, place)}`
    const cells = [`\`${name}\``, node.description ?? '', text, required.includes(name) ? 'yes' : 'no']
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  })
  return `| Member | What | Form | Required |\n|---|---|---|---|\n${rows.join('')}`
}

function table(settings: Setting[], schema: TSchema): string {
  const rows = settings.map(({ path, env, schema: node }) => {
    const cells = [
      `\`${path.join('.')}\``,
      `\`${env}\``,
      node.description ?? '',
      form(schema, path, node),
      initial(node),
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  })
  return `| Setting | Variable | What | Form | Default |\n|---|---|---|---|---|\n${rows.join('')}`
}

function form(schema: TSchema, path: string[], { items }: SchemaNode): string {
  const text = expectation(schema, path)
  if (text !== 'a list') return text
  return items?.type === 'object' ? 'a list; in the environment JSON' : 'a list; in the environment separated by commas'
}

function initial({ default: value }: SchemaNode): string {
  return value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}
