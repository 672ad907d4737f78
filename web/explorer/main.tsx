// The explorer: renders the page of the current address inside the shell.
import { effect } from '@preact/signals'
import { render } from 'preact'
import { address, chain, config, followLinks } from './data/place.ts'
import { applyTheme } from './data/theme.ts'
import { AccountPage } from './pages/account.tsx'
import { BlockPage } from './pages/block.tsx'
import { BookPage } from './pages/book.tsx'
import { ChainsPage } from './pages/chains.tsx'
import { MarketsPage } from './pages/markets.tsx'
import { NoChainPage, NotFoundPage } from './pages/not-found.tsx'
import { OperatorPage } from './pages/operator.tsx'
import { PoolPage } from './pages/pool.tsx'
import { SearchPage } from './pages/search.tsx'
import { TokenPage } from './pages/token.tsx'
import { TokensPage } from './pages/tokens.tsx'
import { TradesPage } from './pages/trades.tsx'
import { TransactionPage } from './pages/transaction.tsx'
import { TransferPage } from './pages/transfer.tsx'
import { Shell } from './shell/shell.tsx'

/** Path of the title: the server has set the first one, and pages set it again when they know more. */
let titled = location.pathname

function Page() {
  const page = address.value
  if (page === null) return <NotFoundPage />
  if (page.kind === 'chains') return <ChainsPage />
  // The bridge covers all chains.
  if (page.kind === 'operator') return config.hasBridge ? <OperatorPage /> : <NotFoundPage />
  if (page.kind === 'transfer') return <TransferPage key={page.id} id={page.id} />
  if (chain.value === null) return <NoChainPage />
  // The key discards all state of the previous page when the chain or the id changes.
  const key = `${chain.value} ${page.kind} ${page.id}`
  switch (page.kind) {
    case 'pool':
      return <PoolPage key={key} id={Number(page.id)} />
    case 'market':
      return <BookPage key={key} id={Number(page.id)} />
    case 'token':
      return <TokenPage key={key} id={page.id.toLowerCase()} />
    case 'account':
      return <AccountPage key={key} name={page.id} />
    case 'tx':
      return <TransactionPage key={key} id={page.id.toLowerCase()} />
    case 'block':
      return <BlockPage key={key} id={page.id.toLowerCase()} />
    case 'search':
      return <SearchPage key={key} />
    case 'trades':
      return <TradesPage key={key} />
    case 'tokens':
      return <TokensPage key={key} />
    default:
      return <MarketsPage key={key} />
  }
}

function App() {
  return (
    <Shell>
      <Page />
    </Shell>
  )
}

// Before the page of the new address is rendered, which may set a better title.
effect(() => {
  const page = address.value
  if (location.pathname === titled) return
  titled = location.pathname
  const name = page === null ? 'Not found' : page.id === '' ? page.kind : `${page.kind} ${page.id}`
  document.title = `${name.charAt(0).toUpperCase()}${name.slice(1)}${chain.value ? ` on ${chain.value}` : ''} – Headwater`
})
applyTheme()
followLinks()
const root = document.getElementById('app')
if (root !== null && config.chains.length > 0) render(<App />, root)
