// Access to values that must exist: an absent one is a bug, and the error names it.

/** `value`, which must exist. @throws RangeError with `what` when it does not */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new RangeError(`there is no ${what}`)
  return value
}

/** The item of a list at `index`, counted from the end if negative. @throws RangeError when there is none */
export function itemAt<T>(list: readonly T[], index: number): T {
  if (index >= list.length || index < -list.length) throw new RangeError(`no item ${index} in a list of ${list.length}`)
  return list.at(index) as T
}
