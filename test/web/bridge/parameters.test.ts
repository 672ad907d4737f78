// Parameters of the page's address, and the initial draft.
import t from 'tap'
import type { BridgeClient, Stage } from '../../../web/bridge/core/types.ts'
import { firstDraft } from '../../../web/bridge/page/first-draft.ts'
import { fixedProblem } from '../../../web/bridge/page/fixed.ts'
import { compare, grouped } from '../../../web/bridge/page/format.ts'
import { leavingText } from '../../../web/bridge/page/leaving-text.ts'
import { addressWith, readParameters } from '../../../web/bridge/page/parameters.ts'

const NOTHING = {
  ...{ from: null, to: null, recipient: null, token: null, amount: null },
  ...{ partner: null, returnUrl: null, transfer: null, theme: null, inline: false },
}
const query = (values: Record<string, string>) => `?${new URLSearchParams(values)}`

t.test('DL-02 every parameter is read', async (t) => {
  const values = { from: 'telos', to: 'wax', recipient: 'bob', token: 'usdc', amount: '1.5', partner: 'shop-1' }
  const more = { return_url: 'https://shop.example/done?a=1', key: 'd:1:42', theme: 'dark', mode: 'inline' }
  t.same(readParameters(query({ ...values, ...more })), {
    ...values,
    token: 'USDC',
    returnUrl: more.return_url,
    transfer: 'd:1:42',
    theme: 'dark',
    inline: true,
  })
  for (const name of ['mainnet', 'ethereum', '1'])
    t.match(readParameters(`?to=${name}&from=${name}`), { to: 'mainnet', from: 'mainnet' })
  t.equal(readParameters(`?recipient=0x${'aB'.repeat(20)}`).recipient, `0x${'aB'.repeat(20)}`)
  t.same(readParameters(''), NOTHING)
})

t.test('an address with a draft is read as that draft', async (t) => {
  const draft = { from: 'telos', to: 'wax', token: 'USDC', amount: '1.5', recipient: 'bob' }
  const address = addressWith('https://a.example/v/wax/bridge?partner=x&amount=7', draft)
  t.match(readParameters(new URL(address).search), { ...draft, partner: 'x' })
  const emptied = addressWith(address, { ...draft, amount: '', recipient: '' })
  t.equal(emptied, 'https://a.example/v/wax/bridge?partner=x&from=telos&to=wax&token=USDC')
})

t.test('DL-03 DL-06 DL-07 malformed values are ignored', async (t) => {
  const bad: [string, string[]][] = [
    ['from', ['', 'WAX', 'w ax', '<script>', '../etc', 'x'.repeat(40)]],
    [
      'recipient',
      [
        '',
        'Bob',
        'bob6',
        'bob ',
        '.bob',
        'a'.repeat(14),
        '0x12',
        `0x${'g'.repeat(40)}`,
        '"><img src=x>',
        'javascript:alert(1)',
      ],
    ],
    ['token', ['', 'US DC', 'TOOLONGNAME', '<b>', "'"]],
    ['amount', ['', '0', '0.0', '-1', '1e5', '1,5', '.5', '5.', 'Infinity', 'NaN', '0x10', `1.${'1'.repeat(19)}`, '١']],
    ['partner', ['', 'a b', '<i>', 'x'.repeat(65)]],
    ['key', ['d:1', 'w:', 'd:1:2:3', 'w:-1', `w:${'1'.repeat(21)}`, 'x:1']],
    ['theme', ['blue', 'Dark']],
    ['mode', ['INLINE', 'modal']],
  ]
  for (const [name, values] of bad)
    for (const value of values) t.same(readParameters(query({ [name]: value })), NOTHING, `${name}=${value}`)
  t.same(readParameters('?%E0%A4%A&=&to=%00&from=%ff'), NOTHING, 'broken escapes')
})

t.test('DL-04 DL-05 a return address must be https or loopback', async (t) => {
  const of = (url: string) => readParameters(query({ return_url: url })).returnUrl
  for (const fine of [
    'https://shop.example/',
    'https://shop.example:8443/a?b=c#d',
    'http://localhost/',
    'http://localhost:3000/x',
    'http://127.0.0.1:8080/',
    'http://[::1]:3000/',
    'http://shop.localhost/',
  ])
    t.equal(of(fine), fine)
  for (const bad of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https://',
    'http://shop.example/',
    'http://localhost.evil.example/',
    'http://localhost@evil.example/',
    'https://shop.example@evil.example/',
    'https://user:pass@shop.example/',
    'ftp://shop.example/',
    'ht\ntps://shop.example/',
    ' https://shop.example/',
    'https://shop.example/\u0000',
    'JAVASCRIPT://shop.example/%0aalert(1)',
    `https://shop.example/${'a'.repeat(2000)}`,
    'https:\\\\evil.example',
    'http://127.0.0.1.evil.example/',
  ])
    t.equal(of(bad), null, bad.slice(0, 60))
})

const CHAINS = { mainnet: 'evm', bsc: 'evm', telos: 'antelope', wax: 'antelope' } as const
const WAYS: Record<string, string[]> = {
  mainnet: ['telos', 'wax'],
  telos: ['mainnet', 'wax', 'bsc'],
  wax: ['telos', 'mainnet'],
  bsc: ['telos'],
}
const choices = (ids: readonly string[]) => ids.map((id) => ({ id, name: id, kind: CHAINS[id as keyof typeof CHAINS] }))
const bridge: Pick<BridgeClient, 'sources' | 'destinations' | 'tokens'> = {
  sources: () => choices(Object.keys(WAYS)),
  destinations: (from) => choices(WAYS[from] ?? []),
  tokens: (from) => [
    { symbol: 'ETH', precision: 8, open: false },
    { symbol: 'USDC', precision: 6, open: true },
    ...(from === 'wax' ? [{ symbol: 'WAX', precision: 8, open: true }] : []),
  ],
}
const draft = (search: string) => firstDraft(bridge, readParameters(search))

t.test('WG-09 the source follows from the destination', async (t) => {
  t.match(draft('?to=wax'), { from: 'mainnet', to: 'wax' })
  t.match(draft('?to=telos'), { from: 'mainnet', to: 'telos' })
  t.match(draft('?to=mainnet'), { from: 'telos', to: 'mainnet' })
  t.match(draft('?to=mainnet&from=wax'), { from: 'wax', to: 'mainnet' })
  t.match(draft('?to=bsc'), { from: 'telos', to: 'bsc' }, 'the one that leads there')
  t.match(draft('?from=bsc'), { from: 'bsc', to: 'telos' })
  t.match(draft(''), { from: 'mainnet', to: 'wax' })
  t.match(draft('?to=moon&from=sun'), { from: 'mainnet', to: 'wax' }, 'unknown chains')
})

t.test('the page begins with an open route, unless the address names both ends', async (t) => {
  const closed = (...ways: string[]) => ({
    ...bridge,
    tokens: (from: string, to: string) =>
      bridge.tokens(from, to).map((token) => ({ ...token, open: token.open && !ways.includes(`${from} ${to}`) })),
  })
  const of = (search: string, ...ways: string[]) => firstDraft(closed(...ways), readParameters(search))
  t.match(of('', 'mainnet wax'), { from: 'mainnet', to: 'telos' })
  t.match(of('', 'mainnet wax', 'mainnet telos'), { from: /^(?!mainnet)/ })
  t.match(of('?to=telos', 'mainnet telos'), { from: /^(?!mainnet)/, to: 'telos' })
  t.match(of('?from=mainnet', 'mainnet wax'), { from: 'mainnet', to: 'telos' })
  t.match(of('?from=mainnet&to=wax', 'mainnet wax'), { from: 'mainnet', to: 'wax' }, 'as asked')
  t.match(of('?to=bsc', 'telos bsc'), { from: 'telos', to: 'bsc' }, 'no other leads there')
})

t.test('DL-07 DL-08 token and amount must fit the route', async (t) => {
  t.match(draft('?to=wax&amount=1.123456'), { token: 'USDC', amount: '1.123456' }, 'the first open token')
  t.match(draft('?to=wax&amount=1.234'), { amount: '1.2340' }, 'in a form that has one reading')
  t.match(draft('?to=wax&amount=1.1234560'), { amount: '1.1234560' }, 'zeros at the end are no decimals')
  t.match(draft('?to=wax&amount=1.1234567'), { amount: '' }, 'more decimals than the route has')
  t.match(draft('?to=wax&token=ETH&amount=1.1234567'), { token: 'ETH', amount: '1.1234567' })
  t.match(draft('?to=wax&token=WAX'), { token: 'USDC' }, 'not on this route')
  t.match(draft('?to=wax&recipient=bob'), { recipient: 'bob' })
  t.match(draft(`?to=wax&recipient=0x${'1'.repeat(40)}`), { recipient: '' }, 'an address is no account')
  t.match(draft('?to=mainnet&recipient=bob'), { recipient: '' })
})

t.test('an impossible parameter of the host is refused', async (t) => {
  const of = (search: string) => {
    const parameters = readParameters(search)
    return fixedProblem(bridge, search, parameters, firstDraft(bridge, parameters))?.code ?? null
  }
  const address = `0x${'1'.repeat(40)}`
  for (const fine of ['', '?to=wax', '?to=wax&recipient=bob', '?recipient=bob', `?to=mainnet&recipient=${address}`])
    t.equal(of(fine), null, fine)
  for (const to of ['moon', '', 'WAX', '<b>', 'polygon']) t.equal(of(query({ to })), 'TO_UNKNOWN', to)
  for (const recipient of ['', 'Bob', 'bob6', 'a'.repeat(14), address, '"><img src=x>', '.'])
    t.equal(of(query({ to: 'wax', recipient })), 'RECIPIENT_MALFORMED', recipient)
  t.equal(of('?to=mainnet&recipient=bob'), 'RECIPIENT_MALFORMED')
  t.equal(of(`?to=mainnet&recipient=0x${'0'.repeat(40)}`), 'RECIPIENT_ZERO')
  t.equal(of('?to=mainnet&recipient=0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), 'RECIPIENT_CHECKSUM')
  t.equal(of('?recipient=0x12'), 'RECIPIENT_MALFORMED', 'also where no destination is named')
  for (const fine of ['from=mainnet', 'from=ethereum', 'from=telos', 'token=usdc', 'token=ETH', 'amount=1.123456'])
    t.equal(of(`?to=wax&${fine}`), null, fine)
  for (const from of ['bsc', 'wax', 'moon', '', '<b>']) t.equal(of(query({ to: 'wax', from })), 'FROM_UNKNOWN', from)
  for (const token of ['WAX', 'DOGE', '', '<b>']) t.equal(of(query({ to: 'wax', token })), 'TOKEN_UNKNOWN', token)
  t.equal(of('?to=mainnet&from=wax&token=WAX'), null, 'that route has it')
  for (const amount of ['', '0', '-1', '1,5', 'x'])
    t.equal(of(query({ to: 'wax', amount })), 'AMOUNT_MALFORMED', amount)
  t.equal(of('?to=wax&amount=1.1234567'), 'AMOUNT_TOO_PRECISE')
  t.equal(of('?to=wax&token=ETH&amount=1.1234567'), null)
})

t.test('a user who closes the page is warned of open steps', async (t) => {
  const step = (actor: Stage['actor'], state: Stage['state'], deadline: number | null = null): Stage => {
    const title = `${actor} ${state}`
    return { id: title, title, detail: '', state, actor, deadline, transactions: [] }
  }
  const text = (stages: Stage[], safeToLeave = true) => leavingText({ stages, safeToLeave })
  const signing = { ...step('you', 'active'), id: 'send' }
  const sent = step('you', 'done')
  t.match(text([sent, step('relayer', 'active')]), /^You may leave: the transfer continues/)
  t.match(text([sent, step('you', 'active', 1_800_000_000)]), /^The next step is yours: “you active” before .*2027/)
  t.match(text([sent, step('automatic', 'active'), step('you', 'waiting')]), /A step of yours is still to come/)
  t.notMatch(text([sent, step('you', 'active')]), /continues without this page|You may leave/)
  t.match(text([sent, step('you', 'skipped'), step('you', 'failed')]), /^You may leave: the transfer continues/)
  t.match(text([step('you', 'active')], false), /A wallet may still be asking/)
  t.match(text([]), /One of them may be yours/, 'before the first answer of the bridge')
  const open = [sent, step('you', 'failed'), step('anyone', 'active'), step('you', 'waiting')]
  t.match(text(open), /^Anyone may take the next step/, 'an expiry may wait for ever')
  t.match(text([sent, step('relayer', 'active'), step('anyone', 'waiting')]), /^You may leave: /)
  t.match(text([signing, step('automatic', 'waiting')]), /^You may leave: /, 'signed, in no block yet')
  t.match(text([signing, step('you', 'waiting')]), /^You may leave for now. .*“you waiting”/)
})

t.test('texts of amounts', async (t) => {
  t.same(['1', '1234567.5', '999', 'x'].map(grouped), ['1', '1,234,567.5', '999', 'x'])
  t.ok((compare('1.10', '1.1') ?? 1) === 0)
  t.ok((compare('2', '10') ?? 0) < 0)
  t.ok((compare('10.000000000000000001', '10') ?? 0) > 0)
  t.equal(compare('', '1'), null)
})
