// A block: its header and its facts, page by page.
import { useEffect, useState } from 'preact/hooks'
import { useAnswer } from '../data/answers.ts'
import { useAgain, useFactSign } from '../data/fact-stream.ts'
import { chain, to } from '../data/place.ts'
import type { Fact, Get } from '../data/types.ts'
import { Account, BlockLink, Copy, Facts, Moment, Panel } from '../parts/basics.tsx'
import { FactTable, Finality } from '../parts/facts.tsx'
import { useMore } from '../parts/more.tsx'
import { Note, Shown } from '../parts/states.tsx'

type Block = Get<'/api/v3/explore/block/{block}'>

/** Polls, because the stream does not report that a block becomes final or that a missing block arrives. */
const REFRESH_MS = 3000
/** A final block does not change. */
const FINAL_MS = 60_000
const PAGE = 200

export function BlockPage({ id }: { id: string }) {
  const path = `/api/v3/explore/block/${id}?limit=${PAGE}`
  const [isFinal, setFinal] = useState(false)
  const sign = useFactSign(chain.value, 'datasets=none')
  const answer = useAnswer<Block>(chain.value, path, isFinal && sign.isLive ? FINAL_MS : REFRESH_MS)
  // A fork replaces the block: the stream reports it at once.
  useAgain(answer, sign)
  useEffect(() => setFinal(answer.value?.final === true), [answer.value])
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
      <Shown answer={answer} what="this block" lines={8}>
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
