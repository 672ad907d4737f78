// What a component holds of an answer. Pure.

/** `missing`: there is no such thing. `unavailable`: this server has no such endpoint. */
export type State = 'loading' | 'ready' | 'missing' | 'unavailable' | 'failed'

export interface Held<T> {
  /** Chain and path. */
  key: string
  state: State
  value: T | null
  /** When the request of the value began, Unix milliseconds. */
  askedAt: number
  error: string
}

/**
 * The held answer after a new one.
 *
 * @param isTimed  whether a new time alone is a change
 * @returns `old` itself when nothing has changed; equal values keep their identity, so that nothing is drawn again
 */
export function renewed<T>(
  old: Held<T>,
  { key, value, askedAt }: { key: string; value: T; askedAt: number },
  isTimed: boolean,
): Held<T> {
  const isSame =
    old.key === key && old.state === 'ready' && value !== null && JSON.stringify(old.value) === JSON.stringify(value)
  if (!isSame) return { key, state: 'ready', value, askedAt, error: '' }
  return isTimed ? { ...old, askedAt } : old
}
