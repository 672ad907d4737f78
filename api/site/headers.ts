// Headers of the bridge's pages. Only some paths may be framed; docs/bridge/widget.md has the table.
import type { BridgeConfig } from '../../web/bridge/core/types.ts'

export type Headers = Record<string, string>

/** Origins that wallets connect to from the page. */
const WALLET_ORIGINS = ['https://cb.anchor.link', 'wss://cb.anchor.link']
const WALLET_CONNECT = {
  connect: [
    'https://*.walletconnect.com',
    'wss://*.walletconnect.com',
    'https://*.walletconnect.org',
    'wss://*.walletconnect.org',
  ],
  frame: ['https://verify.walletconnect.com', 'https://verify.walletconnect.org'],
}

/** For the script that other sites include: any page may load it, with or without subresource integrity. */
export const SDK_HEADERS: Headers = {
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=600, stale-while-revalidate=86400',
}

/** For files whose names contain a hash of their content. */
export const ASSET_HEADERS: Headers = {
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'public, max-age=31536000, immutable',
}

/** For the standalone page. */
export function pageHeaders(config: BridgeConfig): Headers {
  return {
    'content-security-policy': policy(config, ["'none'"]),
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    // Wallet popups need access to their opener.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    ...COMMON,
  }
}

/** For the widget in a frame or a window of another site. */
export function embedHeaders(config: BridgeConfig, ancestors: readonly string[]): Headers {
  return {
    'content-security-policy': policy(config, ancestors),
    'cross-origin-resource-policy': 'cross-origin',
    // The widget posts messages to its opener.
    'cross-origin-opener-policy': 'unsafe-none',
    ...COMMON,
  }
}

const COMMON: Headers = { 'referrer-policy': 'no-referrer', 'cache-control': 'public, no-cache' }

function policy({ chains, walletConnect }: BridgeConfig, ancestors: readonly string[]): string {
  const nodes = chains.flatMap(({ node }) => (node === null ? [] : [new URL(node).origin]))
  const relays = walletConnect === null ? { connect: [], frame: [] } : WALLET_CONNECT
  const rules: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'"],
    'connect-src': ["'self'", ...new Set(nodes), ...WALLET_ORIGINS, ...relays.connect],
    'img-src': ["'self'", 'data:'],
    'frame-src': relays.frame.length === 0 ? ["'none'"] : relays.frame,
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ancestors,
  }
  return Object.entries(rules)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
}
