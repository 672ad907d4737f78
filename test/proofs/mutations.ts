// All small changes of a single member of a proof.

/** A JSON value with one changed member, and the path of that member. */
export interface Mutation<T> {
  where: string
  value: T
}

function changed(value: string | number): (string | number)[] {
  if (typeof value === 'number') return [value ^ 1]
  if (!value.startsWith('0x')) return [(BigInt(value) ^ 1n).toString()]
  if (value === '0x') return ['0x01']
  const flip = (at: number) => {
    const digit = (Number.parseInt(value[at]!, 16) ^ 1).toString(16)
    return value.slice(0, at) + digit + value.slice(at + 1)
  }
  return [flip(value.length - 1), flip(3)]
}

/** At least one mutation for each leaf, and for each list one without its last element. */
export function mutationsOf<T>(value: T, where = ''): Mutation<T>[] {
  if (typeof value === 'string' || typeof value === 'number') {
    return changed(value).map((other) => ({ where, value: other as T }))
  }
  if (Array.isArray(value)) {
    const elements = value.flatMap((element, i) =>
      mutationsOf(element, `${where}[${i}]`).map((mutation) => ({
        where: mutation.where,
        value: [...value.slice(0, i), mutation.value, ...value.slice(i + 1)] as T,
      })),
    )
    return value.length > 0 ? [...elements, { where: `${where} shortened`, value: value.slice(0, -1) as T }] : elements
  }
  return Object.entries(value as object).flatMap(([key, member]) =>
    mutationsOf(member, where ? `${where}.${key}` : key).map((mutation) => ({
      where: mutation.where,
      value: { ...value, [key]: mutation.value },
    })),
  )
}
