// Wallets that announce themselves in a page, and the code that phones scan.
import jsqr from 'jsqr'
import t from 'tap'
import type { Eip1193Provider } from '../../../web/bridge/core/types.ts'
import { EvmWallets, type WalletWindow } from '../../../web/bridge/wallets/evm.ts'
import { qrCode } from '../../../web/bridge/wallets/qr-code.ts'
import { refusal } from './fakes.ts'
import { OWNER } from './scene.ts'

// A CommonJS package: its types name the default export, Node gives the module.
const readCode = (jsqr as unknown as { default: typeof jsqr.default }).default

type Answer = (method: string) => unknown
const provider = (answer: Answer): Eip1193Provider => ({ request: async ({ method }) => answer(method) })
const granting = provider(() => [OWNER.toLowerCase()])

function announced(info: object, one: unknown = granting): Event {
  return Object.assign(new Event('eip6963:announceProvider'), { detail: { info, provider: one } })
}
const icon = 'data:image/png;base64,AAAA'
const named = (uuid: string, rdns: string, name = uuid) => ({ uuid, name, icon, rdns })

const open = () => {
  const window = new EventTarget() as EventTarget & WalletWindow
  return { window, wallets: new EvmWallets(window) }
}

t.test('wallets are listed as they announce themselves, each once', async (t) => {
  const window = new EventTarget() as EventTarget & WalletWindow
  let requests = 0
  window.addEventListener('eip6963:requestProvider', () => {
    requests++
    window.dispatchEvent(announced(named('a', 'com.a', 'Wallet A')))
  })
  const wallets = new EvmWallets(window)
  t.equal(requests, 1, 'they are asked for')
  let changes = 0
  const stop = wallets.subscribe(() => changes++)
  window.dispatchEvent(announced(named('a', 'com.a', 'Another name')))
  window.dispatchEvent(announced(named('a2', 'com.a')))
  window.dispatchEvent(announced(named('b', 'com.b')))
  window.dispatchEvent(announced(named('host:c', 'com.b')))
  t.same(
    wallets.list().map(({ name, kind }) => [name, kind]),
    [
      ['Wallet A', 'evm'],
      ['b', 'evm'],
    ],
  )
  t.equal(changes, 1)
  t.equal(wallets.list()[0], wallets.list()[0], 'the same object each time')
  stop()
  wallets.close()
  window.dispatchEvent(announced(named('d', 'com.d')))
  t.equal(wallets.list().length, 2)
})

t.test('a wallet of the frame takes precedence over the same wallet of the page around it', async (t) => {
  const { window, wallets } = open()
  window.dispatchEvent(announced(named('host:1', 'com.a', 'around')))
  window.dispatchEvent(announced(named('2', 'com.a', 'within')))
  t.same(
    wallets.list().map(({ name }) => name),
    ['within'],
  )
})

t.test('malformed announcements of wallets are ignored', async (t) => {
  const { window, wallets } = open()
  const bad: [unknown, unknown?][] = [
    [null],
    [{}],
    [{ uuid: 7, name: 'x', rdns: 'x' }],
    [{ uuid: '', name: 'x', rdns: 'x' }],
    [{ uuid: 'x'.repeat(101) }],
    [named('x', 'x'), {}],
    [named('x', 'x'), null],
  ]
  for (const [info, one] of bad) window.dispatchEvent(announced(info as object, one === undefined ? granting : one))
  window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail: 'text' }))
  t.same(wallets.list(), [])
  window.dispatchEvent(announced({ ...named('1', ''), name: '<b>'.repeat(40), icon: 'https://evil.example/x.png' }))
  window.dispatchEvent(announced({ ...named('2', ''), name: '  ', icon: 'data:text/html,x' }))
  t.match(wallets.list(), [{ icon: null }, { icon: null, name: 'Wallet' }])
  t.equal(wallets.list()[0]!.name.length, 40)
  for (let i = 0; i < 100; i++) window.dispatchEvent(announced(named(`n${i}`, `com.n${i}`)))
  t.equal(wallets.list().length, 30, 'no more than a list can show')
})

t.test('a wallet in window.ethereum is used if none announces itself', async (t) => {
  const { window, wallets } = open()
  t.same(wallets.list(), [])
  window.ethereum = granting
  t.match(wallets.list(), [{ name: 'Browser wallet' }])
  window.dispatchEvent(announced(named('a', 'com.a')))
  t.match(wallets.list(), [{ name: 'a' }])
})

t.test('connecting gives a checksummed address, or a reason', async (t) => {
  const { window, wallets } = open()
  const connect = (uuid: string, answer: Answer) => {
    window.dispatchEvent(announced(named(uuid, ''), provider(answer)))
    return wallets.list().at(-1)!.connect('mainnet')
  }
  t.match(await connect('1', () => [OWNER.toLowerCase()]), { kind: 'evm', address: OWNER })
  await t.rejects(
    connect('2', () => []),
    { code: 'WALLET_EMPTY' },
  )
  await t.rejects(
    connect('3', () => 'text'),
    { code: 'WALLET_EMPTY' },
  )
  const declined = connect('4', () => {
    throw refusal(4001)
  })
  await t.rejects(declined, { code: 'WALLET_REJECTED' })
  const listeners = new Map<string, (values: unknown) => void>()
  const changing: Eip1193Provider = {
    ...granting,
    on: (event, listener) => listeners.set(event, listener as never),
    removeListener: (event) => listeners.delete(event),
  }
  window.dispatchEvent(announced(named('5', ''), changing))
  const wallet = await wallets.list().at(-1)!.connect('mainnet')
  const heard: (string | null)[] = []
  const stop = wallet.kind === 'evm' ? wallet.onChange((address) => heard.push(address)) : () => {}
  listeners.get('accountsChanged')!([`0x${'ab'.repeat(20)}`])
  listeners.get('disconnect')!(undefined)
  stop()
  t.match(heard, [/^0x[a-fA-F0-9]{40}$/, null])
  t.equal(listeners.size, 0)
})

/** A code as text: `#` for dark modules. */
const drawn = (text: string) => qrCode(text)!.map((row) => row.map((dark) => (dark ? '#' : '.')).join(''))

t.test('QR codes have the size of their version', async (t) => {
  for (const [length, version] of [
    [1, 1],
    [17, 1],
    [18, 2],
    [230, 9],
    [231, 10],
    [2953, 40],
  ] as const) {
    const rows = drawn('x'.repeat(length))
    const size = version * 4 + 17
    t.equal(rows.length, size, `${length} bytes`)
    t.ok(rows.every((row) => row.length === size))
    for (const corner of [rows.map((row) => row.slice(0, 7)), rows.map((row) => row.slice(-7))])
      t.same(corner.slice(0, 7), FINDER)
    t.same(
      rows.slice(-7).map((row) => row.slice(0, 7)),
      FINDER,
    )
    t.match(rows[6]!.slice(7, -7), /^\.(#\.)+$/)
    t.equal(rows[size - 8]![8], '#', 'the module that is always dark')
  }
  t.equal(qrCode('x'.repeat(2954)), null)
})

t.test('QR codes are decoded to the encoded text', async (t) => {
  for (const text of ['a', `esr:${'aB3_-x9'.repeat(40)}`, `esr:${'aB3_-x9'.repeat(200)}`, 'Grüße €'])
    t.equal(read(qrCode(text)!), text)
})

/** Text that another library reads from a picture with four pixels per module and a quiet zone. */
function read(rows: boolean[][]): string | undefined {
  const [zone, scale] = [4, 4]
  const size = (rows.length + zone * 2) * scale
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (const [y, row] of rows.entries())
    for (const [x, dark] of row.entries())
      if (dark)
        for (let line = 0; line < scale; line++) {
          const start = ((y + zone) * scale + line) * size + (x + zone) * scale
          for (let at = start; at < start + scale; at++) pixels.fill(0, at * 4, at * 4 + 3)
        }
  return readCode(pixels, size, size)?.data
}

const FINDER = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']
