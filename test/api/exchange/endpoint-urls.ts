// URLs of every endpoint of the API description, with values that WAX_SCENE has for the required parameters.
import type { TestApi } from '../../support/api.ts'
import { id, NOW, TLM, USDT, WAX } from './scene.ts'

const PAIR = `${id(TLM)}_${id(WAX)}`
/** Values of required parameters. */
const VALUES: Record<string, string> = {
  tokenId: id(TLM),
  poolId: '0',
  tickerId: PAIR,
  marketId: '0',
  account: 'alice',
  resolution: '1D',
  from: '0',
  to: String(NOW / 1000),
  tokenA: id(TLM),
  tokenB: id(WAX),
  ticker_id: PAIR,
  symbol: 'pool:0',
  base: id(TLM),
  quote: id(USDT),
  input: id(TLM),
  output: id(WAX),
  amount: '1',
  trade_type: 'EXACT_INPUT',
  tradeType: 'exactIn',
  fromBlock: '1100',
  toBlock: '1200',
  id: '0',
}
/** Members that may change between two requests without a new block. */
export const MOVING = /^\/(v2\/health|health|status|metrics)|\/feed\/status$/

interface Described {
  responses?: Record<string, { content?: Record<string, unknown> }>
  parameters?: { name: string; in: string; required?: boolean }[]
}

/**
 * Every URL, each by GET, and the operations of its path.
 *
 * @param values  of parameters, by name or by path and name, before those of WAX_SCENE; `PATH ?`: optional parameters
 */
export async function endpointUrls(
  api: TestApi,
  values: Readonly<Record<string, string>> = {},
): Promise<{ url: string; path: string; methods: string[] }[]> {
  const { paths } = (await api.get('/openapi.json')).body as { paths: Record<string, Record<string, Described>> }
  // A stream of events has no end.
  const ending = Object.entries(paths).filter(
    ([, { get }]) => get?.responses?.['200']?.content?.['text/event-stream'] === undefined,
  )
  return ending.map(([path, operations]) => {
    const given = (name: string) => values[`${path} ${name}`] ?? values[name] ?? VALUES[name] ?? '1'
    const query = (operations.get?.parameters ?? [])
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name }) => `${name}=${encodeURIComponent(given(name))}`)
    const optional = values[`${path} ?`]
    if (optional !== undefined) query.push(optional)
    const url = path.replace(/\{(\w+)\}/g, (_, name) => given(name))
    return { path, methods: Object.keys(operations), url: query.length === 0 ? url : `${url}?${query.join('&')}` }
  })
}
