// The bridge's site on one host, and host pages on another, under a policy that allows only the site's script and
// frame.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SiteOptions } from '../../../api/site/page-config.ts'
import { allowance, assets, balanceOf } from '../../../web/bridge/core/evm/calls.ts'
import { ADDRESS, evmChain, openScene, type Scene } from '../../api/bridge/scene.ts'
import { type TestApi, testApi, testChain } from '../../support/api.ts'

interface Test {
  teardown(work: () => Promise<void>): void
}

export interface Stage {
  scene: Scene
  api: TestApi
  /** Origin of the bridge's pages. */
  site: string
  /** Origin of the host page. */
  shop: string
  /** Origin of a third site. */
  stranger: string
}

const WAX_ID = '1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aec5a4'
const TELOS_ID = '4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11'
/** Accounts that exist on both chains. */
const ACCOUNTS = ['bob', 'alice']

/** A chain API that knows accounts, for browsers of any origin. @returns its URL */
async function accountNode(t: Test): Promise<string> {
  const server = createServer(async (request, response) => {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'content-type': 'application/json',
    }
    if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end()
    let body = ''
    for await (const part of request) body += part
    const { account_name } = JSON.parse(body || '{}') as { account_name?: string }
    if (request.url === '/v1/chain/get_account' && account_name && ACCOUNTS.includes(account_name))
      return void response.writeHead(200, headers).end(JSON.stringify({ account_name }))
    const error = {
      code: 0,
      name: 'exception',
      what: 'unspecified',
      details: [{ message: `unknown key (boost::tuples::tuple): ${account_name}` }],
    }
    response.writeHead(500, headers).end(JSON.stringify({ code: 500, message: 'Internal Service Error', error }))
  })
  return listening(t, server)
}

async function listening(t: Test, server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function openStage(t: Test, more: Partial<SiteOptions> = {}): Promise<Stage> {
  const scene = await openScene(t)
  const node = await accountNode(t)
  const open = { public: { node, transactionPage: 'https://explorer.example/tx/{tx}' } }
  const site: SiteOptions = {
    frameAncestors: ['*'],
    pollSeconds: 1,
    chains: [
      { chain: 'telos', chainId: TELOS_ID, ...open },
      { chain: 'wax', chainId: WAX_ID, ...open },
    ],
    evm: [{ chain: 'mainnet', name: 'Ethereum', chainId: 1, public: {} }],
    ...more,
  }
  const chains = ['telos', 'wax'].map((chain) => testChain(chain))
  const api = await testApi(t, scene.database, { chains, evm: [evmChain()], site })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const own = `http://localhost:${(api.app.server.address() as AddressInfo).port}`
  return { scene, api, site: own, shop: await host(t, own), stranger: await host(t, own) }
}

/**
 * Host pages under a policy that allows only the site's script and frame: `/` with the script, `/async` with the script
 * loaded late, `/twice`, `/bare` without it, `/names` with elements whose names collide.
 */
export async function host(t: Test, site: string): Promise<string> {
  const script = (attributes = '') => `<script ${attributes} src="${site}/sdk/bridge/v1.js"></script>`
  const pages: Record<string, string> = {
    '/': script(),
    '/async': script('async'),
    '/twice': script() + script(),
    '/bare': '',
    // Elements that can be accessed by names of the browser's globals and of ours.
    '/names': `<img name="currentScript" src="data:,"><img name="baseURI"><a id="SvcBridge"></a>${script()}`,
  }
  const server = createServer(({ url = '/' }, response) => {
    const [path = '/'] = url.split('?')
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; img-src data:; script-src ${site}; frame-src ${site}`,
      'cross-origin-opener-policy': 'unsafe-none',
    }
    if (pages[path] === undefined) return void response.writeHead(404).end()
    const body = `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">${pages[path]}</head><body><h1>Shop</h1><button id="go">Deposit</button><div id="a"></div><div id="b"></div></body></html>`
    response.writeHead(200, headers).end(body)
  })
  return listening(t, server)
}

const selectorOf = ({ data }: { data: string }): string => data.slice(0, 10)

export const BUYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const DEPOSITED = `0x${'ab'.repeat(32)}`

/**
 * A wallet that announces itself as in EIP-6963, answers from tables and records requests in `window.asked`. It refuses
 * to send while `window.refuses` is set; `window.goOver` switches it to another account.
 */
export const WALLET = `(() => {
  if (window !== top) return
  window.asked = []
  const heard = []
  let account = '${BUYER}'
  window.goOver = (address) => {
    account = address
    for (const [event, listener] of heard) if (event === 'accountsChanged') listener([address])
  }
  const word = (value) => '0x' + BigInt(value).toString(16).padStart(64, '0')
  const answers = {
    eth_requestAccounts: () => [account],
    eth_accounts: () => [account],
    eth_chainId: () => '0x1',
    eth_blockNumber: () => '0x10',
    eth_getBalance: () => '0x56bc75e2d63100000',
    eth_estimateGas: () => '0x30000',
    wallet_switchEthereumChain: () => null,
    eth_call: ([{ data }]) => {
      const selector = data.slice(0, 10)
      if (selector === '${selectorOf(assets(ADDRESS, ADDRESS))}') return word(1) + word(1).slice(2) + word(1).slice(2) + word(10n ** 15n).slice(2)
      if (selector === '${selectorOf(balanceOf(ADDRESS, ADDRESS))}') return word(2500n * 10n ** 6n)
      return selector === '${selectorOf(allowance(ADDRESS, ADDRESS, ADDRESS))}' ? word(10n ** 15n) : '0x'
    },
    eth_sendTransaction: () => {
      if (window.refuses) throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      return '${DEPOSITED}'
    },
    eth_getTransactionByHash: ([hash]) => ({ hash, blockNumber: '0xf' }),
    eth_getTransactionReceipt: ([hash]) => ({ transactionHash: hash, status: '0x1', blockNumber: '0xf', logs: [] }),
  }
  const provider = {
    async request({ method, params }) {
      window.asked.push([method, params])
      if (!answers[method]) throw Object.assign(new Error(method), { code: 4200 })
      return answers[method](params)
    },
    on: (...all) => void heard.push(all),
    removeListener() {},
  }
  const icon = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" rx="2" fill="#e2761b"/></svg>')
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon, rdns: 'org.example.wallet' }
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
})()`

/** Adds a block to each chain, so that cached answers are computed again. */
export async function nextBlock({ scene, api }: Stage): Promise<void> {
  await scene.run(`update meta.position set block_num = block_num + 1, head_num = head_num + 1, lib_num = lib_num + 1`)
  await api.catchUp()
}

/** The next block number on every chain, for facts that are added now. */
export async function upcoming({ scene }: Stage): Promise<number> {
  const [row] = await scene.run('select max(block_num)::int + 1 as block from meta.position')
  return row?.block as number
}
