// How the bridge's pages, the widget and its script are served: headers of each path, sizes, and that no query reaches
// a page's text. Also the script without a document.
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import t from 'tap'
import { BUYER, openStage } from './stage.ts'

const PAGE = '/v/wax/bridge'
const EMBED = '/embed/bridge'
const SDK = '/sdk/bridge/v1.js'

t.test('pages of the bridge', async (t) => {
  const { api } = await openStage(t)
  const directives = (header: unknown) =>
    new Map(
      String(header)
        .split('; ')
        .map((one) => [one.split(' ')[0] ?? '', one.split(' ').slice(1).join(' ')]),
    )

  t.test('DL-01 DL-06 the page is served without parameters, and is the same with any', async (t) => {
    const { status, headers, text } = await api.get(PAGE)
    t.equal(status, 200)
    t.match(headers['content-type'], /^text\/html/)
    for (const bad of [
      '?recipient=%3Cscript%3Ealert(1)%3C/script%3E',
      '?to=%00&token=%27%22',
      '?return_url=javascript:alert(1)',
      '?partner=%E0%A4%A',
      `?x=${'a'.repeat(4000)}`,
    ]) {
      const other = await api.get(`${PAGE}${bad}`)
      t.same([other.status, other.text], [200, text], bad.slice(0, 40))
    }
    t.match(text, /<meta property="og:title" content="Bridge – Headwater" \/>/, 'a shared link has a preview')
    t.match(text, /<meta name="description" content="Moves tokens between [^"]*Telos[^"]*" \/>/)
    t.notMatch(text, / (on\w+|style)=/, 'nothing inline')
    t.notMatch(text, /<script(?![^>]*(src=|application\/json))/)
    t.notMatch(text, /(?:src|href)="https?:/, 'nothing from elsewhere')
    const config = JSON.parse(/id="config">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
    t.match(config, { api: '/api/bridge/v1', walletConnect: null, demo: null })
    t.same(config.chains.map(({ id }: { id: string }) => id).toSorted(), ['mainnet', 'telos', 'wax'])
    t.equal(config.chains.find(({ id }: { id: string }) => id === 'wax').domain, '1181148696416462999')
  })

  t.test('short addresses redirect to the page', async (t) => {
    for (const [path, target] of [
      ['/bridge', PAGE],
      ['/v/telos/bridge', `${PAGE}?to=telos`],
      ['/v/mainnet/bridge', `${PAGE}?to=mainnet`],
    ] as const) {
      const { status, headers } = await api.get(path, { accept: 'text/html' })
      t.same([status, headers.location], [302, target], path)
    }
    const none = await api.get('/v/moon/bridge', { accept: 'text/html' })
    t.equal(none.status, 404)
    t.match(none.headers['content-type'], /^text\/html/, 'a person gets a page')
  })

  t.test('WG-25 WG-26 headers differ by path', async (t) => {
    const page = (await api.get(PAGE)).headers
    t.equal(directives(page['content-security-policy']).get('frame-ancestors'), "'none'")
    t.match(page, {
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    })
    const embed = (await api.get(EMBED)).headers
    t.equal(directives(embed['content-security-policy']).get('frame-ancestors'), '*')
    t.match(embed, {
      'x-frame-options': undefined,
      'cross-origin-resource-policy': 'cross-origin',
      'cross-origin-opener-policy': 'unsafe-none',
    })
    for (const headers of [page, embed]) {
      const policy = directives(headers['content-security-policy'])
      t.match(Object.fromEntries(policy), {
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'base-uri': "'none'",
        'form-action': "'none'",
      })
      t.match(
        policy.get('connect-src'),
        /^'self' http:\/\/127\.0\.0\.1:\d+ https:\/\/cb\.anchor\.link/,
        'itself, nodes and wallets',
      )
      t.match(headers, {
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, no-cache',
      })
    }
    for (const path of ['/', '/docs', '/bridge/operator']) {
      const { status, headers } = await api.get(path)
      t.equal(status, 200, path)
      t.equal(directives(headers['content-security-policy']).get('frame-ancestors'), "'none'", path)
      t.match(headers, {
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
      })
    }
  })

  t.test('partners can be named', async (t) => {
    const { api } = await openStage(t, { frameAncestors: ['https://partner.example'] })
    const { headers } = await api.get(EMBED)
    t.equal(directives(headers['content-security-policy']).get('frame-ancestors'), 'https://partner.example')
  })

  t.test('transactions of a chain without a configured explorer link to the explorer of this site', async (t) => {
    const chainId = '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aec5a4'
    const { api } = await openStage(t, { chains: [{ chain: 'wax', chainId, public: {} }] })
    const { text } = await api.get(EMBED)
    t.match(text, `"explorerTransaction":"/wax/tx/{tx}"`)
    t.notMatch(text, '/demo/transaction')
  })

  t.test('third-party scripts are served only if they are configured', async (t) => {
    const file = new URL('../../../test/support/one-statement.js', import.meta.url).pathname
    const demo = { script: file, query: 'a=1', address: BUYER, account: 'visitor', key: 'PVT_K1_x' }
    const { api } = await openStage(t, { demo })
    t.match(await api.get('/demo/wallet.js?a=1'), { status: 200, headers: { 'content-type': /^text\/javascript/ } })
    const { text, headers } = await api.get(EMBED)
    t.match(text, `"script":"/demo/wallet.js?a=1"`)
    t.match(text, `"walletConnect":null`)
    t.notMatch(headers['content-security-policy'], 'walletconnect')
    t.equal((await api.get('/bridge/wallet-connect.js')).status, 404)
    const chains = JSON.parse(/id="config">(.*?)<\/script>/s.exec(text)?.[1] ?? '').chains
    const pageOf = (id: string) => chains.find((chain: { id: string }) => chain.id === id)?.explorerTransaction
    t.equal(pageOf('mainnet'), '/demo/transaction?tx={tx}', 'a demo shows its EVM transactions itself')
    const transaction = await api.get('/demo/transaction')
    t.match(transaction.text, '/demo/transaction.js')
    t.match(transaction.text, '<div id="top" data-config="', 'with the bar of the explorer')
    t.equal((await api.get('/demo/transaction.js')).status, 200)
    const swap = await api.get('/demo/swap')
    t.match(swap, { status: 200, headers: { 'content-type': /^text\/html/, 'x-frame-options': 'DENY' } })
    t.match(swap.text, '"account":"visitor"')
    const rules = directives(swap.headers['content-security-policy'])
    t.match(rules.get('connect-src'), /^'self' http:\/\/127\.0\.0\.1:\d+ /, 'the node of the chain')
    const script = await api.get('/demo/swap.js')
    t.equal(script.status, 200)
    t.notMatch(script.text, /\beval\(|new Function\(/, 'nothing made from text')
  })

  t.test(
    'files of the page are compressed and cached for ever under names that change with their content',
    async (t) => {
      for (const path of [PAGE, EMBED]) {
        const { text } = await api.get(path)
        const files = [...text.matchAll(/(?:src|href)="(\/bridge\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
        t.ok(files.length >= 2)
        let sum = gzipSync(text).length
        for (const file of files) {
          const plain = await api.get(file)
          t.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable', file)
          for (const encoding of ['gzip', 'br']) {
            const { headers, statusCode } = await api.app.inject({
              url: file,
              headers: { 'accept-encoding': encoding },
            })
            t.same([statusCode, headers['content-encoding']], [200, encoding])
          }
          t.equal(
            (await api.get(file, { 'accept-encoding': 'br;q=0, gzip;q=0' })).headers['content-encoding'],
            undefined,
          )
          sum += gzipSync(plain.text, { level: 9 }).length
          t.notMatch(plain.text, /\beval\(|new Function\(/, 'nothing made from text')
        }
        t.ok(sum < 150_000, `${path}: ${sum} bytes gzipped before a wallet is chosen`)
        t.comment(`${path} and what it needs to be usable: ${sum} bytes gzipped`)
      }
      t.match(await api.get('/bridge/assets/main-OLD.js'), { status: 404, headers: { 'cache-control': 'no-store' } })
      for (const path of [
        '/bridge/assets/..%2fmain.ts',
        '/bridge/assets/%00',
        '/demo/wallet.js',
        '/demo/swap',
        '/demo/swap.js',
      ])
        t.equal((await api.get(path)).status, 404, path)
    },
  )

  t.test('WG-01 the script is small, runs in older browsers, and any page may load it', async (t) => {
    const { status, headers, text } = await api.get(SDK)
    t.equal(status, 200)
    t.match(headers['content-type'], /^text\/javascript/)
    t.match(headers, { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' })
    t.notOk(headers['content-security-policy'])
    const again = await api.get(SDK, { 'if-none-match': String(headers.etag) })
    t.same([again.status, again.text], [304, ''])
    const { length } = gzipSync(text, { level: 9 })
    t.ok(length < 6000, `${length} bytes gzipped`)
    t.comment(`script: ${length} bytes gzipped`)
    const [older, newer] = await Promise.all(['es2017', 'esnext'].map((target) => transform(text, { target })))
    t.equal(older?.code, newer?.code, 'nothing in it is younger than ES2017')
    const [lowered, kept] = await Promise.all(['es2017', 'esnext'].map((target) => transform('a?.b', { target })))
    t.not(lowered?.code, kept?.code, 'which would be seen')
    t.notMatch(text, /\b(import|export)\b[ ({]|\beval\(|new Function/)
    t.notMatch(text, /setAttribute\("style"|cssText|<style|innerHTML/, 'styles one by one')
  })

  t.test('WG-02 WG-06 WG-07 WG-08 WG-11 the script runs without a document, and makes addresses', async (t) => {
    const { text } = await api.get(SDK)
    const world: Record<string, unknown> = { URL, URLSearchParams }
    world.global = world
    runInNewContext(text, world)
    const bridge = world.SvcBridge as Record<string, (options: unknown) => string>
    t.same(Object.keys(bridge).toSorted(), ['mount', 'open', 'popup', 'url'])
    const origin = 'https://site.example/path'
    const at = (options: object) => bridge.url?.({ origin, ...options })
    t.equal(at({ to: 'wax' }), 'https://site.example/embed/bridge?to=wax')
    t.equal(
      at({ to: 'wax', recipient: 'bob', token: 'USDC', partner: 'a&b=c d', amount: 1.5, from: 'telos' }),
      'https://site.example/embed/bridge?to=wax&recipient=bob&token=USDC&partner=a%26b%3Dc+d&from=telos&amount=1.5',
    )
    for (const to of ['mainnet', 'ethereum', '1', 1])
      t.equal(at({ to }), 'https://site.example/embed/bridge?to=mainnet')
    const wrong: [object, RegExp][] = [
      [{}, /to is required/],
      [{ to: 'moon' }, /to must be one of wax/],
      [{ to: 7 }, /to must be/],
      [{ to: 'wax', from: 'wax' }, /from is the destination/],
      [{ to: 'wax', token: 'DOGE' }, /token must be one of USDC/],
      [{ to: 'wax', amount: '1e9' }, /amount must be/],
      [{ to: 'wax', recipient: 5 }, /recipient must be/],
      [{ to: 'wax', recipient: '' }, /recipient must be an account on wax/],
      [{ to: 'wax', recipient: 'Alice' }, /recipient must be an account on wax/],
      [{ to: 'wax', recipient: `0x${'1'.repeat(40)}` }, /recipient must be an account on wax/],
      [{ to: 'mainnet', recipient: 'alice' }, /recipient must be an address on mainnet/],
      [{ to: 'ethereum', recipient: '0x12' }, /recipient must be an address on mainnet/],
      [{ to: 'wax', recipent: 'alice' }, /recipent is no option; there are to, recipient/],
      [{ to: 'wax', token: '' }, /token must be/],
      [{ to: 'wax', amount: '' }, /amount must be/],
      [{ to: 'wax', amount: '10,000' }, /amount must be/],
      [{ to: 'wax', from: '' }, /from must be/],
      [{ to: 'wax', partner: '' }, /partner must be/],
      [{ to: 'wax', origin: 'javascript:alert(1)' }, /origin must be/],
      [{ to: 'wax', origin: 'nowhere' }, /origin must be/],
      [{ to: 'wax', onSent: 'x' }, /onSent must be a function/],
      [{ to: 'wax', theme: 'blue' }, /theme must be/],
    ]
    for (const [options, message] of wrong) t.throws(() => at(options), { name: 'TypeError', message })
    t.throws(() => bridge.url?.({ to: 'wax' }), { message: /origin is needed/ })
    t.throws(() => bridge.url?.(null), { message: /options must be an object/ })
  })
})
