// The bridge's pages: the one at `/v/wax/bridge`, the widget, the script that shows it on other sites, and the page for
// operators. They are of all chains together: every host answers them alike.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../http/failures.ts'
import { servePage } from '../http/pages.ts'
import { type Asset, assetOf, sendAsset } from './asset.ts'
import { ASSETS_PATH, filled, type Site, site } from './bundle.ts'
import { DEMO_SWAP_PATH, DEMO_SWAP_SCRIPT_PATH, demoWalletScript, swapPage, swapScript } from './demo.ts'
import { ASSET_HEADERS, embedHeaders, type Headers, pageHeaders, SDK_HEADERS } from './headers.ts'
import { DEMO_WALLET_PATH, pageConfig, type SiteOptions, WALLET_CONNECT_PATH } from './page-config.ts'
import { walletConnectLibrary } from './wallet-connect.ts'

export const PAGE_PATH = '/v/wax/bridge'
export const EMBED_PATH = '/embed/bridge'
export const SDK_PATH = '/sdk/bridge/v1.js'
export const OPERATOR_PATH = '/bridge/operator'

const hidden = { schema: { hide: true } }

export function siteRoutes(app: FastifyInstance, options: SiteOptions): void {
  const config = pageConfig(options)
  app.get(SDK_PATH, hidden, async (request, reply) => send(request, reply, (await site()).sdk, SDK_HEADERS))
  app.get<{ Params: { file: string } }>(`${ASSETS_PATH}:file`, hidden, async (request, reply) => {
    const asset = (await site()).assets.get(request.params.file)
    if (asset === undefined) throw new HttpError(404, 'this file of the page is not here: load the page anew')
    return send(request, reply, asset, ASSET_HEADERS)
  })
  const bridge = (form: string) => async () => bridgePage(await site(), form, config)
  made(app, PAGE_PATH, bridge('page'), pageHeaders(config))
  // Addresses that people try: the page is one for all chains.
  app.get('/bridge', hidden, (_request, reply) => reply.redirect(PAGE_PATH))
  for (const id of new Set(config.chains.map((chain) => chain.id)))
    if (`/v/${id}/bridge` !== PAGE_PATH)
      app.get(`/v/${id}/bridge`, hidden, (_request, reply) => reply.redirect(`${PAGE_PATH}?to=${id}`))
  made(app, EMBED_PATH, bridge('widget'), embedHeaders(config, options.frameAncestors))
  servePage(app, {
    page: OPERATOR_PATH,
    assets: '/web/operator/',
    folder: new URL('../../web/operator/', import.meta.url),
    files: ['index.html', 'operator.js', 'figures.js', 'operator.css'],
  })
  const { demo, walletConnect } = options
  // Scripts that are not of the page's own bundle.
  const apart = { ...ASSET_HEADERS, 'cache-control': 'public, no-cache' }
  if (walletConnect !== undefined)
    made(app, WALLET_CONNECT_PATH, walletConnectLibrary(options.walletConnectLibrary), apart)
  if (demo !== undefined) {
    const wallet = demoWalletScript(demo.script)
    made(app, DEMO_WALLET_PATH, () => wallet, apart)
    made(app, DEMO_SWAP_PATH, () => swapPage(config), pageHeaders(config))
    made(app, DEMO_SWAP_SCRIPT_PATH, swapScript, apart)
  }
}

/** A file that is made when it is first asked for, and kept. */
function made(app: FastifyInstance, path: string, make: () => Promise<Asset>, headers: Headers): void {
  let making: Promise<Asset> | null = null
  app.get(path, hidden, async (request, reply) => {
    making ??= make().catch((error) => {
      making = null
      throw error
    })
    return send(request, reply, await making, headers)
  })
}

/** The same page in two forms. It is the same for everybody: what the query says is read in the browser. */
function bridgePage({ template, script, style, preloads }: Site, form: string, config: object): Promise<Asset> {
  const places = {
    form,
    script: `${ASSETS_PATH}${script}`,
    style: `${ASSETS_PATH}${style}`,
    preloads: preloads.map((name) => `<link rel="modulepreload" href="${ASSETS_PATH}${name}" />`).join(''),
  }
  return assetOf('index.html', filled(template, places, config))
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset, headers: Headers): FastifyReply {
  return sendAsset(request, reply.headers(headers), asset)
}
