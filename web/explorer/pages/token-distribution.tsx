// How a token is distributed over its holders: the largest together, and holders by the size of their balance.
import { count, inPercent, percent, short } from '../core/numbers.ts'
import { useAnswer } from '../data/answers.ts'
import { chain } from '../data/place.ts'
import type { Get } from '../data/types.ts'
import { Amount, Panel, Percent } from '../parts/basics.tsx'
import { Note, PartNote, Shown } from '../parts/states.tsx'

type Distribution = Get<'/api/v3/explore/token/{tokenId}/distribution'>

/** The server counts all holders for it, and it changes slowly. */
const REFRESH_MS = 60_000

/** For tokens whose balances are watched. */
export function TokenDistribution({ id }: { id: string }) {
  const answer = useAnswer<Distribution>(chain.value, `/api/v3/explore/token/${id}/distribution`, REFRESH_MS)
  return (
    <Panel title="Distribution of holders" id="distribution-title" isLow>
      <Shown answer={answer} what="the distribution of this token" lines={6}>
        {(value) => (value.holders === 0 ? <Note title="No holders" /> : <Tables distribution={value} />)}
      </Shown>
    </Panel>
  )
}

const shareText = (share: string | null) => (share === null ? '–' : percent(Number(share) * 100))

function Tables({ distribution: { holders, complete, largest, buckets } }: { distribution: Distribution }) {
  const most = Math.max(...buckets.map((bucket) => bucket.holders))
  return (
    <>
      <PartNote isWhole={complete} />
      <p class="quiet note-line">
        {holders === 1 ? 'One holder' : `${count(holders)} holders`}
        {largest.map(({ count: some, share }) => ` · largest ${some}: ${shareText(share)}`)}
      </p>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Balance</th>
            <th scope="col" class="end">
              Holders
            </th>
            <th scope="col" class="bar-cell">
              <span class="unseen">Holders as a bar</span>
            </th>
            <th scope="col" class="end">
              Together
            </th>
            <th scope="col" class="end">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ from, below, holders: some, amount, share }) => (
            <tr key={from}>
              <th scope="row" class="nowrap" title={`At least ${from}, below ${below}`}>
                {short(from)} – {short(below)}
              </th>
              <td class="end amount">{count(some)}</td>
              <td class="bar-cell">
                <span class="bar" style={{ width: `${((some / most) * 100).toFixed(1)}%` }} aria-hidden="true" />
              </td>
              <td class="end">
                <Amount exact={amount} />
              </td>
              <td class="end">
                <Percent value={share === null ? null : inPercent(share)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
