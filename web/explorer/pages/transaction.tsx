// A transaction: every indexed fact of it, in order.
import { useEffect, useState } from 'preact/hooks'
import { transfersOf } from '../core/facts.ts'
import { useAnswer } from '../data/answers.ts'
import { intervalOf, useAgain, useFactUpdates, useFinality } from '../data/fact-stream.ts'
import { chain } from '../data/place.ts'
import type { Get } from '../data/types.ts'
import { BlockLink, Copy, Facts, Moment, Panel } from '../parts/basics.tsx'
import { FactDetails, Finality, TransferLink } from '../parts/facts.tsx'
import { Shown } from '../parts/states.tsx'
import { SearchAgain } from '../shell/search.tsx'

/** Interval while nothing of the transaction is known, milliseconds. */
const MISSING_MS = 3000

type Transaction = Get<'/api/v3/explore/tx/{id}'>

export function TransactionPage({ id }: { id: string }) {
  const updates = useFactUpdates(chain.value, `transaction=${id}`)
  const [isMissing, setMissing] = useState(false)
  const interval = isMissing ? MISSING_MS : intervalOf(updates)
  const answer = useAnswer<Transaction>(chain.value, `/api/v3/explore/tx/${id}`, interval)
  useAgain(answer, updates)
  useFinality(chain.value, answer, answer.value?.facts ?? [])
  useEffect(() => setMissing(answer.state === 'missing'), [answer.state])
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>Transaction</h1>
      </div>
      <p class="identity">
        <span class="mono">{id}</span> <Copy text={id} what="transaction id" />
      </p>
      <Shown answer={answer} what="this transaction" lines={8} missing={<SearchAgain />}>
        {({ facts, contracts }) => {
          const [first] = facts
          const transfers = transfersOf(facts)
          return (
            <>
              <Panel title="Overview" id="overview-title">
                <Facts
                  rows={[
                    // All facts of a transaction are of one block.
                    first ? ['State', <Finality isFinal={first.final} />] : null,
                    first ? ['Block', <BlockLink block={first.block} />] : null,
                    first ? ['Time', <Moment at={first.time} />] : null,
                    transfers.length === 0
                      ? null
                      : [
                          'Bridge',
                          transfers.map((id) => (
                            <span key={id}>
                              <TransferLink id={id} />{' '}
                            </span>
                          )),
                        ],
                    ['Facts', String(facts.length)],
                  ]}
                />
              </Panel>
              <Panel title="Facts" id="facts-title">
                <ol class="fact-list">
                  {facts.map((fact) => (
                    <FactDetails key={`${fact.sequence} ${fact.dataset}`} fact={fact} />
                  ))}
                </ol>
                <p class="quiet note-line">{contracts}</p>
              </Panel>
            </>
          )
        }}
      </Shown>
    </>
  )
}
