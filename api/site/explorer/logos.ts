// Logos that this server has as files, for the explorer. Its pages load nothing from other sites, so logos that are only
// links to other sites are not shown there: a picture made from the token's name takes their place.
import { readdirSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { LOGO_PATH, type OwnLogos } from '../../../web/explorer/core/config.ts'
import type { ChainContext } from '../../chain-context.ts'
import { HttpError } from '../../http/failures.ts'
import { IMAGE_HEADERS, logoFolders, ownLogo } from '../../kit/own-logo.ts'

/** New files are found after this time, milliseconds. */
const FRESH_MS = 60_000
/** Limit of the tokens of a chain that are listed in a page. */
const MAX_LOGOS = 1000
const FILE = /^([a-z0-9]{1,12}-[a-z1-5.]{1,13})\.(svg|png|webp|jpg)$/

export class OwnLogoList {
  private readonly chains: readonly ChainContext[]
  private held: { at: number; logos: OwnLogos } | null = null

  constructor(chains: readonly ChainContext[]) {
    this.chains = chains
  }

  /** Ids of the tokens with a file, by chain. */
  list(now = Date.now()): OwnLogos {
    if (this.held === null || now - this.held.at > FRESH_MS) {
      const logos = Object.fromEntries(this.chains.map(({ chain, logoDir }) => [chain, tokensOf(logoDir, chain)]))
      this.held = { at: now, logos }
    }
    return this.held.logos
  }

  routes(app: FastifyInstance): void {
    const path = `${LOGO_PATH}:chain/:token`
    app.get<{ Params: { chain: string; token: string } }>(path, { schema: { hide: true } }, async (request, reply) => {
      const { chain, token } = request.params
      const context = this.chains.find((one) => one.chain === chain)
      const isListed = context !== undefined && this.list()[chain]?.includes(token)
      const logo = isListed ? await ownLogo(logoFolders(context.logoDir, chain), token) : null
      if (logo === null) throw new HttpError(404, 'there is no file with this logo')
      return reply
        .headers({ ...IMAGE_HEADERS, 'cross-origin-resource-policy': 'same-origin' })
        .type(logo.type)
        .send(logo.image)
    })
  }
}

function tokensOf(directory: string | undefined, chain: string): string[] {
  const found = logoFolders(directory, chain).flatMap((folder) =>
    filesOf(folder).map((name) => FILE.exec(name)?.[1] ?? ''),
  )
  return [...new Set(found)].filter((id) => id !== '').slice(0, MAX_LOGOS)
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
