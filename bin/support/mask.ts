// Removes secrets from a report that its reader sends to others. Stricter than the masking of the log: a maintainer
// needs neither logins nor the paths of endpoints, which often are keys.

import { hasKey } from '../../core/shown-path.ts'

const MASK = '***'
/** Shorter values are ordinary words. */
const MIN_SECRET = 4
/** Parameters of database addresses that are no secrets. */
const OPEN_PARAMETERS = /^(host|port|user|dbname|sslmode|target_session_attrs|application_name|pooler)$/
/** `name=value`, `name: value`, `"name": "value"`, `Authorization: Bearer value`. */
const NAMED_SECRET =
  /((?:password|passwd|passphrase|pwd|secret|token|api[_\s-]?key|access[_\s-]?key|private[_\s-]?key|authorization)["']?\s*[=:]\s*(?:bearer\s+|basic\s+)?)(?:(?:(["'])(?:(?!\2).)*\2)|(?!\*\*\*)[^\s"',}&]+)/gi
const SECRET_NAME = /password|passwd|passphrase|secret|api_?key|private_?key/i
const SECRET_VARIABLE = /(PASSWORD|PASSWD|SECRET|TOKEN|PRIVATE_KEY|API_?KEY)/i

/**
 * Values that must not appear in the report wherever they stand: of variables with a telling name, and the passwords in
 * URLs.
 *
 * @param env  of the process
 */
export function secretsOf(env: NodeJS.ProcessEnv): string[] {
  const found = Object.entries(env).flatMap(([name, value = '']) => [
    // A path to a secret is none, unless it is the secret by mistake.
    ...(SECRET_VARIABLE.test(name) && !name.endsWith('_FILE') ? [value] : []),
    ...(name.endsWith('_KEY_FILE') && hasKey(value) ? [value, value.replace(/^0x/, '')] : []),
    ...[...value.matchAll(/:\/\/[^\s,/@:]*:([^\s,]*)@/g)].map(([, password]) => password as string),
    ...[...value.matchAll(/[?&]password=([^&#\s,]*)/g)].map(([, password]) => password as string),
  ])
  const forms = found.flatMap((one) => [one, decoded(one)])
  return [...new Set(forms)].filter((one) => one.length >= MIN_SECRET).sort((a, b) => b.length - a.length)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @param secrets  of `secretsOf`, the longest first */
export function maskText(text: string, secrets: readonly string[]): string {
  let masked = text
  for (const secret of secrets) masked = masked.replaceAll(secret, MASK)
  return (
    maskUrls(masked)
      // A login in an address whose beginning is wrong.
      .replace(/[^\s"'/@=]+:(?!\/\/)[^\s"'@]+@(?=[\w.[-])/g, `${MASK}@`)
      // A quoted value ends at the same quote, another one at a space or a separator.
      .replace(NAMED_SECRET, (_, name, quote) => `${name}${quote ?? ''}${MASK}${quote ?? ''}`)
      // Private keys of Antelope, in both text forms.
      .replace(/\bPVT_(K1|R1|WA)_\w+|\b5[HJK][1-9A-HJ-NP-Za-km-z]{49}\b/g, MASK)
  )
}

/** Addresses in a text, without logins and without parts that may be keys. */
export function maskUrls(text: string): string {
  return text.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, maskUrl)
}

/** Keeps scheme, host, port, short parts of the path, and harmless parameters. */
function maskUrl(url: string): string {
  const [whole = '', ...parameters] = url.split(/[?&#]/)
  const at = whole.lastIndexOf('@')
  const begin = whole.indexOf('://') + 3
  const address = at < begin ? whole : `${whole.slice(0, begin)}${MASK}@${whole.slice(at + 1)}`
  const path = address.slice(0, begin) + address.slice(begin).replace(/(?<=\/)[^/]{20,}/g, MASK)
  const query = parameters.map((one) => {
    const [name = '', ...value] = one.split('=')
    if (value.length === 0) return MASK
    return OPEN_PARAMETERS.test(name) ? one : `${name}=${MASK}`
  })
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** Masks every text in a JSON value. */
export function maskValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return maskText(value, secrets)
  if (Array.isArray(value)) return value.map((one) => maskValue(one, secrets))
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        typeof one === 'string' && SECRET_NAME.test(name) && !/file$/i.test(name) ? MASK : maskValue(one, secrets),
      ]),
    )
  return value
}

/**
 * Comments, quoted names, and the forms of literals, from left to right: each may contain the quotes of the others. A
 * backslash is an escape only after E, as `standard_conforming_strings` has it. A statement may be cut off in each.
 */
const QUOTED =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*(?:"|$)|\b[eE]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)/g

/** A statement without comments and texts, with single spaces, at most 300 characters. Names and numbers stay. */
export function maskStatement(sql: string): string {
  const bare = sql
    .replace(QUOTED, (part) => (part.startsWith('"') ? part : /^(--|\/\*)/.test(part) ? ' ' : "'?'"))
    .replace(/\s+/g, ' ')
    .trim()
  return bare.length > 300 ? `${bare.slice(0, 300)}…` : bare
}
