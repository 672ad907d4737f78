// Parameters in the page's address. A malformed one is ignored. Pure.

import type { Draft } from '../core/types.ts'

export interface Parameters {
  from: string | null
  to: string | null
  recipient: string | null
  token: string | null
  /** Token units. */
  amount: string | null
  partner: string | null
  returnUrl: string | null
  /** Key or transaction of a transfer to show. */
  transfer: string | null
  theme: 'light' | 'dark' | null
  /** Inside an element of the host page, which needs no close button. */
  inline: boolean
}

const CHAIN = /^(1|[a-z][a-z0-9-]{0,23})$/
const TOKEN = /^[a-z]{1,7}$/i
const AMOUNT = /^(?=.*[1-9])\d{1,30}(\.\d{1,18})?$/
const PARTNER = /^[\w.-]{1,64}$/
const KEY = /^(d:\d{1,20}:\d{1,20}|w:\d{1,20})$/
const TRANSACTION = /^(0x)?[0-9a-f]{64}$/i
const ACCOUNT = /^(?=.{1,13}$)[a-z1-5]([a-z1-5.]{0,10}[a-z1-5])?[a-j1-5]?$/
const ADDRESS = /^0x[0-9a-f]{40}$/i
/** With an explicit host: `https:host` and `//host` do not match. */
const ABSOLUTE = /^(https?):\/\/[^/\\\s?#]/i
const LOCAL = /^(localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])$/
const MAX_URL = 2000

/** @param search  query of the address, with or without its question mark. Of a repeated parameter the first counts. */
export function readParameters(search: string): Parameters {
  const query = new URLSearchParams(search)
  const take = (name: string, form: RegExp): string | null => {
    const value = query.get(name)
    return value !== null && form.test(value) ? value : null
  }
  const theme = query.get('theme')
  return {
    from: chainOf(take('from', CHAIN)),
    to: chainOf(take('to', CHAIN)),
    recipient: take('recipient', ACCOUNT) ?? take('recipient', ADDRESS),
    token: take('token', TOKEN)?.toUpperCase() ?? null,
    amount: take('amount', AMOUNT),
    partner: take('partner', PARTNER),
    returnUrl: returnUrl(query.get('return_url')),
    transfer: take('key', KEY) ?? take('tx', TRANSACTION),
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    inline: query.get('mode') === 'inline',
  }
}

/** The address with a draft in its query, so that a reload and a shared link have it. Empty members are left out. */
export function addressWith(address: string, draft: Draft): string {
  const url = new URL(address)
  for (const name of ['from', 'to', 'token', 'amount', 'recipient'] as const)
    if (draft[name] === '') url.searchParams.delete(name)
    else url.searchParams.set(name, draft[name])
  return url.href
}

/** Whether a text is a well-formed recipient on a chain of that kind. */
export function isRecipient(text: string, kind: 'evm' | 'antelope'): boolean {
  return (kind === 'evm' ? ADDRESS : ACCOUNT).test(text)
}

/** Hosts may call the main EVM chain by its name or its number. */
function chainOf(id: string | null): string | null {
  return id === 'ethereum' || id === '1' ? 'mainnet' : id
}

/** https for any host; http only for the local machine. Null for all others, and for a URL with user or password. */
function returnUrl(text: string | null): string | null {
  if (text === null || text.length > MAX_URL || hasControl(text) || !ABSOLUTE.test(text)) return null
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  if (url.username !== '' || url.password !== '') return null
  if (url.protocol === 'https:') return url.href
  return url.protocol === 'http:' && LOCAL.test(url.hostname) ? url.href : null
}

/** Spaces and control characters, which URL parsers drop. */
function hasControl(text: string): boolean {
  return [...text].some((letter) => letter <= ' ' || letter === '\u007f')
}
