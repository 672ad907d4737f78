// Serving of pages: nothing is loaded from other sites, files are sent only once until they change, titles are made on
// the server, and the explorer stays small.
import t from 'tap'
import { testApi, testChain } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { WAX_SCENE } from '../exchange/scene.ts'

/** Bytes of the explorer with gzip, before and with the chart. */
const MAX_BEFORE_CHART = 150_000
const MAX_WITH_CHART = 220_000
const HTML = { accept: 'text/html' }

t.test('pages and their files', async (t) => {
  const database = await testDatabase(t, { scene: WAX_SCENE })
  const api = await testApi(t, database, { chains: ['wax', 'telos'].map((chain) => testChain(chain)) })
  const filesOf = (text: string) =>
    [...text.matchAll(/(?:src|href)="(\/[^"]*\.(?:js|css))"/g)].map(([, path]) => path as string)

  t.test('policy, revalidation and no other site', async (t) => {
    for (const page of ['/', '/telos', '/docs']) {
      const { status, headers, text } = await api.get(page)
      t.equal(status, 200)
      t.match(headers['content-type'], /^text\/html/)
      const policy = Object.fromEntries(
        String(headers['content-security-policy'])
          .split('; ')
          .map((rule) => [rule.slice(0, rule.indexOf(' ')), rule.slice(rule.indexOf(' ') + 1)]),
      )
      // The API reference creates style elements. Scripts and connections come from this server only, on every page.
      const styles = page === '/docs' ? "'self' 'unsafe-inline'" : "'self'"
      t.match(policy, { 'default-src': "'none'", 'script-src': "'self'", 'connect-src': "'self'" })
      t.equal(policy['style-src'], styles)
      t.equal(policy['frame-ancestors'], "'none'")
      t.notMatch(text, / (on\w+|style)=/, 'nothing inline, which the policy would forbid')
      t.notMatch(text, /<script(?![^>]*src=)/)
      const files = filesOf(text)
      t.ok(files.length >= 2)
      for (const file of [page, ...files]) {
        const first = await api.get(file)
        t.same([first.status, first.headers['x-content-type-options']], [200, 'nosniff'], file)
        const isForever = file.startsWith('/explorer/assets/')
        t.equal(first.headers['cache-control'], isForever ? 'public, max-age=31536000, immutable' : 'public, no-cache')
        const again = await api.get(file, { 'if-none-match': String(first.headers.etag) })
        t.same([again.status, again.text], [304, ''], `${file} is not sent again`)
        t.equal((await api.get(file, { 'if-none-match': 'W/"x"' })).status, 200)
        // The reference's package contains names of other sites as texts. A browser test checks that it requests none
        // of them.
        if (file !== '/docs/reference.js' && !file.startsWith('/explorer/assets/'))
          t.notMatch(
            first.text.replaceAll('http://wax.localhost', ''),
            /https?:\/\/(?!www\.w3\.org)/,
            'no address of others',
          )
      }
    }
    t.equal((await api.get('/', { host: 'anything.example' })).status, 200, 'on any host')
  })

  t.test('titles and descriptions of what a page shows; 404 where nothing is', async (t) => {
    const read = async (path: string) => {
      const { status, text } = await api.get(path, HTML)
      const of = (pattern: RegExp) => pattern.exec(text)?.[1] ?? ''
      return [status, of(/<title>(.*)<\/title>/), of(/og:description" content="([^"]*)"/)]
    }
    const { price } = (await api.get('/api/v3/market/pools/3')).body.pool
    const [status, title, description] = await read('/pool/3')
    const digits = Number(price).toPrecision(5).replace(/0+$/, '')
    t.same([status, title], [200, `WAX/USDT ${digits} on wax – Headwater`])
    t.match(description, `fee 0.3%: one WAX is ${digits} USDT`)
    t.match(await read('/market/0'), [200, 'TLM/WAX order book on wax'])
    t.match(await read('/token/tlm-alien.worlds'), [200, 'TLM (alien.worlds) on wax'])
    t.match(await read('/trades'), [200, 'Large trades on wax'])
    t.match(await read('/account/bob'), [200, 'Account bob on wax'])
    t.match(await read('/transfer/w:5'), [200, 'Bridge transfer w:5 – Headwater', /who acts next/])
    t.match(await read('/telos/pool/3'), [200, 'Pool 3 on telos'], 'nothing is known of a chain that is loaded')
    t.match(await read('/pool/99'), [404, 'Pool 99 on wax'])
    for (const path of ['/nothing/here', '/pool/x', '/eos/pool/3', '/transfer/x:1'])
      t.match(await read(path), [404, 'Not found'], path)
    const hostile = (await api.get('/token/%22%3E%3Cscript%3E', HTML)).text
    t.notMatch(hostile, '"><script>')
  })

  t.test('trade links of tickers lead to pages', async (t) => {
    const lists = await Promise.all([api.get('/api/v2/tickers'), api.get('/api/v2/amm/tickers')])
    const links = lists.flatMap(({ body }) => body.map((one: { trade_url: string }) => new URL(one.trade_url).pathname))
    t.ok(links.length >= 6)
    for (const link of links) {
      const { status, headers } = await api.get(link, HTML)
      t.equal(status, 302, link)
      t.equal((await api.get(String(headers.location), HTML)).status, 200, `${headers.location}`)
    }
    // Pool 1 of the pair holds more, and is inactive.
    t.equal((await api.get('/swap/tlm-alien.worlds_wax-eosio.token')).headers.location, '/pool/0')
    t.equal((await api.get('/spot/TLM-alien.worlds_wax-eosio.token')).headers.location, '/market/0')
    t.equal((await api.get('/spot/no-one_no-two', HTML)).status, 404)
  })

  t.test('answers at a path with the chain name addresses with that path', async (t) => {
    const host = '127.0.0.1:7700'
    const prefixed = (path: string) => api.get(`/wax${path}`, { host })
    // The second time from the cache.
    for (const list of ['/api/v2/tickers', '/api/v2/amm/tickers'])
      for (let i = 0; i < 2; i++) {
        const [{ trade_url: link }] = (await prefixed(list)).body
        t.match(link, `http://${host}/wax/s`)
        const { headers } = await api.get(new URL(link).pathname, { host })
        t.match(headers.location, /^\/wax\/(pool|market)\/\d+$/)
        t.equal((await api.get(String(headers.location), { ...HTML, host })).status, 200)
        t.notMatch((await api.get(list, { host })).body[0].trade_url, '/wax/', 'another answer without the chain')
      }
    const swaps = '/api/v2/swap/pools/0/swaps?limit=1'
    for (let i = 0; i < 3; i++) {
      t.match((await prefixed(swaps)).headers.link, /^<\/wax\/api\/v2\/swap\/pools\/0\/swaps\?/)
      t.match((await api.get(swaps, { host })).headers.link, /^<\/api\//)
      const logo = async (prefix: string) =>
        /"logo":"([^"]*)"/.exec((await api.get(`${prefix}/api/v3/analytics/tokens`, { host })).text)?.[1]
      t.match(await logo('/wax'), `http://${host}/wax/api/v2/tokens/`)
      t.match(await logo(''), `http://${host}/api/v2/tokens/`)
    }
  })

  t.test('programs get JSON at an unknown address, and the chain of the path', async (t) => {
    t.match((await api.get('/nothing/here')).body, { statusCode: 404, message: 'GET /nothing/here is not here' })
    const named = await api.get('/wax/api/v3/market/pools/3', { host: '127.0.0.1' })
    t.same(named.body, (await api.get('/api/v3/market/pools/3')).body)
    t.match((await api.get('/telos/api/v3/market/pools/3')).body, { message: /^telos: data is being loaded/ })
    t.equal((await api.get('/wax/api/v3/meta', { host: 'nowhere.example' })).body.chain, 'wax', 'on any host')
    t.equal((await api.get('/eos/api/v3/meta')).status, 404)
  })

  t.test('the explorer is small, and the chart is loaded later', async (t) => {
    const { text } = await api.get('/')
    const size = async (path: string) =>
      Number((await api.get(path, { 'accept-encoding': 'gzip' })).headers['content-length'])
    const sizes = await Promise.all(filesOf(text).map(size))
    const before = sizes.reduce((sum, one) => sum + one, text.length)
    const script = (await api.get(filesOf(text).find((path) => path.includes('main-')) ?? '')).text
    const chunks = [...script.matchAll(/import\("\.\/([^"]+)"\)/g)].map(([, name]) => name as string)
    t.ok(chunks.length > 0, 'the chart is a file of its own')
    const later = await Promise.all(chunks.map((name) => size(`/explorer/assets/${name}`)))
    const total = later.reduce((sum, one) => sum + one, before)
    t.comment(`${before} bytes before the chart, ${total} with it`)
    t.ok(before > 10_000 && before < MAX_BEFORE_CHART, `${before} bytes`)
    t.ok(total > before + 20_000 && total < MAX_WITH_CHART, `${total} bytes`)
  })
})
