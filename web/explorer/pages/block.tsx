// A block: its header and its facts, page by page.
import { useEffect, useState } from 'preact/hooks'
import { useAnswer } from '../data/answers.ts'
import { intervalOf, useAgain, useFactUpdates, useFinality } from '../data/fact-stream.ts'
import { heads } from '../data/heads.ts'
import { chain, to } from '../data/place.ts'
import type { Fact, Get } from '../data/types.ts'
import { Account, BlockLink, Copy, Facts, Moment, Panel } from '../parts/basics.tsx'
import { FactTable, Finality } from '../parts/facts.tsx'
import { useMore } from '../parts/more.tsx'
import { Note, Shown } from '../parts/states.tsx'
import { SearchAgain } from '../shell/search.tsx'

type Block = Get<'/api/v3/explore/block/{block}'>

/** Interval while the block is missing, milliseconds: the stream does not report ids. */
const MISSING_MS = 3000
const PAGE = 200

export function BlockPage({ id }: { id: string }) {
  const path = `/api/v3/explore/block/${id}?limit=${PAGE}`
  const [isMissing, setMissing] = useState(false)
  const updates = useFactUpdates(chain.value, 'datasets=none')
  const answer = useAnswer<Block>(chain.value, path, isMissing ? MISSING_MS : intervalOf(updates))
  // A fork replaces the block: the stream reports it at once.
  useAgain(answer, updates)
  const { value } = answer
  useFinality(chain.value, answer, value === null ? [] : [{ block: value.num, final: value.final }])
  useEffect(() => setMissing(answer.state === 'missing'), [answer.state])
  // The head reaches a block that was still to come.
  const isReached = (heads.value[chain.value ?? '']?.block ?? 0) >= Number(id)
  useEffect(() => {
    if (isReached && isMissing) answer.again()
  }, [isReached, isMissing])
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>Block {answer.value === null ? id : answer.value.num.toLocaleString('en')}</h1>
        {answer.value === null ? null : (
          <nav class="steps" aria-label="Neighbouring blocks">
            <a href={to('block', answer.value.num - 1)}>← Previous</a>
            <a href={to('block', answer.value.num + 1)}>Next →</a>
          </nav>
        )}
      </div>
      <Shown answer={answer} what="this block" lines={8} missing={<SearchAgain />}>
        {(block) => <Loaded block={block} path={path} />}
      </Shown>
    </>
  )
}

function Loaded({ block, path }: { block: Block; path: string }) {
  const more = useMore<Block>(chain.value, path, 'after', block)
  const facts: Fact[] = more.pages.flatMap((page) => page.facts)
  return (
    <>
      <Panel title="Overview" id="overview-title">
        <Facts
          rows={[
            ['State', <Finality isFinal={block.final} />],
            ['Time', <Moment at={block.time} />],
            ['Producer', <Account name={block.producer} />],
            [
              'Id',
              <span class="mono">
                {block.id} <Copy text={block.id} what="block id" />
              </span>,
            ],
            ['Parent', <BlockLink block={block.num - 1} />],
          ]}
        />
      </Panel>
      <Panel title="Facts" id="facts-title">
        {facts.length === 0 ? (
          <Note title="Nothing happened here">No watched contract did anything in this block.</Note>
        ) : (
          <FactTable facts={facts} place="transaction" />
        )}
        {more.button}
      </Panel>
    </>
  )
}
