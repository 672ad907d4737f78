// The bridge's pages: the one at `/v/wax/bridge`, the widget, the script that shows it on other sites, and the page for
// operators. They are of all chains together: every host answers them alike.
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UserError } from '../../core/errors.ts'
import { HttpError } from '../http/failures.ts'
import { servePage } from '../http/pages.ts'
import { type Asset, assetOf, sendAsset } from './asset.ts'
import { ASSETS_PATH, type Site, site } from './bundle.ts'
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
  page(app, PAGE_PATH, 'page', config, pageHeaders(config))
  page(app, EMBED_PATH, 'widget', config, embedHeaders(config, options.frameAncestors))
  servePage(app, {
    page: OPERATOR_PATH,
    assets: '/web/operator/',
    folder: new URL('../../web/operator/', import.meta.url),
    files: ['index.html', 'operator.js', 'figures.js', 'operator.css'],
  })
  const { demo, walletConnect } = options
  if (walletConnect !== undefined) script(app, WALLET_CONNECT_PATH, walletConnectLibrary(options.walletConnectLibrary))
  if (demo !== undefined) {
    const asset = assetOf('script.js', read(demo.script))
    script(app, DEMO_WALLET_PATH, () => asset)
  }
}

/** A script that is not of the page's own bundle. */
function script(app: FastifyInstance, path: string, asset: () => Promise<Asset>): void {
  const headers = { ...ASSET_HEADERS, 'cache-control': 'public, no-cache' }
  app.get(path, hidden, async (request, reply) => send(request, reply, await asset(), headers))
}

/** @throws UserError SITE_FILE */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UserError('SITE_FILE', `${file} cannot be read: ${(cause as Error).message}`, {
      hint: 'name a file that the program may read',
      cause,
    })
  }
}

/** The same page in two forms. It is the same for everybody: what the query says is read in the browser. */
function page(
  app: FastifyInstance,
  path: string,
  form: 'page' | 'widget',
  config: ReturnType<typeof pageConfig>,
  headers: Headers,
): void {
  let made: Promise<Asset> | null = null
  app.get(path, hidden, async (request, reply) => {
    const files = await site()
    made ??= assetOf('index.html', filled(files, form, config))
    return send(request, reply, await made, headers)
  })
}

function filled({ template, script, style, preloads }: Site, form: string, config: object): string {
  const values: Record<string, string> = {
    form,
    script: `${ASSETS_PATH}${script}`,
    style: `${ASSETS_PATH}${style}`,
    preloads: preloads.map((name) => `<link rel="modulepreload" href="${ASSETS_PATH}${name}" />`).join(''),
    // Inside a script element nothing but its end means anything.
    config: JSON.stringify(config).replaceAll('<', '\\u003c'),
  }
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset, headers: Headers): FastifyReply {
  return sendAsset(request, reply.headers(headers), asset)
}
