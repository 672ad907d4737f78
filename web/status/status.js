// Updates the page from the server: the chains' status, the newest swaps and the candles of the chosen pool.
// Builds the page from text nodes: nothing is parsed as HTML.
import { renew, say } from '/web/shared/renew.js'
import { candleAt, capacity, draw, reading } from './chart.js'
import { age, count, figure, minute, rough } from './format.js'

/** Polling interval, milliseconds. */
const INTERVAL_MS = 2000
/** Request timeout, milliseconds. */
const TIMEOUT_MS = 10_000
/** Milliseconds between updates of the list of pools, which is long. */
const POOLS_PERIOD = 60_000
const MAX_POOLS = 200
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/

const part = (id) => document.getElementById(id)
const memory = { chain: null, chains: [], pools: [], poolsAt: -POOLS_PERIOD, candles: [], asked: '' }

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
}

async function ask(path) {
  const answer = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw failed(answer)
  return answer.json()
}

function failed({ url, status }) {
  return Object.assign(new Error(`${new URL(url).pathname} answered ${status}`), { status })
}

function showState({ ready, reasons, warnings, version, uptimeSeconds }) {
  part('state').dataset.state = ready ? 'ready' : 'waiting'
  say(part('state'), ready ? 'ready' : 'not ready')
  renew(part('reasons'), ...[...reasons, ...warnings].map((text) => element('li', {}, text)))
  say(part('about'), `version ${version}, up for ${age(uptimeSeconds)}`)
}

/** URL of this page for another chain, whose name is the first label of the host. Null when the host names no chain. */
function addressOf(chain) {
  const { protocol, host, hostname } = location
  const first = hostname.split('.')[0]
  if (memory.chains.some((one) => one.chain === first) && hostname.includes('.'))
    return `${protocol}//${chain}${host.slice(first.length)}/`
  const port = host.slice(hostname.length)
  return LOCAL.test(hostname) ? `${protocol}//${chain}.localhost${port}/` : null
}

function chainCard(at) {
  const rows = Object.entries(at.estimatedRows).filter(([, many]) => many > 0)
  const total = rows.reduce((sum, [, many]) => sum + many, 0)
  const address = at.chain === memory.chain ? null : addressOf(at.chain)
  const title = address === null ? at.chain : element('a', { href: address }, at.chain)
  const tables = rows.sort((x, y) => y[1] - x[1]).map(([name, many]) => [name, count(many)])
  return element(
    'article',
    { class: 'panel', 'data-chain': at.chain },
    element('h3', {}, title),
    list([
      ['block', count(at.block), 'block'],
      ['head of the node', count(at.head), 'head'],
      ['irreversible', count(at.lib), 'lib'],
      ['behind', `${count(at.lagBlocks)} ${at.lagBlocks === 1 ? 'block' : 'blocks'}`, 'lag'],
      ['age of the block', age(at.lagSeconds), 'age'],
      ['first block', count(at.firstBlock), 'first'],
    ]),
    element('details', {}, element('summary', {}, `about ${rough(total)} rows`), list(tables)),
  )
}

function list(rows) {
  const cells = rows.flatMap(([name, text, id]) => [
    element('dt', {}, name),
    element('dd', id === undefined ? {} : { 'data-is': id }, text),
  ])
  return element('dl', {}, ...cells)
}

function swapLine({ id, time, pool, sender, tokenA, tokenB, symbolA, symbolB }) {
  const side = (amount, symbol) => `${figure(Math.abs(amount))} ${symbol}`
  const [paid, got] =
    tokenA > 0 ? [side(tokenA, symbolA), side(tokenB, symbolB)] : [side(tokenB, symbolB), side(tokenA, symbolA)]
  return element(
    'li',
    { 'data-id': id },
    element('time', { class: 'quiet', datetime: time }, `${minute(Date.parse(time))}`),
    element('span', { class: 'amounts' }, `${paid} → ${got}`),
    element('span', { class: 'quiet' }, `${sender}, pool ${pool}`),
  )
}

/** Most valuable pools first, as the server lists them. The selection is kept. */
function showPools(tickers) {
  const ids = tickers.map(({ pool_id }) => pool_id).join()
  if (ids === memory.pools.map(({ pool_id }) => pool_id).join()) return
  memory.pools = tickers
  const chosen = part('pool').value
  const symbol = (id) => id.slice(0, id.indexOf('-')).toUpperCase()
  const options = tickers.map(({ pool_id, base_currency, target_currency, fee_percent }) => {
    const name = `${symbol(base_currency)}/${symbol(target_currency)} ${fee_percent}% #${pool_id}`
    return element('option', { value: pool_id }, name)
  })
  part('pool').replaceChildren(...options)
  if (tickers.some(({ pool_id }) => pool_id === chosen)) part('pool').value = chosen
}

async function showCandles() {
  const canvas = part('chart')
  const pool = part('pool').value
  if (pool === '') return draw(canvas, [])
  const asked = `${pool}/candles?resolution=${part('resolution').value}&limit=${capacity(canvas)}`
  memory.asked = asked
  const answer = await ask(`/api/v2/swap/pools/${asked}`)
  // The selection has changed since the request.
  if (memory.asked !== asked) return
  memory.candles = answer.map(({ time, open, high, low, close, volume }) => {
    return { time, open: Number(open), high: Number(high), low: Number(low), close: Number(close), volume }
  })
  redraw()
}

function redraw() {
  const canvas = part('chart')
  const { candles } = memory
  draw(canvas, candles)
  canvas.dataset.candles = candles.length
  const last = candles.at(-1)
  const words = last === undefined ? 'No candles yet' : reading(last)
  canvas.setAttribute('aria-label', `${candles.length} candles; the last: ${words}`)
  part('reading').textContent = words
}

async function showMarket() {
  const swaps = await ask('/api/v3/swaps/newest?limit=15')
  if (performance.now() - memory.poolsAt >= POOLS_PERIOD) {
    showPools((await ask('/api/v2/amm/tickers')).slice(0, MAX_POOLS))
    memory.poolsAt = performance.now()
  }
  renew(part('swaps'), ...swaps.map(swapLine))
  part('market').hidden = false
  await showCandles()
}

/** Finds the chain of this page's address. Null when there is none. */
async function findChain() {
  if (memory.chain !== null) return
  const answer = await fetch('/api/v3/meta', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok && answer.status !== 404) throw failed(answer)
  const { chain, hosts } = await answer.json()
  memory.chain = chain ?? null
  const note = part('no-chain')
  note.hidden = memory.chain !== null
  const links = (hosts ?? []).map((host) => element('a', { href: `${location.protocol}//${host}/` }, host))
  const words = document.createTextNode('This address means no chain. Prices and swaps are at: ')
  renew(note, words, ...links.flatMap((link) => [link, document.createTextNode(' ')]))
}

async function refresh() {
  const status = await ask('/health/status')
  memory.chains = status.chains
  showState(status)
  await findChain()
  renew(part('chains'), ...status.chains.map(chainCard))
  if (memory.chain === null) return
  // Loading a chain takes a moment after a start: until then the market answers 503.
  await showMarket().catch((error) => {
    if (error.status !== 503) throw error
  })
}

async function poll() {
  for (;;) {
    if (!document.hidden)
      await refresh().catch((error) => {
        part('state').dataset.state = 'lost'
        say(part('state'), `no connection: ${error.message}`)
      })
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS))
  }
}

const again = () => showCandles().catch(() => {})
part('pool').addEventListener('change', again)
part('resolution').addEventListener('change', again)
part('chart').addEventListener('pointermove', (event) => {
  const { left } = part('chart').getBoundingClientRect()
  const candle = candleAt(part('chart'), memory.candles, event.clientX - left)
  if (candle !== undefined) part('reading').textContent = reading(candle)
})
part('chart').addEventListener('pointerleave', redraw)
new ResizeObserver(redraw).observe(part('chart'))
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw)
poll()
