/** The item at `index`, from the end if negative. Throws if there is none. */
export function item<T>(list: readonly T[], index: number): T {
  if (index >= list.length || index < -list.length) throw new RangeError(`no item ${index} among ${list.length}`)
  return list.at(index) as T
}
