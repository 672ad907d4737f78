// The bridge as its operators watch it: legs by state, what waits and for whom, destinations, measured times.

import type { ComponentChildren } from 'preact'
import { BRIDGE_PATH } from '../core/addresses.ts'
import {
  type BridgeChains,
  type BridgeLeg,
  byStatus,
  OPEN,
  type Pending,
  span,
  waiting,
} from '../core/bridge-figures.ts'
import { count } from '../core/numbers.ts'
import { amountText } from '../core/transfer.ts'
import { type Answer, useAnswer } from '../data/answers.ts'
import { chain, to } from '../data/place.ts'
import { Badge, Facts, Panel, Scroll, When } from '../parts/basics.tsx'
import { Shown } from '../parts/states.tsx'

const BRIDGE = '/api/bridge/v1'
const REFRESH_MS = 5000
/** Number of the newest legs that are counted. */
const MAX_LEGS = 500
/** Maximum rows of waiting items, oldest first. */
const MAX_WAITING = 50
/** Lag from which a chain is called late, seconds. */
const MAX_LAG_SECONDS = 120

type Legs = { transfers: readonly BridgeLeg[] }
type Source = BridgeChains['sources'][number]

export function OperatorPage() {
  const of = chain.value
  const chains = useAnswer<BridgeChains>(of, `${BRIDGE}/chains`, REFRESH_MS)
  const pending = useAnswer<Pending>(of, `${BRIDGE}/pending`, REFRESH_MS)
  const open = useAnswer<Legs>(of, `${BRIDGE}/transfers?status=${OPEN}&limit=${MAX_LEGS}`, REFRESH_MS)
  const newest = useAnswer<Legs>(of, `${BRIDGE}/transfers?limit=${MAX_LEGS}`, REFRESH_MS)
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>Bridge: live state</h1>
        {chains.value === null ? null : <State chains={chains} />}
        <nav class="steps" aria-label="Elsewhere">
          <a href={BRIDGE_PATH}>Bridge</a>
          <a href="/metrics">Metrics</a>
        </nav>
      </div>
      <Shown answer={chains} what="the bridge" lines={12}>
        {(value) => {
          const now = timeOf(value)
          return (
            <>
              <div class="two-columns">
                <Ledger chains={value} now={now} />
                <Times chains={value} />
              </div>
              <Panel title="Waiting for action" id="pending-title">
                <Shown answer={pending} what="the open work" lines={3}>
                  {(all) => <WaitingTable answer={all} chains={value} now={now} />}
                </Shown>
              </Panel>
              <Panel title="Legs by state" id="legs-title">
                <Shown answer={open} what="the legs under way" lines={11}>
                  {(under) => <LegTable open={under.transfers} newest={newest.value?.transfers ?? null} now={now} />}
                </Shown>
              </Panel>
              <h2>Destinations</h2>
              <div class="cards">
                {value.sources.map((source) => (
                  <Destination key={source.id} source={source} now={now} />
                ))}
              </div>
            </>
          )
        }}
      </Shown>
    </>
  )
}

/** Chain time: the newest time of all indexed blocks, Unix seconds. */
function timeOf({ ledger, sources }: BridgeChains): number {
  return Math.max(ledger.indexed.time, ...sources.map(({ indexed }) => indexed?.time ?? 0))
}

function State({ chains: { state, value } }: { chains: Answer<BridgeChains> }) {
  return (
    <>
      <span id="state" role="status" class={state === 'ready' ? 'up' : 'warn'} data-state={state}>
        {state === 'ready' ? 'live' : 'no answer'}
      </span>
      <span class="quiet">{value === null ? '' : ['as of ', <When at={timeOf(value) * 1000} />]}</span>
    </>
  )
}

function Ledger({ chains: { ledger }, now }: { chains: BridgeChains; now: number }) {
  const { indexed, name, proved } = ledger
  const unproved =
    proved === null
      ? 'finality is not followed'
      : `${count(proved)}, ${count(indexed.final - proved)} before the last final one`
  return (
    <Panel title="Ledger" id="ledger-title" isLow>
      <Facts
        rows={[
          ['Chain', name],
          ['Last block', `${count(indexed.block)}, ${span(now - indexed.time)} ago`],
          ['Last final block', count(indexed.final)],
          ['Burns proved up to block', unproved],
        ]}
      />
    </Panel>
  )
}

interface Row {
  key: string
  /** Attributes that name the row. */
  data: Record<string, string>
  isStrong?: boolean
  cells: readonly ComponentChildren[]
}

function Table({ label, heads, rows }: { label: string; heads: readonly string[]; rows: readonly Row[] }) {
  return (
    <Scroll label={label}>
      <table class="list whole-words stacked">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, data, isStrong, cells: [first, ...cells] }) => (
            <tr key={key} {...data} class={isStrong ? 'strong' : undefined}>
              <th scope="row">{first}</th>
              {cells.map((cell, i) => (
                <td key={i} data-head={heads[i + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function LegTable({
  open,
  newest,
  now,
}: {
  open: readonly BridgeLeg[]
  newest: readonly BridgeLeg[] | null
  now: number
}) {
  const before = newest === null ? null : byStatus(newest, now)
  const rows = byStatus(open, now).map(({ direction, status, count: many, oldest }, i): Row => {
    const isOpen = OPEN.includes(status)
    return {
      key: `${direction} ${status}`,
      data: { 'data-leg': `${direction} ${status}` },
      isStrong: isOpen,
      cells: [
        `${direction}: ${status}`,
        isOpen ? count(many) : '–',
        isOpen && oldest !== null ? span(oldest) : '–',
        count(before?.[i]?.count),
      ],
    }
  })
  return (
    <>
      {open.length === MAX_LEGS ? (
        <p class="quiet">More than {MAX_LEGS} are under way: only the newest are counted.</p>
      ) : null}
      <Table
        label="legs by state"
        heads={['State', 'Under way', 'Oldest since', `Of the newest ${newest?.length ?? MAX_LEGS}`]}
        rows={rows}
      />
    </>
  )
}

function WaitingTable({ answer, chains, now }: { answer: Pending; chains: BridgeChains; now: number }) {
  const names = new Map([...chains.sources, chains.ledger].map(({ id, name }) => [id, name]))
  const all = waiting(answer, now)
  const isCut = Object.values(answer.next).some((cursor) => cursor !== null)
  const total = isCut ? `More than ${all.length} wait` : `${all.length} in all`
  const shown = all.length > MAX_WAITING ? `, the first ${MAX_WAITING} are shown` : ''
  const rows = all.slice(0, MAX_WAITING).map(
    ({ key, action, chain: id, what, until, remarks, since }): Row => ({
      key: `${key} ${action}`,
      data: { 'data-pending': key },
      cells: [
        <a href={to('transfer', key)}>{key}</a>,
        action,
        names.get(id) ?? id,
        what,
        since === null ? '–' : span(now - since),
        until,
        remarks.join(', '),
      ],
    }),
  )
  return (
    <>
      <p class="quiet">{all.length === 0 ? 'Nothing waits.' : `${total}${shown}.`}</p>
      {rows.length === 0 ? null : (
        <Table
          label="what waits"
          heads={['Key', 'Action', 'Chain', 'What', 'Waits', 'Deadline', 'Remarks']}
          rows={rows}
        />
      )}
    </>
  )
}

function Destination({ source, now }: { source: Source; now: number }) {
  const { id, name, domain, indexed, vaults, roots, routes } = source
  const isLate = indexed !== null && now - indexed.time > MAX_LAG_SECONDS
  const isContract = vaults.length > 0 || roots.length > 0
  return (
    <article class="panel" data-chain={id}>
      <header>
        <h3>{name}</h3>
        {isLate ? <Badge tone="pending">late</Badge> : null}
      </header>
      <Facts
        rows={[
          ['Domain', domain],
          [
            'Indexed',
            indexed === null
              ? 'not by this instance'
              : `block ${count(indexed.block)}, ${span(now - indexed.time)} ago`,
          ],
          indexed === null ? null : ['Final', `block ${count(indexed.final)}`],
          ...vaults.map((one) => [`Vault ${shortened(one.vault)}`, vaultText(one)] as const),
          ...routes.map(
            ({ symbol, precision, withdrawableNow, backing }) =>
              [
                symbol,
                `holds ${amountText(backing, precision, null)}, ${withdrawableNow === null ? 'allowance unknown' : `${amountText(withdrawableNow, precision, null)} may leave now`}`,
              ] as const,
          ),
        ]}
      />
      {roots.length > 0 ? (
        <Table
          label={`roots on ${name}`}
          heads={['Root', 'Covers burns to block', 'Stored', 'Generation']}
          rows={roots.map(({ root, lastBlock, time, generation }) => ({
            key: root,
            data: { 'data-root': root },
            cells: [
              <span title={root}>{shortened(root)}</span>,
              count(lastBlock),
              `${span(now - time)} ago`,
              String(generation),
            ],
          }))}
        />
      ) : isContract ? (
        <p class="quiet">No root is stored: withdrawals are proved the hard way.</p>
      ) : null}
    </article>
  )
}

function vaultText({ source, ageSeconds, stale, depositsPaused, withdrawalsPaused }: Source['vaults'][number]): string {
  const read = `read from ${source}${ageSeconds === null ? '' : ` ${span(ageSeconds)} ago`}${stale ? ', stale' : ''}`
  return [
    read,
    ...(depositsPaused ? ['deposits paused'] : []),
    ...(withdrawalsPaused ? ['withdrawals paused'] : []),
  ].join(', ')
}

/** The two ends of a long text. */
function shortened(text: string): string {
  return text.length <= 20 ? text : `${text.slice(0, 10)}…${text.slice(-6)}`
}

function Times({ chains: { sources, ledger } }: { chains: BridgeChains }) {
  const rows = sources.flatMap(({ id, name, timing }) =>
    (
      [
        [`${name} to ${ledger.name}`, 'deposit'],
        [`${ledger.name} to ${name}`, 'withdrawal'],
      ] as const
    ).map(([way, direction]): Row => {
      const { seconds, range, measured, samples } = timing[direction]
      return {
        key: `${id} ${direction}`,
        data: { 'data-time': `${id} ${direction}` },
        cells: [
          way,
          span(seconds),
          range.map(span).join(' to '),
          measured ? `the last ${samples}` : 'not measured yet',
        ],
      }
    }),
  )
  return (
    <Panel title="Times" id="times-title" isLow>
      <Table label="times" heads={['Way', 'Typical', 'Fastest to slowest', 'Measured on']} rows={rows} />
    </Panel>
  )
}
