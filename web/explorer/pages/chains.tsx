// Where every chain stands: position, lag, rows, and what is wrong.

import { age } from '../../shared/times.ts'
import { count, short } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { config, to } from '../data/place.ts'
import type { ChainStatus, Status } from '../data/status-types.ts'
import { Badge, Facts, When } from '../parts/basics.tsx'
import { Shown } from '../parts/states.tsx'

const REFRESH_MS = 2000

export function ChainsPage() {
  // On the feed's own host, `/status` is the feed's.
  const answer = useAnswer<Status>(null, '/health/status', REFRESH_MS)
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>Status</h1>
        <nav class="steps" aria-label="For programs">
          <a href="/status">JSON</a>
          <a href="/metrics">Metrics</a>
          <a href="/health/ready">Readiness</a>
        </nav>
      </div>
      <Shown answer={answer} what="the status" lines={8}>
        {({ ready, reasons, warnings, chains, version, uptimeSeconds }) => (
          <>
            <p class={`state ${ready ? 'up' : 'warn'}`} id="state" role="status">
              {ready ? 'All chains are served' : 'Not ready'}
            </p>
            <ul class="reasons">
              {[...reasons, ...warnings].map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
            <div class="cards">
              {chains.map((chain) => (
                <ChainCard key={chain.chain} at={chain} />
              ))}
            </div>
            <p class="quiet">
              Version {version}, up for {age(uptimeSeconds)}
            </p>
          </>
        )}
      </Shown>
    </>
  )
}

function ChainCard({ at }: { at: ChainStatus }) {
  const rows = Object.entries(at.estimatedRows).filter(([, many]) => many > 0)
  const total = rows.reduce((sum, [, many]) => sum + many, 0)
  const isExchange = config.chains.includes(at.chain)
  return (
    <article class="panel" data-chain={at.chain}>
      <header>
        <h2>{isExchange ? <a href={to('markets', '', at.chain)}>{at.chain}</a> : at.chain}</h2>
        <Badge tone={at.indexed ? 'final' : 'pending'}>{at.indexed ? 'at the head' : 'indexing'}</Badge>
      </header>
      <Facts
        rows={[
          ['Block', <span data-is="block">{count(at.block)}</span>],
          ['Head of the node', count(at.head)],
          ['Irreversible', count(at.lib)],
          ['Behind', <span data-is="lag">{`${count(at.lagBlocks)} ${at.lagBlocks === 1 ? 'block' : 'blocks'}`}</span>],
          ['Age of the block', at.lagSeconds === null ? '–' : age(at.lagSeconds)],
          at.blockTime === null ? null : ['Time of the block', <When at={at.blockTime} />],
          ['First block', count(at.firstBlock)],
        ]}
      />
      <details>
        <summary>about {short(total)} rows</summary>
        <Facts
          rows={rows.sort((one, other) => other[1] - one[1]).map(([name, many]) => [name, count(many)] as const)}
        />
      </details>
    </article>
  )
}
