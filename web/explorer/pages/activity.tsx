// Everything that an account did, newest first, by kind, with an export.
import { useEffect, useRef, useState } from 'preact/hooks'
import { csv } from '../core/csv.ts'
import { everyFact, withFresh } from '../core/fact-pages.ts'
import { count } from '../core/numbers.ts'
import { ask, useAnswer } from '../data/answers.ts'
import { type FactUpdates, intervalOf, useAgain, useFinality } from '../data/fact-stream.ts'
import { chain, query, setQuery } from '../data/place.ts'
import type { Fact, Get } from '../data/types.ts'
import { Choice, Panel } from '../parts/basics.tsx'
import { BRIDGE_KINDS, FactTable } from '../parts/facts.tsx'
import { useFactPages } from '../parts/more.tsx'
import { Note, Shown } from '../parts/states.tsx'

type Page = Get<'/api/v3/explore/account/{account}/activity'>

const KINDS = [
  ['all', 'All'],
  ['swaps,deals', 'Trades'],
  ['order_events', 'Orders'],
  ['position_events', 'Liquidity'],
  ['incentive_events', 'Farms'],
  ['transfers', 'Transfers'],
  [BRIDGE_KINDS, 'Bridge'],
] as const
const PAGE = 50

/** @param updates  of the account's facts */
export function Activity({ account, updates }: { account: string; updates: FactUpdates }) {
  const kind = KINDS.find(([one]) => one === query.value.get('kind'))?.[0] ?? 'all'
  const path = `/api/v3/explore/account/${account}/activity?limit=${PAGE}${kind === 'all' ? '' : `&kind=${kind}`}`
  const answer = useAnswer<Page>(chain.value, path, intervalOf(updates))
  useAgain(answer, updates)
  useFinality(chain.value, answer, answer.value?.facts ?? [])
  return (
    <Panel
      title="Activity"
      id="activity-title"
      aside={
        <Choice
          name="Kind of activity"
          value={kind}
          options={KINDS}
          onChoose={(value) => setQuery({ kind: value === 'all' ? null : value })}
        />
      }
    >
      <Shown answer={answer} what="the activity of this account" lines={10}>
        {(first) => <Pages first={first} path={path} account={account} kind={kind} updates={updates} />}
      </Shown>
    </Panel>
  )
}

interface PagesOf {
  first: Page
  path: string
  account: string
  /** `all`, or datasets separated by commas. */
  kind: string
  updates: FactUpdates
}

function Pages({ first, path, account, kind, updates }: PagesOf) {
  const more = useFactPages<Page>(chain.value, path, first, updates)
  const isShown = ({ dataset }: Fact) => kind === 'all' || kind.split(',').includes(dataset)
  // The message of a block comes before the answer that it asks for.
  const pages = withFresh<Fact, Page>(more.pages, updates.fresh.filter(isShown))
  const facts = pages.flatMap((page) => page.facts)
  if (facts.length === 0) return <Note title="No activity">Nothing of this kind is indexed for {account}.</Note>
  return (
    <>
      <FactTable facts={facts} place="time" />
      {more.button}
      <Export key={path} path={path.replace(`limit=${PAGE}`, `limit=${EXPORT_PAGE}`)} name={`${account}.csv`} />
    </>
  )
}

/** Facts of one request of an export. */
const EXPORT_PAGE = 1000
/** Limit of an export: the browser holds all of its rows in memory. */
const MAX_EXPORTED = 100_000

/** Exports every fact of the list, also those that the page has not loaded. @param path  of its first page */
function Export({ path, name }: { path: string; name: string }) {
  const [state, setState] = useState('')
  const [isRunning, setRunning] = useState(false)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const run = async () => {
    setRunning(true)
    setState('Reading…')
    try {
      const { facts, isComplete } = await everyFact<Fact>(
        (cursor) => ask<Page>(chain.value, cursor === null ? path : `${path}&cursor=${cursor}`, stop.current.signal),
        MAX_EXPORTED,
        (rows) => setState(`${count(rows)} rows read…`),
      )
      save(name, table(facts))
      setState(`${isComplete ? 'All' : 'The newest'} ${count(facts.length)} rows are in ${name}.`)
    } catch (error) {
      if (!stop.current.signal.aborted) setState(`Not exported: ${(error as Error).message}`)
    }
    setRunning(false)
  }
  return (
    <p class="note-line">
      <button type="button" class="export" disabled={isRunning} onClick={() => void run()}>
        Export as CSV
      </button>{' '}
      <span class="quiet" role="status">
        {state}
      </span>
    </p>
  )
}

function table(facts: readonly Fact[]): string {
  const columns = ['time', 'block', 'final', 'transaction', 'sequence', 'dataset'] as const
  const own = [...new Set(facts.flatMap(({ row }) => Object.keys(row)))].sort()
  return csv(
    [...columns, ...own],
    facts.map((fact) => [...columns.map((name) => fact[name]), ...own.map((name) => fact.row[name])]),
  )
}

function save(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
