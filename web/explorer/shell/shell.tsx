// The frame of all pages: top bar, state of the connection, footer.
import type { ComponentChildren } from 'preact'
import { local } from '../../shared/times.ts'
import { BRIDGE_PATH, type Kind } from '../core/addresses.ts'
import { count } from '../core/numbers.ts'
import { lostSince } from '../data/answers.ts'
import { heads } from '../data/heads.ts'
import { address, chain, config, navigate, prefixOf, to } from '../data/place.ts'
import { switchTheme, theme } from '../data/theme.ts'
import { Search } from './search.tsx'

export function Shell({ children }: { children: ComponentChildren }) {
  return (
    <>
      <Skip />
      <TopBar />
      <Lost />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </>
  )
}

/** By script: a change of the address would be a step of the browser's history. */
export function Skip() {
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.getElementById('main')?.focus()
  }
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page.
    <a class="skip" href="#main" onClick={skip}>
      Skip to content
    </a>
  )
}

export function TopBar() {
  const kind = address.value?.kind
  const isBridge = location.pathname === BRIDGE_PATH
  const entry = (href: string, label: string, isHere: boolean) => (
    <a href={href} aria-current={isHere ? 'page' : undefined}>
      {label}
    </a>
  )
  return (
    <header class="top">
      <a class="brand" href={to('markets')}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M2 15c3.3 0 3.3-3 6.7-3s3.3 3 6.6 3 3.4-3 6.7-3M2 20c3.3 0 3.3-3 6.7-3s3.3 3 6.6 3 3.4-3 6.7-3M12 2l4 6H8z" />
        </svg>
        <span>Headwater</span>
      </a>
      <nav aria-label="Pages">
        {entry(to('markets'), 'Markets', kind === 'markets' || kind === 'pool' || kind === 'market')}
        {entry(to('tokens'), 'Tokens', kind === 'tokens' || kind === 'token')}
        {entry(to('trades'), 'Trades', kind === 'trades')}
        {config.hasBridge ? entry(BRIDGE_PATH, 'Bridge', isBridge || kind === 'operator' || kind === 'transfer') : null}
        {entry(to('chains'), 'Status', kind === 'chains')}
      </nav>
      <Search />
      <div class="tools">
        <ChainSwitch />
        <button
          type="button"
          class="icon"
          onClick={switchTheme}
          aria-label={theme() === 'dark' ? 'Light colours' : 'Dark colours'}
          title={theme() === 'dark' ? 'Light colours' : 'Dark colours'}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            {theme() === 'dark' ? (
              <path d="M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1" />
            ) : (
              <path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z" />
            )}
          </svg>
        </button>
      </div>
    </header>
  )
}

/** Pages that are the same on another chain, or mean the same there. */
const ON_ALL_CHAINS: readonly Kind[] = ['tokens', 'trades', 'chains', 'search', 'operator', 'account', 'transfer']

/** Path of the same page on another chain; ids differ between chains, so other pages lead to the markets. */
function onChain(of: string): string {
  const { kind = 'markets', id = '' } = address.value ?? {}
  if (!ON_ALL_CHAINS.includes(kind)) return to('markets', '', of)
  return `${to(kind, id, of)}${kind === 'search' ? location.search : ''}`
}

function ChainSwitch() {
  if (config.chains.length < 2) return null
  return (
    <label class="chain">
      <span class="unseen">Chain</span>
      <select value={chain.value ?? ''} onChange={({ currentTarget }) => navigate(onChain(currentTarget.value))}>
        {chain.value === null ? <option value="">chain</option> : null}
        {config.chains.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Says from when the figures are while requests fail. */
function Lost() {
  const since = lostSince.value
  return (
    <p class="lost" role="status" hidden={since === null}>
      {since === null ? '' : `No connection to the server. The figures are those of ${local(since, Date.now())}.`}
    </p>
  )
}

export function Footer() {
  const head = heads.value[chain.value ?? '']
  return (
    <footer class="bottom">
      <p>
        {head === undefined ? null : (
          <a class="live" href={to('block', head.block)}>
            <span class="dot" aria-hidden="true" /> {chain.value} block {count(head.block)}
          </a>
        )}
      </p>
      <nav aria-label="More">
        <a href="/docs">API</a>
        <a href={`${prefixOf(chain.value)}/api/v3/meta`}>Limits</a>
        <a href="/openapi.json">openapi.json</a>
        {config.hasBridge ? <a href={to('operator')}>Bridge operators</a> : null}
        <span class="quiet">Headwater {config.version}</span>
      </nav>
    </footer>
  )
}
