import { BRIDGE_PATH } from '../core/addresses.ts'
import { config, to } from '../data/place.ts'
import { Search } from '../shell/search.tsx'

export function NotFoundPage() {
  return (
    <div class="middle">
      <p class="huge" aria-hidden="true">
        404
      </p>
      <h1 tabIndex={-1}>There is no page at this address</h1>
      <p class="quiet">Search for a market, a token, an account, a transaction or a block.</p>
      <Search isLarge />
      <p class="links">
        <a href={to('markets')}>Markets</a>
        <a href={to('tokens')}>Tokens</a>
        {config.hasBridge ? <a href={BRIDGE_PATH}>Bridge</a> : null}
        <a href={to('chains')}>Status</a>
        <a href="/docs">API</a>
      </p>
    </div>
  )
}

/** The host names no chain: links to those that the server has. */
export function NoChainPage() {
  return (
    <div class="middle">
      <h1 tabIndex={-1}>Choose a chain</h1>
      <p class="quiet">This address names none.</p>
      <p class="links">
        {config.chains.map((name) => (
          <a key={name} href={to('markets', '', name)}>
            {name}
          </a>
        ))}
      </p>
    </div>
  )
}
