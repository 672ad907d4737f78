// Serves pages for people: static files that send requests to this server only.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyOf, sendBody } from './body-cache.ts'

/** Content security policy: a page loads and requests only this origin and cannot be framed. */
const policy = (styles: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
const POLICY = policy("'self'")
/** For a page whose script adds style elements. The other rules still restrict what styles can load. */
const POLICY_WITH_STYLES = policy("'self' 'unsafe-inline'")

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Headers of every page and its files. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'referrer-policy': 'no-referrer',
}

/** Files of a page. The address of a file is `assets` plus its name; `index.html` is the page itself. */
export interface PageFiles {
  /** Path of the page: `/docs`. */
  page: string
  /** Path of its other files: `/docs/`. */
  assets: string
  folder: URL
  files: readonly string[]
  /** Whether its scripts add style elements. */
  makesStyles?: boolean
}

/** Whether the request is from a browser for a page, as opposed to a program for data. */
export function wantsPage({ method, headers, url }: Pick<FastifyRequest, 'method' | 'headers' | 'url'>): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')
}

/** Serves the files of a page. They are read once; browsers cache and revalidate them. */
export function servePage(app: FastifyInstance, { page, assets, folder, files, makesStyles }: PageFiles): void {
  serveFiles(app, assets, folder, files, page, makesStyles)
}

/** The same for files that several pages share. */
function serveFiles(
  app: FastifyInstance,
  assets: string,
  folder: URL,
  files: readonly string[],
  page = '',
  makesStyles = false,
): void {
  for (const file of files) {
    const body = readFileSync(new URL(file, folder), 'utf8')
    const headers = {
      'content-type': TYPES[file.slice(file.lastIndexOf('.') + 1)] as string,
      ...PAGE_HEADERS,
      ...(makesStyles ? { 'content-security-policy': POLICY_WITH_STYLES } : {}),
      'cache-control': 'public, no-cache',
      etag: tagOf(body),
    }
    const path = file === 'index.html' ? page : `${assets}${file}`
    app.get(path, { schema: { hide: true } }, (_request, reply) => reply.headers(headers).send(body))
  }
}

/** Serves a large script of a package, compressed once. */
export function serveScript(app: FastifyInstance, path: string, file: string): void {
  const body = readFileSync(file)
  const cached = bodyOf(file, [body])
  const headers = { ...PAGE_HEADERS, 'cache-control': 'public, no-cache', etag: tagOf(body), vary: 'accept-encoding' }
  app.get(path, { schema: { hide: true } }, (request, reply) => {
    reply.headers(headers)
    return sendBody(request, reply, cached, TYPES.js)
  })
}

/** Weak, because a file may have several encodings. */
function tagOf(body: string | Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}
