// The bridge's pages: the page at `/v/wax/bridge`, the widget, and the script that embeds it on other sites. They cover all
// chains, so every host serves the same pages. The page for operators is one of the explorer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BridgeConfig } from '../../web/bridge/core/types.ts'
import type { ExplorerConfig } from '../../web/explorer/core/config.ts'
import { HttpError } from '../http/failures.ts'
import { type Asset, assetOf, sendAsset } from './asset.ts'
import { ASSETS_PATH, filled, type Site, scriptJson, site } from './bundle.ts'
import { demoPage, demoScript, demoWalletScript } from './demo.ts'
import { escaped } from './escaped.ts'
import { framePlaces } from './frame.ts'
import { ASSET_HEADERS, embedHeaders, type Headers, pageHeaders, SDK_HEADERS } from './headers.ts'
import { DEMO_WALLET_PATH, pageConfig, type SiteOptions, WALLET_CONNECT_PATH } from './page-config.ts'
import { walletConnectLibrary } from './wallet-connect.ts'

const PAGE_PATH = '/v/wax/bridge'
const EMBED_PATH = '/embed/bridge'
const SDK_PATH = '/sdk/bridge/v1.js'

const hidden = { schema: { hide: true } }

/** Configuration of the top bar and the footer, which name the chain of the host. */
type FrameConfig = (host: string | undefined) => ExplorerConfig

export function siteRoutes(app: FastifyInstance, options: SiteOptions, frameConfig: FrameConfig): void {
  const config = pageConfig(options)
  app.get(SDK_PATH, hidden, async (request, reply) => send(request, reply, (await site()).sdk, SDK_HEADERS))
  app.get<{ Params: { file: string } }>(`${ASSETS_PATH}:file`, hidden, async (request, reply) => {
    const asset = (await site()).assets.get(request.params.file)
    if (asset === undefined) throw new HttpError(404, 'this file of the page does not exist here: reload the page')
    return send(request, reply, asset, ASSET_HEADERS)
  })
  const pages = new Map<string, Asset>()
  /** Serves a page with top bar and footer. */
  const serveFramed = (path: string, make: (frame: ExplorerConfig) => Promise<Asset>) =>
    app.get(path, hidden, async (request, reply) => {
      const frame = frameConfig(request.headers.host)
      const key = `${path} ${frame.home ?? ''}`
      const page = pages.get(key) ?? (await make(frame))
      pages.set(key, page)
      return send(request, reply, page, pageHeaders(config))
    })
  serveFramed(PAGE_PATH, async (frame) => bridgePage(await site(), config, frame))
  // Addresses that people try. There is one page for all chains.
  app.get('/bridge', hidden, (_request, reply) => reply.redirect(PAGE_PATH))
  for (const id of new Set(config.chains.map((chain) => chain.id)))
    if (`/v/${id}/bridge` !== PAGE_PATH)
      app.get(`/v/${id}/bridge`, hidden, (_request, reply) => reply.redirect(`${PAGE_PATH}?to=${id}`))
  serveLazily(
    app,
    EMBED_PATH,
    async () => bridgePage(await site(), config, null),
    embedHeaders(config, options.frameAncestors),
  )
  const { demo, walletConnect } = options
  // Scripts outside of the page's bundle have no hash in their names.
  const unhashed = { ...ASSET_HEADERS, 'cache-control': 'public, no-cache' }
  if (walletConnect !== undefined)
    serveLazily(app, WALLET_CONNECT_PATH, walletConnectLibrary(options.walletConnectLibrary), unhashed)
  if (demo !== undefined) {
    const wallet = demoWalletScript(demo.script)
    serveLazily(app, DEMO_WALLET_PATH, () => wallet, unhashed)
    for (const name of ['swap', 'transaction'] as const) {
      serveFramed(`/demo/${name}`, (frame) => demoPage(name, config, frame))
      serveLazily(app, `/demo/${name}.js`, () => demoScript(name), unhashed)
    }
  }
}

/** Serves a file that is made at the first request and memoized. */
function serveLazily(app: FastifyInstance, path: string, make: () => Promise<Asset>, headers: Headers): void {
  let making: Promise<Asset> | null = null
  app.get(path, hidden, async (request, reply) => {
    making ??= make().catch((error) => {
      making = null
      throw error
    })
    return send(request, reply, await making, headers)
  })
}

/**
 * The page, or the widget. It does not depend on the query, which the browser reads.
 *
 * @param frame  of the page's top bar and footer; null for the widget, which has none
 */
function bridgePage(files: Site, config: BridgeConfig, frame: ExplorerConfig | null): Promise<Asset> {
  const { template, script, style } = files
  const preloads = new Set([...files.preloads, ...(frame === null ? [] : files.frame.preloads)])
  const places = {
    form: frame === null ? 'widget' : 'page',
    preview: frame === null ? '' : preview(config),
    config: scriptJson(config),
    script: `${ASSETS_PATH}${script}`,
    style: `${ASSETS_PATH}${style}`,
    preloads: [...preloads].map((name) => `<link rel="modulepreload" href="${ASSETS_PATH}${name}" />`).join(''),
    ...framePlaces(files, frame),
  }
  return assetOf('index.html', filled(template, places))
}

/** Tags for link previews and search engines. The same for every query, as the page. */
function preview({ chains }: BridgeConfig): string {
  const names = chains.map(({ name }) => name).join(', ')
  const description = `Moves tokens between ${names}: what arrives, what it costs, and where a transfer is.`
  const tag = (kind: 'name' | 'property', name: string, text: string) =>
    `<meta ${kind}="${name}" content="${escaped(text)}" />`
  return [
    tag('name', 'description', description),
    tag('property', 'og:site_name', 'Headwater'),
    tag('property', 'og:type', 'website'),
    tag('property', 'og:title', 'Bridge – Headwater'),
    tag('property', 'og:description', description),
    tag('name', 'twitter:card', 'summary'),
  ].join('')
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset, headers: Headers): FastifyReply {
  return sendAsset(request, reply.headers(headers), asset)
}
