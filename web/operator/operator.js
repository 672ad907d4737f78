// Updates the page from the bridge API. Builds it from text nodes: nothing is parsed as HTML.
import { renew, say } from '/web/shared/renew.js'
import { byState, decimal, OPEN, shortened, span, waiting } from './figures.js'

const API = '/api/bridge/v1'
/** Polling interval and request timeout, milliseconds. */
const INTERVAL_MS = 10_000
const TIMEOUT_MS = 15_000
/** Number of the newest legs that are counted. */
const MAX_LEGS = 500
/** Maximum rows of waiting items, oldest first. */
const MAX_WAITING = 50
/** Lag in seconds from which a chain is called late. */
const MAX_LAG_SECONDS = 120

const part = (id) => document.getElementById(id)

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(key, value)
  node.append(...children)
  return node
}

async function ask(path) {
  const answer = await fetch(`${API}/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  const body = await answer.json()
  if (!answer.ok) throw new Error(body.message ?? `${path} answered ${answer.status}`)
  return body
}

/** With explicit roles: on narrow screens rows are laid out as blocks, which browsers do not treat as a table. */
function table(node, heads, rows) {
  const named = (text) => element('th', { scope: 'col', role: 'columnheader' }, text)
  const cellOf = (cell, i) =>
    i === 0
      ? element('th', { scope: 'row', role: 'rowheader' }, cell)
      : element('td', { role: 'cell', 'data-head': heads[i] }, cell)
  const lines = rows.map(({ cells, ...more }) => element('tr', { role: 'row', ...more }, ...cells.map(cellOf)))
  node.setAttribute('role', 'table')
  renew(
    node,
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...heads.map(named))),
    element('tbody', { role: 'rowgroup' }, ...lines),
  )
}

function list(node, rows) {
  renew(node, ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]))
}

function showLedger({ ledger }, now) {
  const { name, indexed, proved } = ledger
  const unproved =
    proved === null
      ? 'finality is not followed'
      : `${proved.toLocaleString('en')}, ${indexed.final - proved} before the last final one`
  list(part('ledger'), [
    ['chain', name],
    ['last block', `${indexed.block.toLocaleString('en')}, ${span(now - indexed.time)} ago`],
    ['last final block', indexed.final.toLocaleString('en')],
    ['burns proved up to block', unproved],
  ])
}

function showLegs(open, newest, now) {
  const [now_, before] = [byState(open, now), byState(newest, now)]
  const rows = now_.map(({ direction, status, count, oldest }, i) => {
    const isOpen = OPEN.includes(status)
    const cells = [
      `${direction}: ${status}`,
      isOpen ? count.toLocaleString('en') : '–',
      isOpen && oldest !== null ? span(oldest) : '–',
      before[i].count.toLocaleString('en'),
    ]
    return { cells, 'data-leg': `${direction} ${status}`, class: isOpen ? 'open' : null }
  })
  table(part('legs'), ['state', 'under way', 'oldest since', `of the newest ${newest.length}`], rows)
  const isCut = open.length === MAX_LEGS
  say(part('legs-note'), isCut ? `More than ${MAX_LEGS} are under way: only the newest are counted.` : '')
}

function showWaiting(answer, { sources, ledger }, now) {
  const names = new Map([...sources, ledger].map(({ id, name }) => [id, name]))
  const all = waiting(answer, now)
  const rows = all.slice(0, MAX_WAITING).map(({ key, action, chain, what, until, remarks, since }) => {
    const link = element('a', { href: `/v/wax/bridge?key=${encodeURIComponent(key)}` }, key)
    const age = since === null ? '–' : span(now - since)
    return {
      cells: [link, action, names.get(chain) ?? chain, what, age, until, remarks.join(', ')],
      'data-pending': key,
    }
  })
  table(part('pending'), ['key', 'action', 'chain', 'what', 'waits', 'deadline', 'remarks'], rows)
  part('pending').hidden = rows.length === 0
  const isCut = Object.values(answer.next).some((cursor) => cursor !== null)
  const count = isCut ? `More than ${all.length} wait` : `${all.length} in all`
  const more = all.length > MAX_WAITING ? `, the first ${MAX_WAITING} are shown` : ''
  say(part('pending-note'), all.length === 0 ? 'Nothing waits.' : `${count}${more}.`)
}

function placeCard({ id, name, domain, indexed, vaults, roots, routes }, now) {
  const rows = [
    ['domain', domain],
    [
      'indexed',
      indexed === null
        ? 'not by this instance'
        : `block ${indexed.block.toLocaleString('en')}, ${span(now - indexed.time)} ago`,
    ],
    ...(indexed === null ? [] : [['final', `block ${indexed.final.toLocaleString('en')}`]]),
    ...vaults.map(({ vault, source, ageSeconds, stale, depositsPaused, withdrawalsPaused }) => {
      const paused = [depositsPaused && 'deposits paused', withdrawalsPaused && 'withdrawals paused'].filter(Boolean)
      const read = `read from ${source}${ageSeconds === null ? '' : ` ${span(ageSeconds)} ago`}${stale ? ', stale' : ''}`
      return [`vault ${shortened(vault)}`, [read, ...paused].join(', ')]
    }),
    ...routes.map(({ symbol, precision, withdrawableNow, backing }) => [
      symbol,
      `holds ${decimal(backing, precision)}, ${withdrawableNow === null ? 'allowance unknown' : `${decimal(withdrawableNow, precision)} may leave now`}`,
    ]),
  ]
  const isLate = indexed !== null && now - indexed.time > MAX_LAG_SECONDS
  const facts = element('dl')
  list(facts, rows)
  const rootRows = roots.map(({ root, lastBlock, time, generation }) => ({
    cells: [
      element('span', { title: root }, shortened(root)),
      lastBlock.toLocaleString('en'),
      `${span(now - time)} ago`,
      String(generation),
    ],
    'data-root': root,
  }))
  const stored = element('table', { 'aria-label': `Roots on ${name}` })
  table(stored, ['root', 'covers burns to block', 'stored', 'generation'], rootRows)
  const scroll = element(
    'div',
    { class: 'scroll', role: 'group', 'aria-label': `Roots on ${name}`, tabindex: '0', 'data-roots': id },
    stored,
  )
  const none = element('p', { class: 'quiet' }, 'No root is stored: withdrawals are proved the hard way.')
  const isContract = vaults.length > 0 || roots.length > 0
  return element(
    'article',
    { class: isLate ? 'panel late' : 'panel', 'data-chain': id },
    element('h3', {}, name),
    facts,
    ...(roots.length > 0 ? [scroll] : isContract ? [none] : []),
  )
}

function showTimes({ sources, ledger }) {
  const rows = sources.flatMap(({ id, name, timing }) =>
    [
      [`${name} to ${ledger.name}`, timing.deposit, 'deposit'],
      [`${ledger.name} to ${name}`, timing.withdrawal, 'withdrawal'],
    ].map(([way, { seconds, range, measured, samples }, direction]) => ({
      cells: [
        way,
        span(seconds),
        `${span(range[0])} to ${span(range[1])}`,
        measured ? `the last ${samples}` : 'not measured yet',
      ],
      'data-time': `${id} ${direction}`,
    })),
  )
  table(part('times'), ['way', 'typical', 'fastest to slowest', 'measured on'], rows)
}

async function look() {
  try {
    const [chains, pending, open, newest] = await Promise.all([
      ask('chains'),
      ask('pending'),
      ask(`transfers?status=${OPEN}&limit=${MAX_LEGS}`),
      ask(`transfers?limit=${MAX_LEGS}`),
    ])
    // Chain time: the newest time of all indexed blocks.
    const now = Math.max(chains.ledger.indexed.time, ...chains.sources.map(({ indexed }) => indexed?.time ?? 0))
    showLedger(chains, now)
    showLegs(open.transfers, newest.transfers, now)
    showWaiting(pending, chains, now)
    renew(part('places'), ...chains.sources.map((source) => placeCard(source, now)))
    showTimes(chains)
    part('state').dataset.state = 'ready'
    say(part('state'), 'live')
    say(part('as-of'), `as of ${new Date(now * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`)
  } catch (error) {
    part('state').dataset.state = 'lost'
    say(part('state'), `no answer: ${error.message}`)
  }
}

async function follow() {
  if (!document.hidden) await look()
  setTimeout(follow, INTERVAL_MS)
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void look()
})
void follow()
