// Bit fields: bit i is bit i & 7 of byte i >> 3, as in votes of Antelope, BNB Smart Chain and Ethereum.

/** Whether bit `i` is set; false after the last byte. */
export function hasBit(bytes: Uint8Array, i: number): boolean {
  return (((bytes[i >> 3] ?? 0) >> (i & 7)) & 1) === 1
}

/** Sets bit `i`, which must be within `bytes`. */
export function setBit(bytes: Uint8Array, i: number): void {
  bytes[i >> 3] = (bytes[i >> 3] ?? 0) | (1 << (i & 7))
}

/** One bit for each flag, in ceil(n / 8) bytes. */
export function packBits(flags: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(flags.length / 8))
  for (let i = 0; i < flags.length; i++) if (flags[i]) setBit(bytes, i)
  return bytes
}
