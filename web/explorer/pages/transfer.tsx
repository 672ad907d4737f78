// A bridge transfer: where it is, who acts next, and the steps of its legs with the transactions of both chains.
import { effect, untracked } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { BRIDGE_PATH } from '../core/addresses.ts'
import {
  amountText,
  type Journey,
  type Leg,
  legSteps,
  milliseconds,
  nextText,
  placeOf,
  type Step,
  statusOf,
  waitsForPerson,
} from '../core/transfer.ts'
import { useAnswer } from '../data/answers.ts'
import { useAgain, useFactUpdates } from '../data/fact-stream.ts'
import { isFinalBlock } from '../data/heads.ts'
import { chain, config, to } from '../data/place.ts'
import { Account, Badge, Copy, Facts, Moment, Panel, When } from '../parts/basics.tsx'
import { Loading, Shown } from '../parts/states.tsx'
import { SearchAgain } from '../shell/search.tsx'

const BRIDGE = '/api/bridge/v1'
/** No message reports that a time has passed, or a new block while no stream is connected. */
const REFRESH_MS = 5000
const DATASETS =
  'datasets=deposits,deposit_events,gateway_credits,claim_events,withdrawals,withdrawal_events,hops,hop_returns'
/** Facts of a chain, and blocks of all chains of the bridge without a stream. */
const FACTS = `${DATASETS}&others=true`
/** Chains of the bridge that have a stream of facts. */
const FOLLOWED: ReadonlySet<string | null> = new Set(config.places.flatMap((place) => place.chain ?? []))

export function TransferPage({ id }: { id: string }) {
  const answer = useAnswer<Journey>(chain.value, `${BRIDGE}/hops/${id}`, REFRESH_MS)
  const [final, setFinal] = useState(0)
  const again = () => setFinal((old) => old + 1)
  const facts = useFactUpdates(chain.value, FOLLOWED.has(chain.value) ? FACTS : null)
  // Streams are limited for all visitors together: a second one only while the transfer is on its way.
  const other = answer.value === null ? null : otherChain(answer.value)
  const otherFacts = useFactUpdates(other, other === null ? null : DATASETS)
  const pulse = final + facts.pulse + otherFacts.pulse
  useAgain(answer, { pulse })
  return (
    <>
      <div class="heading">
        <h1 tabIndex={-1}>Bridge transfer</h1>
        {answer.value === null ? null : (
          <Badge tone={statusOf(answer.value).tone}>{statusOf(answer.value).label}</Badge>
        )}
      </div>
      <p class="identity">
        <span class="mono">{id}</span> <Copy text={id} what="key" />
        {answer.value === null || answer.value.key === id ? null : (
          <span class="quiet">
            {' '}
            is a leg of <a href={to('transfer', answer.value.key)}>{answer.value.key}</a>
          </span>
        )}
      </p>
      <Shown answer={answer} what="this bridge transfer" lines={8} missing={<SearchAgain />}>
        {(journey) => <Loaded journey={journey} pulse={pulse} onFinal={again} />}
      </Shown>
    </>
  )
}

/** The chain whose stream the page of a transfer needs besides its own: an end of it, or that of the ledger. Null at the end. */
function otherChain({ from, to: goal, next }: Journey): string | null {
  if (next === null) return null
  const ends = [from, goal].map((end) => placeOf(config.places, end.chain).chain)
  const isOther = (name: string | null) => name !== null && name !== chain.value && FOLLOWED.has(name)
  return [...ends, ...FOLLOWED].find(isOther) ?? null
}

interface LoadedProps {
  journey: Journey
  pulse: number
  /** The block in which a leg began has become final. */
  onFinal(): void
}

function Loaded({ journey, pulse, onFinal }: LoadedProps) {
  const { deposit, from, to: goal, back, src_time, warnings, status } = journey
  const isBack = back !== null && status !== 'delivered'
  return (
    <>
      <Panel title="Overview" id="overview-title">
        <Progress journey={journey} />
        <Facts
          rows={[
            ['Amount', <span class="amount">{amountText(deposit.amount, deposit.precision, deposit.symbol)}</span>],
            ['From', <Party chain={from.chain} name={from.address} />],
            ['To', <Party chain={goal.chain} name={goal.recipient} />],
            isBack ? ['Way back', <Party chain={back.chain} name={back.recipient} />] : null,
            ['Began', <Moment at={src_time * 1000} />],
          ]}
        />
        {warnings.map((text) => (
          <p key={text} class="warn note-line" role="note">
            Warning: {text}
          </p>
        ))}
      </Panel>
      <Panel title="Steps" id="steps-title">
        <ol class="timeline">
          {journey.legs.map(({ key }) => (
            <LegSteps key={key} id={key} pulse={pulse} onFinal={onFinal} />
          ))}
          <NextStep journey={journey} />
        </ol>
        <Links journey={journey} />
      </Panel>
    </>
  )
}

function Progress({ journey: { progress, status } }: { journey: Journey }) {
  const { stage, percent, etaSeconds } = progress
  return (
    <div class="progress">
      <p>
        <strong>{capital(stage)}</strong>
        {etaSeconds === null ? null : <span class="quiet"> about {Math.ceil(etaSeconds / 60)} min left</span>}
      </p>
      <progress max={100} value={percent} data-status={status} aria-label="Progress of the transfer">
        {percent} %
      </progress>
    </div>
  )
}

/** Calls `onFinal` once, when a block of the page's chain is irreversible. @param block  null: never */
function useFinal(block: number | null, onFinal: () => void): void {
  useEffect(() => {
    if (block === null) return
    let isReported = false
    return effect(() => {
      if (isReported || !isFinalBlock(chain.value, block)) return
      isReported = true
      untracked(onFinal)
    })
  }, [block])
}

function LegSteps({ id, pulse, onFinal }: { id: string } & Omit<LoadedProps, 'journey'>) {
  const answer = useAnswer<Leg>(chain.value, `${BRIDGE}/transfers/${id}`, REFRESH_MS)
  useAgain(answer, { pulse })
  const { value: leg } = answer
  const isHere = leg !== null && placeOf(config.places, leg.from.chain).chain === chain.value
  const isWaiting = leg !== null && legSteps(leg, config.places).length === 1
  // A deposit or a burn can be proved from the moment when its block is final.
  useFinal(isHere && isWaiting ? leg.src_block : null, onFinal)
  if (leg === null)
    return (
      <li data-state="waiting">
        <Loading lines={2} />
      </li>
    )
  const [start, outcome] = legSteps(leg, config.places) as [Step, Step | undefined]
  const isOpen = outcome === undefined
  return (
    <>
      <StepItem step={start}>
        <Facts
          rows={[
            ['Leg', <KeyOf leg={leg} />],
            ['Amount', <span class="amount">{amountText(leg.amount, leg.precision, leg.symbol)}</span>],
            leg.fee === null || leg.fee === '0'
              ? null
              : ['Fee of the release', <span class="amount">{amountText(leg.fee, leg.precision, leg.symbol)}</span>],
            ['Sender', <Party chain={leg.from.chain} name={leg.from.address} />],
            ['Recipient', <Party chain={leg.to.chain} name={leg.to.recipient} />],
            leg.deadline !== null && isOpen ? ['Deadline', <Bound seconds={leg.deadline} />] : null,
            leg.memoText
              ? [
                  'Memo',
                  <q class="memo" dir="auto">
                    {leg.memoText}
                  </q>,
                ]
              : null,
          ]}
        />
      </StepItem>
      {outcome === undefined ? null : <StepItem step={outcome} />}
    </>
  )
}

function KeyOf({ leg: { key } }: { leg: Leg }) {
  return (
    <>
      <span class="mono">{key}</span> <Copy text={key} what="key of the leg" />
    </>
  )
}

function StepItem({ step, children }: { step: Step; children?: ComponentChildren }) {
  return (
    <li data-state={step.state}>
      <p class="step">
        <strong>{step.title}</strong>
        {step.state === 'failed' ? <span class="unseen"> (not delivered)</span> : null}
        {step.time === null ? null : <Bound seconds={step.time} />}
      </p>
      <TransactionOf step={step} />
      {children}
    </li>
  )
}

/** A link to our page of the transaction, else to the configured explorer, else the id to copy. */
function TransactionOf({ step: { chain: at, transaction } }: { step: Step }) {
  const place = placeOf(config.places, at)
  if (transaction === null) return <p class="quiet">Transaction not known: {place.name} is not read by this server.</p>
  const short = `${transaction.slice(0, 10)}…${transaction.slice(-6)}`
  const outside = place.transactionPage?.replace('{tx}', transaction)
  return (
    <p>
      <span class="quiet">Transaction on {place.name}</span>{' '}
      {place.chain !== null ? (
        <a class="mono" href={to('tx', transaction, place.chain)} title={transaction}>
          {short}
        </a>
      ) : outside === undefined ? (
        <span class="mono" title={transaction}>
          {short}
        </span>
      ) : (
        <a class="mono" href={outside} title={transaction} target="_blank" rel="noopener noreferrer">
          {short}
          <span class="unseen"> (opens another site)</span>
        </a>
      )}{' '}
      <Copy text={transaction} what={`transaction on ${place.name}`} />
    </p>
  )
}

function NextStep({ journey }: { journey: Journey }) {
  const text = nextText(journey)
  if (text === null || journey.next === null) return null
  const { deadline } = journey.next
  return (
    <li data-state="active" aria-current="step">
      <p class="step">
        <strong>Next</strong>
      </p>
      <p>{text}</p>
      {deadline === null ? null : (
        <p class="warn">
          Before <Bound seconds={deadline} />
        </p>
      )}
    </li>
  )
}

function Links({ journey }: { journey: Journey }) {
  if (!config.hasBridge) return null
  return (
    <p class="transfer-links">
      <a class={waitsForPerson(journey) ? 'button' : ''} href={`${BRIDGE_PATH}?key=${encodeURIComponent(journey.key)}`}>
        {waitsForPerson(journey) ? 'Go on at the bridge' : 'Follow it at the bridge'}
      </a>
      <a href={to('operator')}>Live state for operators</a>
    </p>
  )
}

/** An account with its page, or an address to copy. */
function Party({ chain: at, name }: { chain: string; name: string | null }) {
  const place = placeOf(config.places, at)
  if (name === null || name === '') return <span class="quiet">unknown on {place.name}</span>
  return (
    <span class="party">
      {place.chain !== null && /^[a-z1-5.]{1,13}$/.test(name) ? (
        <Account name={name} chain={place.chain} />
      ) : (
        <span class="mono">{name}</span>
      )}
      <Copy text={name} what="address" /> <span class="quiet">on {place.name}</span>
    </span>
  )
}

/** A time that may be later than any calendar has: deadlines are unsigned 64-bit. */
function Bound({ seconds }: { seconds: number }) {
  const at = milliseconds(seconds)
  return at === null ? <span>any time</span> : <When at={at} />
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
