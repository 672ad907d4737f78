// WalletConnect with a stub of the library: installed in a folder as an operator installs it, bundled and served by the
// site, shown under the page's policy. The real library's relay is an external service.
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { walletConnectLibrary } from '../../../api/site/wallet-connect.ts'
import { WALLET_METHODS } from '../../../web/bridge/frame/protocol.ts'
import { type Client, SessionProvider } from '../../../web/bridge/wallets/session-provider.ts'
import { walletConnectChoice } from '../../../web/bridge/wallets/wallet-connect.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { CONFIG } from '../journeys/scene.ts'
import { browserFor, PHONE } from './browser.ts'
import { BUYER, openStage } from './stage.ts'

const PROJECT = '0123456789abcdef0123456789abcdef'
const ADDRESS = BUYER.toLowerCase()

/** `window.scan()` makes it answer like a wallet that has scanned the code. */
const LIBRARY = `
export class SignClient {
  static async init(options) {
    window.options = options
    return new SignClient()
  }
  async connect(wanted) {
    window.wanted = wanted
    const approval = () => new Promise((resolve, reject) => {
      window.scan = () => resolve({ topic: 't', namespaces: { eip155: { accounts: ['eip155:1:${ADDRESS}'] } } })
      window.expire = () => reject(new Error('Proposal expired'))
    })
    return { uri: 'wc:7f6e@2?relay-protocol=irn&symKey=587d', approval }
  }
  on() {}
  async disconnect() {}
}`

function installed(): string {
  const folder = temporaryFolder(t)
  const place = join(folder, 'node_modules/@walletconnect/sign-client')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{"name":"@walletconnect/sign-client","main":"index.js","type":"module"}')
  writeFileSync(join(place, 'index.js'), LIBRARY)
  return folder
}

t.test('a project id without the library is a configuration error', async (t) => {
  t.throws(() => walletConnectLibrary(tmpdir()), { code: 'SITE_WALLET_CONNECT' })
  const missing = () => Promise.reject(new Error('404'))
  t.equal(walletConnectChoice(CONFIG, missing), null, 'not offered without a project id')
  const configured = { ...CONFIG, walletConnect: PROJECT }
  const lost = walletConnectChoice(configured, missing)!
  t.match(lost, { name: 'WalletConnect', kind: 'evm' })
  await t.rejects(lost.connect('mainnet'), { code: 'WALLET_NOT_LOADED' })
  const chains = CONFIG.chains.map((chain) => ({ ...chain, node: null }))
  t.equal(walletConnectChoice({ ...configured, chains }, missing), null, 'nor without a node that it could read from')
})

t.test('a session sends signing requests to the wallet and all others to the site’s nodes', async (t) => {
  const heard = new Map<string, (event: { topic: string; params?: unknown }) => void>()
  const asked: object[] = []
  const client: Client = {
    connect: () => Promise.reject(new Error('not here')),
    async request(call) {
      asked.push(call)
      return '0xhash'
    },
    async disconnect(call) {
      asked.push(call)
    },
    on: (event, listener) => void heard.set(event, listener),
  }
  const accounts = [`eip155:1:${ADDRESS}`, `eip155:56:${ADDRESS}`]
  const places = [56, 1].map((chainId) => ({ chainId, node: `http://node-${chainId}.test` }))
  const session = new SessionProvider(
    client,
    { topic: 't', namespaces: { eip155: { accounts } } },
    places,
    WALLET_METHODS,
  )
  const { fetch } = globalThis
  t.teardown(() => Object.assign(globalThis, { fetch }))
  const read: unknown[] = []
  globalThis.fetch = async (url, init) => {
    const { method, params } = JSON.parse(String(init?.body))
    read.push([url, method, params])
    const error = { code: 3, message: 'execution reverted', data: '0x1234' }
    return new Response(JSON.stringify(method === 'eth_call' ? { error } : { result: '0x5' }))
  }
  const told: unknown[] = []
  const listener = (value: unknown) => void told.push(value)
  for (const event of ['accountsChanged', 'chainChanged', 'disconnect']) session.on(event, listener)
  t.equal(await session.request({ method: 'eth_chainId' }), '0x38', 'the first place that it has agreed to')
  await session.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] })
  t.equal(await session.request({ method: 'eth_chainId' }), '0x1')
  t.same(await session.request({ method: 'eth_requestAccounts' }), [ADDRESS])
  t.equal(await session.request({ method: 'eth_sendTransaction', params: [{ to: ADDRESS }] }), '0xhash')
  const request = { method: 'eth_sendTransaction', params: [{ to: ADDRESS }] }
  t.same(asked, [{ topic: 't', chainId: 'eip155:1', request }])
  t.equal(await session.request({ method: 'eth_blockNumber' }), '0x5')
  await t.rejects(session.request({ method: 'eth_call', params: [1] }), { code: 3, data: '0x1234' })
  t.same(read, [
    ['http://node-1.test', 'eth_blockNumber', []],
    ['http://node-1.test', 'eth_call', [1]],
  ])
  for (const method of ['personal_sign', 'eth_sign', 'eth_signTypedData_v4', 'eth_sendRawTransaction'])
    await t.rejects(session.request({ method }), { code: 4200 }, method)
  await t.rejects(session.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x89' }] }), {
    code: 4902,
  })
  heard.get('session_update')!({ topic: 'other', params: {} })
  heard.get('session_update')!({ topic: 't', params: { namespaces: { eip155: { accounts: [accounts[1]] } } } })
  heard.get('session_delete')!({ topic: 't' })
  t.same(told, ['0x1', [], { code: 4900 }])
  session.removeListener('disconnect', listener)
  heard.get('session_expire')!({ topic: 't' })
  t.equal(told.length, 3)
  await session.end()
  t.match(asked.at(-1), { topic: 't', reason: { code: 6000 } })
})

t.test('the code is shown under the page’s own policy, and a wallet that scans it is connected', async (t) => {
  const folder = installed()
  const evm = [{ chain: 'mainnet', name: 'Ethereum', chainId: 1, public: { node: 'http://127.0.0.1:9' } }]
  const { api, site } = await openStage(t, { walletConnect: PROJECT, walletConnectLibrary: folder, evm })
  const { headers } = await api.get('/embed/bridge')
  t.match(headers['content-security-policy'], 'wss://*.walletconnect.com')
  t.match(await api.get('/bridge/wallet-connect.js'), { headers: { 'content-type': /^text\/javascript/ } })
  const browser = await browserFor(t)
  if (browser === null) return
  const page = await browser.open(`${site}/v/wax/bridge?to=wax&recipient=bob&amount=5`, PHONE)
  const choose = async () => {
    await page.activate('[data-wallet="evm:walletconnect"]')
    await page.until(`document.querySelector('dialog.wallet-prompt svg')`)
  }
  await page.activate('form.card [type=submit]')
  t.notOk(
    page.addresses.some((one) => one.includes('wallet-connect')),
    'not loaded before it is chosen',
  )
  await choose()
  t.match(await page.evaluate('window.options'), { projectId: PROJECT, telemetryEnabled: false })
  t.match(await page.evaluate('window.wanted'), { optionalNamespaces: { eip155: { chains: ['eip155:1'] } } })
  t.match(await page.evaluate(`document.querySelector('dialog a').href`), /^wc:7f6e@2/)
  await page.picture('bridge-wallet-connect-phone-dark')
  await page.evaluate(`[...document.querySelectorAll('dialog button')].at(-1).click()`)
  await page.until(`document.querySelector('[role=alert]').innerText.includes('You have closed')`)
  await choose()
  await page.evaluate('window.expire()')
  await page.until(`document.querySelector('[role=alert]').innerText.includes('Nobody has scanned')`)
  await choose()
  await page.evaluate('window.scan()')
  await page.until(`document.querySelector('#review-title')`)
  t.equal(await page.evaluate(`document.querySelector('[data-is=From]').textContent`), BUYER)
  t.same(page.complaints, [])
})
