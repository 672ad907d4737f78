// A wallet for the user who tries the devnet: it announces itself to its page (EIP-6963), asks before it signs, and
// lets the EVM node sign for one of its accounts. Only the demo serves it, no production page.
//   wallet.js?node=http://127.0.0.1:8545&address=0x…

const parameters = new URL(import.meta.url).searchParams
const node = parameters.get('node') ?? ''
const address = (parameters.get('address') ?? '').toLowerCase()

const REJECTED = { code: 4001, message: 'User rejected the request.' }
const listeners = new Map()
let nextId = 1

async function rpc(method, params = []) {
  const response = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params }),
  })
  const { result, error } = await response.json()
  if (error) throw Object.assign(new Error(error.message), error)
  return result
}

function element(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** @returns when the user agrees */
function ask(title, rows) {
  return new Promise((resolve, reject) => {
    const dialog = element('dialog')
    dialog.className = 'demo-wallet wallet-prompt'
    dialog.setAttribute('aria-label', title)
    const list = element('dl')
    for (const [name, value] of rows) {
      list.append(element('dt', name), element('dd', value))
    }
    const buttons = [
      ['Reject', false],
      ['Confirm', true],
    ].map(([label, agreed]) => {
      const button = element('button', label)
      button.type = 'button'
      button.className = agreed ? 'demo-confirm primary' : 'demo-reject'
      button.addEventListener('click', () => end(agreed))
      return button
    })
    const end = (agreed) => {
      dialog.close()
      dialog.remove()
      if (agreed) resolve()
      else reject(Object.assign(new Error(REJECTED.message), REJECTED))
    }
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      end(false)
    })
    list.className = 'summary wide'
    const line = element('div')
    line.className = 'buttons'
    line.append(...buttons)
    dialog.append(element('h2', title), list, line)
    document.body.append(dialog)
    dialog.showModal()
  })
}

const ether = (hex = '0x0') => `${Number(BigInt(hex)) / 1e18} ETH`

/** Words of a withdrawal's proof. */
const PAYOUT = { Withdrawal: [0, 'number'], Token: [2, 'address'], Units: [4, 'number'], 'Fee in units': [6, 'number'] }
/** Head word that points to the last argument, after the root: 13 words of finality and four pointers. */
const AFTER_ROOT = 17

/**
 * The bridge's calls by selector: what they do, and the words of their arguments to show. A third member is the head word
 * that points to the struct with these words.
 */
const CALLS = {
  '0x095ea7b3': ['Allow a contract to take tokens', { 'Who may take': [0, 'address'], Units: [1, 'number'] }],
  '0xaa6e4f0b': [
    'Deposit tokens into the bridge',
    {
      ...{ Token: [0, 'address'], Units: [1, 'number'], 'For account': [2, 'name'], 'Comes back to': [3, 'address'] },
      'With the note': [6, 'text'],
    },
  ],
  '0x4375375b': [
    'Deposit ether into the bridge',
    { 'For account': [0, 'name'], 'Comes back to': [1, 'address'], 'With the note': [4, 'text'] },
  ],
  '0x98e5d096': ['Prove a withdrawal and pay it out', { ...PAYOUT, 'Pays out to': [3, 'address'] }, 0],
  '0x3697c55a': ['Prove a withdrawal and pay it out', { ...PAYOUT, 'Pays out to': [3, 'address'] }, AFTER_ROOT],
  '0x83af15e2': [
    'End a withdrawal that was not paid out in time, so that it is refunded',
    { ...PAYOUT, 'Not paid out to': [3, 'address'] },
    0,
  ],
  '0x77edc24e': [
    'End a withdrawal that was not paid out in time, so that it is refunded',
    { ...PAYOUT, 'Not paid out to': [3, 'address'] },
    AFTER_ROOT,
  ],
  '0x6b5a5d96': [
    'Tell the bridge who signs the blocks of the other chain now. No tokens move',
    { 'As of block': [2, 'number'] },
    AFTER_ROOT,
  ],
}
const LETTERS = '.12345abcdefghijklmnopqrstuvwxyz'

/** Name of an Antelope account: twelve letters of five bits, from the top. */
function nameOf(value) {
  let name = ''
  for (let at = 59n; at >= 4n; at -= 5n) name += LETTERS[Number((value >> at) & 31n)]
  return name.replace(/\.+$/, '')
}

/** A text of bytes, which names the recipient on another chain. @param from  of its length in the call data */
function textAt(data, from) {
  const length = Number(BigInt(`0x${data.slice(from, from + 64)}`))
  const digits = data.slice(from + 64, from + 64 + length * 2).match(/../g) ?? []
  return new TextDecoder().decode(Uint8Array.from(digits, (two) => Number.parseInt(two, 16)))
}

/** @param start  word at which the arguments begin */
function wordOf(data, start, index, form) {
  const from = 10 + (start + index) * 64
  const word = data.slice(from, from + 64)
  if (form === 'address') return `0x${word.slice(24)}`
  const value = BigInt(`0x${word}`)
  if (form === 'text') return textAt(data, from - index * 64 + Number(value) * 2)
  return form === 'name' ? nameOf(value) : value.toLocaleString('en')
}

/** What a call does, in words; its selector and size follow, as for an unknown call. */
function wordsOf(data) {
  const [does, words = {}, head] = CALLS[data.slice(0, 10)] ?? []
  const start = head === undefined ? 0 : Number(BigInt(`0x${data.slice(10 + head * 64, 74 + head * 64)}`)) / 32
  return [
    ...(does === undefined ? [] : [['What it does', does]]),
    ...Object.entries(words)
      .map(([label, [index, form]]) => [label, wordOf(data, start, index, form)])
      .filter(([, text]) => text !== ''),
    ['Call', `${data.slice(0, 10)}, ${(data.length - 2) / 2} bytes`],
  ]
}

const methods = {
  eth_requestAccounts: async () => {
    await ask('Demo wallet: connect?', [['Account', address]])
    return [address]
  },
  eth_accounts: async () => [address],
  eth_sendTransaction: async ([transaction]) => {
    await ask('Demo wallet: sign and send?', [
      ['From', address],
      ['To', transaction.to],
      ['Value', ether(transaction.value)],
      ...wordsOf(transaction.data),
    ])
    const { chainId: _, ...rest } = transaction
    // The estimate plus a quarter: the state may change until the transaction's block.
    const gas = BigInt(await rpc('eth_estimateGas', [rest]))
    return rpc('eth_sendTransaction', [{ ...rest, gas: `0x${((gas * 5n) / 4n).toString(16)}` }])
  },
  wallet_switchEthereumChain: async ([{ chainId }]) => {
    if (Number(chainId) === Number(await rpc('eth_chainId'))) return null
    throw Object.assign(new Error('This wallet is for the demo’s chain alone.'), { code: 4902 })
  },
}
const READS = [
  'eth_chainId',
  'eth_call',
  'eth_getBalance',
  'eth_blockNumber',
  'eth_estimateGas',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
]

const provider = {
  async request({ method, params = [] }) {
    if (methods[method]) return methods[method](params)
    if (READS.includes(method)) return rpc(method, params)
    throw Object.assign(new Error(`${method} is not known here.`), { code: 4200 })
  },
  on(event, listener) {
    listeners.set(listener, event)
  },
  removeListener(_event, listener) {
    listeners.delete(listener)
  },
}

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#06c" d="M0 2h8v5H0z"/></svg>'
const info = {
  uuid: '6d0f7a0e-6d1f-4a8e-9d5b-0a5a8f1d7c11',
  name: 'Demo wallet',
  icon: `data:image/svg+xml,${encodeURIComponent(picture)}`,
  rdns: 'localhost.demo',
}
const announce = () =>
  window.dispatchEvent(
    new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: Object.freeze(info), provider }) }),
  )
window.addEventListener('eip6963:requestProvider', announce)
announce()
