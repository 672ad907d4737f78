// Serves the explorer: one HTML shell for all its pages, with the title of the page and status 404 where nothing is.
// The script in it reads the API. A page is served at `/pool/0` for the chain of the host, and at `/telos/pool/0`.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OPERATOR_PATH, type PageAddress, parsePath } from '../../../web/explorer/core/addresses.ts'
import type { BridgePlace, ExplorerConfig } from '../../../web/explorer/core/config.ts'
import type { ChainContext } from '../../chain-context.ts'
import { HttpError } from '../../http/failures.ts'
import { hostTable } from '../../http/hosts.ts'
import { PAGE_HEADERS } from '../../http/pages.ts'
import { sendAsset } from '../asset.ts'
import { filled } from '../bundle.ts'
import { escaped } from '../escaped.ts'
import { ASSET_HEADERS } from '../headers.ts'
import { EXPLORER_ASSETS, type ExplorerFiles, explorerFiles } from './bundle.ts'
import { OwnLogoList } from './logos.ts'
import { type Preview, previewOf } from './previews.ts'
import { tradePage } from './trade-links.ts'

export interface ExplorerOptions {
  chains: readonly ChainContext[]
  /** Whether a host belongs to something other than a chain. */
  isTaken(host: string | undefined): boolean
  /** Whether the bridge's pages are served. */
  hasBridge: boolean
  /** Chains of the bridge. */
  places: readonly BridgePlace[]
  version: string
}

export interface Explorer {
  routes(app: FastifyInstance): void
  /** For the top bar and the footer of a page that is not the explorer's. @param host  of the request */
  frameConfig(host: string | undefined): ExplorerConfig
  /** Answers a browser with the page for an address that does not exist. */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

const NOT_FOUND: Preview = {
  title: 'Not found',
  description: 'There is no page at this address.',
  exists: false,
}
const PATHS = [
  '/',
  '/tokens',
  '/trades',
  '/chains',
  '/search',
  '/pool/:id',
  '/market/:id',
  '/token/:id',
  '/account/:id',
  '/tx/:id',
  '/block/:id',
  '/transfer/:id',
]

export function explorer(options: ExplorerOptions): Explorer {
  const { chains, hasBridge, places, version } = options
  const logos = new OwnLogoList(chains)
  const names = chains.map(({ chain }) => chain)
  const table = hostTable(
    chains.map((context) => ({ chain: context.chain, hosts: context.config.hosts, context })),
    options.isTaken,
  )
  const homeOf = (host: string | undefined) => table.chainOf(host)?.chain ?? null
  const send = async (request: FastifyRequest, reply: FastifyReply, address: PageAddress | null) => {
    const home = homeOf(request.headers.host)
    const chain = address?.chain ?? home
    const state = chains.find((one) => one.chain === chain)?.market.state ?? null
    const preview = address === null ? NOT_FOUND : previewOf(address, chain, state)
    const config: ExplorerConfig = { chains: names, home, hasBridge, places, logos: logos.list(), version }
    const html = shell(await explorerFiles(), preview, `${request.protocol}://${request.host}${request.url}`, config)
    const tag = createHash('sha256').update(html).digest('base64url').slice(0, 22)
    return reply
      .code(preview.exists ? 200 : 404)
      .headers({ ...PAGE_HEADERS, 'cache-control': 'public, no-cache', etag: `W/"${tag}"` })
      .type('text/html; charset=utf-8')
      .send(html)
  }
  return {
    routes(app) {
      for (const path of hasBridge ? [...PATHS, OPERATOR_PATH] : PATHS)
        for (const prefix of ['', ...names.map((name) => `/${name}`)]) {
          if (path === '/' && prefix !== '') app.get(prefix, hidden, (request, reply) => page(request, reply))
          else app.get(`${prefix}${path}`, hidden, (request, reply) => page(request, reply))
        }
      for (const kind of ['spot', 'swap'] as const)
        for (const named of [null, ...chains]) {
          const prefix = named === null ? '' : `/${named.chain}`
          app.get<{ Params: { ticker: string } }>(`${prefix}/${kind}/:ticker`, hidden, (request, reply) => {
            const { market } = named ?? table.chainOf(request.headers.host)?.context ?? {}
            const path = market?.state ? tradePage(kind, request.params.ticker, market.state) : null
            return path === null ? send(request, reply, null) : reply.redirect(`${prefix}${path}`)
          })
        }
      logos.routes(app)
      app.get<{ Params: { file: string } }>(`${EXPLORER_ASSETS}:file`, hidden, async (request, reply) => {
        const asset = (await explorerFiles()).assets.get(request.params.file)
        if (asset === undefined) throw new HttpError(404, 'this file of the page does not exist here: reload the page')
        return sendAsset(request, reply.headers(ASSET_HEADERS), asset)
      })
    },
    frameConfig: (host) => ({ chains: names, home: homeOf(host), hasBridge, places: [], logos: {}, version }),
    sendNotFound: (request, reply) => send(request, reply, null),
  }

  function page(request: FastifyRequest, reply: FastifyReply) {
    return send(request, reply, parsePath(request.url.split('?')[0] as string, names))
  }
}

const hidden = { schema: { hide: true } }

function shell(files: ExplorerFiles, { title, description }: Preview, url: string, config: ExplorerConfig): string {
  const { template, script, style, preloads } = files
  const places = {
    title: escaped(`${title} – Headwater`),
    description: escaped(description),
    url: escaped(url),
    config: escaped(JSON.stringify(config)),
    script: `${EXPLORER_ASSETS}${script}`,
    style: `${EXPLORER_ASSETS}${style}`,
    preloads: preloads.map((name) => `<link rel="modulepreload" href="${EXPLORER_ASSETS}${name}" />`).join(''),
  }
  return filled(template, places)
}
