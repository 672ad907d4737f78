// Cursors of the stream of facts: the block up to which a client has all facts.

export interface Place {
  num: number
  /** 64 hexadecimal digits. */
  id: string
}

const CURSOR = /^(\d{1,10})-([0-9a-f]{64})$/

export function cursorOf({ num, id }: Place): string {
  return `${num}-${id}`
}

/** @returns null when the text is not a cursor */
export function parseCursor(text: string): Place | null {
  const [, num, id] = CURSOR.exec(text) ?? []
  return num === undefined || id === undefined ? null : { num: Number(num), id }
}
