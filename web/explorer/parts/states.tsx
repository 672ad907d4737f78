// Shows an answer in each of its states.
import type { ComponentChildren } from 'preact'
import type { Answer } from '../data/answers.ts'

export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading</span>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} class="bone" aria-hidden="true" />
      ))}
    </div>
  )
}

export function Note({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="note">
      <strong>{title}</strong>
      {children === undefined ? null : <p>{children}</p>}
    </div>
  )
}

/** Says that rows are missing where the history begins in the middle of a chain without its full state. */
export function PartNote({ isWhole }: { isWhole: boolean }) {
  return isWhole ? null : (
    <p class="quiet part">
      Incomplete: the indexed history began without the full state of the chain, so balances, positions and orders that
      have not changed since then are missing.
    </p>
  )
}

/**
 * Calls `children` with the value, also with an old one while new requests fail.
 *
 * @param what     is shown: `the swaps of this pool`
 * @param missing  follows the note that nothing was found
 */
export function Shown<T>({
  answer,
  what,
  lines,
  missing,
  children,
}: {
  answer: Answer<T>
  what: string
  lines?: number
  missing?: ComponentChildren
  children(value: T): ComponentChildren
}) {
  const { state, value, error, again } = answer
  if (value !== null && state !== 'missing') return <>{children(value)}</>
  if (state === 'loading')
    return error === '' ? (
      <Loading lines={lines} />
    ) : (
      <>
        <Loading lines={lines} />
        <p class="quiet centred">{error}</p>
      </>
    )
  if (state === 'unavailable') return <Note title="Not available">This server does not serve {what} yet.</Note>
  if (state === 'missing')
    return (
      <>
        <Note title="Nothing found">{error}</Note>
        {missing}
      </>
    )
  return (
    <div class="note" role="alert">
      <strong>Could not load {what}</strong>
      <p>{error}</p>
      <button type="button" onClick={() => again()}>
        Try again
      </button>
    </div>
  )
}
