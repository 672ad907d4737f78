// Large trades of all pools and order books, newest first.
import { withFresh } from '../core/fact-pages.ts'
import { useAnswer } from '../data/answers.ts'
import { type FactUpdates, intervalOf, TRADES, useAgain, useFactUpdates, useFinality } from '../data/fact-stream.ts'
import { chain, query, setQuery } from '../data/place.ts'
import type { Fact, Get } from '../data/types.ts'
import { Choice } from '../parts/basics.tsx'
import { FactTable } from '../parts/facts.tsx'
import { useFactPages } from '../parts/more.tsx'
import { Note, Shown } from '../parts/states.tsx'

type Page = Get<'/api/v3/explore/large-trades'>

const LEAST = [
  ['100', '$100'],
  ['1000', '$1,000'],
  ['10000', '$10,000'],
] as const
const SMALLEST = Number(LEAST[0][0])
const PAGE = 50

export function TradesPage() {
  const least = LEAST.find(([one]) => one === query.value.get('usd'))?.[0] ?? '1000'
  const path = `/api/v3/explore/large-trades?usd=${least}&limit=${PAGE}`
  const updates = useFactUpdates(chain.value, TRADES, ({ row }) => Number(row.usd) >= SMALLEST)
  const answer = useAnswer<Page>(chain.value, path, intervalOf(updates))
  useAgain(answer, updates)
  useFinality(chain.value, answer, answer.value?.facts ?? [])
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>Large trades</h1>
        <Choice
          name="Least value of a trade"
          value={least}
          options={LEAST}
          onChoose={(value) => setQuery({ usd: value === '1000' ? null : value })}
        />
      </div>
      <section class="panel" aria-label="Large trades">
        <Shown answer={answer} what="large trades" lines={12}>
          {(first) => <Pages first={first} path={path} least={Number(least)} updates={updates} />}
        </Shown>
      </section>
    </>
  )
}

interface PagesOf {
  first: Page
  path: string
  /** USD. */
  least: number
  updates: FactUpdates
}

function Pages({ first, path, least, updates }: PagesOf) {
  const more = useFactPages<Page>(chain.value, path, first, updates)
  // The message of a block comes before the answer that it asks for.
  const fresh = updates.fresh.filter(({ row }) => Number(row.usd) >= least)
  const facts = withFresh<Fact, Page>(more.pages, fresh).flatMap((page) => page.facts)
  if (facts.length === 0) return <Note title="No trade of this size" />
  return (
    <>
      <FactTable facts={facts} place="time" />
      {more.button}
    </>
  )
}
