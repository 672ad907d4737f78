// QR codes (ISO/IEC 18004) of bytes at the lowest level of error correction, versions 1 to 40: enough for what a screen
// shows a phone. Pure.

/** Codewords of error correction of a block, by version. */
const CORRECTION = [
  7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30, 30, 30,
  30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
]
/** Blocks, by version. */
const BLOCKS = [
  1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19,
  20, 21, 22, 24, 25,
]
const LAST_VERSION = 40
const BYTE_MODE = 0b0100
/** The level's bits in the format. */
const LEVEL = 0b01

type Grid = (boolean | null)[][]

/** @returns rows of dark modules, without the quiet zone; null when the text is too long for one code */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  for (let version = 1; version <= LAST_VERSION; version++) {
    const words = dataWords(version)
    const lengthBits = version < 10 ? 8 : 16
    if (4 + lengthBits + bytes.length * 8 <= words * 8)
      return draw(version, withCorrection(version, pack(bytes, words, lengthBits)))
  }
  return null
}

/** Modules that hold data and correction. */
function rawModules(version: number): number {
  const aligned = alignments(version).length
  const marks = version === 1 ? 0 : (aligned * aligned - 3) * 25 - (aligned - 2) * 10
  const size = version * 4 + 17
  // Finders with their separators, timing, format with its dark module, version.
  return size * size - 3 * 64 - 2 * (size - 16) - 31 - marks - (version >= 7 ? 36 : 0)
}

function dataWords(version: number): number {
  return Math.floor(rawModules(version) / 8) - (CORRECTION[version - 1] as number) * (BLOCKS[version - 1] as number)
}

function pack(bytes: Uint8Array, words: number, lengthBits: number): Uint8Array {
  const bits: number[] = []
  const put = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >>> i) & 1)
  }
  put(BYTE_MODE, 4)
  put(bytes.length, lengthBits)
  for (const byte of bytes) put(byte, 8)
  put(0, Math.min(4, words * 8 - bits.length))
  while (bits.length % 8 !== 0) bits.push(0)
  const packed = new Uint8Array(words)
  for (const [i, bit] of bits.entries()) packed[i >> 3] = (packed[i >> 3] as number) | (bit << (7 - (i & 7)))
  for (let i = bits.length / 8, pad = 0; i < words; i++, pad ^= 1) packed[i] = pad === 0 ? 0xec : 0x11
  return packed
}

const EXP = new Uint8Array(512)
const LOG = new Uint8Array(256)
for (let i = 0, value = 1; i < 255; i++) {
  EXP[i] = EXP[i + 255] = value
  LOG[value] = i
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0)
}
const times = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (EXP[(LOG[a] as number) + (LOG[b] as number)] as number)

/** Remainder of a division by the generator of a degree. */
function correctionOf(data: Uint8Array, degree: number): Uint8Array {
  let generator = [1]
  for (let i = 0; i < degree; i++) {
    const next = [...generator, 0]
    for (const [j, factor] of generator.entries())
      next[j + 1] = (next[j + 1] as number) ^ times(factor, EXP[i] as number)
    generator = next
  }
  const rest = new Uint8Array(data.length + degree)
  rest.set(data)
  for (let i = 0; i < data.length; i++) {
    const lead = rest[i] as number
    for (const [j, factor] of generator.entries()) rest[i + j] = (rest[i + j] as number) ^ times(factor, lead)
  }
  return rest.subarray(data.length)
}

/** Blocks with their correction, a word of each in turn. */
function withCorrection(version: number, data: Uint8Array): Uint8Array {
  const [count, degree] = [BLOCKS[version - 1] as number, CORRECTION[version - 1] as number]
  const short = Math.floor(data.length / count)
  const long = data.length % count
  const blocks: Uint8Array[] = []
  for (let i = 0, at = 0; i < count; i++) {
    const length = short + (i >= count - long ? 1 : 0)
    blocks.push(data.subarray(at, at + length))
    at += length
  }
  const corrections = blocks.map((block) => correctionOf(block, degree))
  const out: number[] = []
  for (let i = 0; i <= short; i++) for (const block of blocks) if (i < block.length) out.push(block[i] as number)
  for (let i = 0; i < degree; i++) for (const block of corrections) out.push(block[i] as number)
  return Uint8Array.from(out)
}

/** Middles of alignment patterns along one side. */
function alignments(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const last = version * 4 + 10
  const step = version === 32 ? 26 : Math.ceil((last - 6) / (count - 1) / 2) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, i) => last - (count - 2 - i) * step)]
}

/** Bits followed by the remainder of a division by a polynomial. */
function withRemainder(value: number, polynomial: number, degree: number): number {
  let rest = value << degree
  for (let bit = 31 - Math.clz32(rest); bit >= degree; bit--)
    if ((rest >>> bit) & 1) rest ^= polynomial << (bit - degree)
  return (value << degree) | rest
}

function draw(version: number, words: Uint8Array): boolean[][] {
  const size = version * 4 + 17
  const grid: Grid = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null))
  const set = (x: number, y: number, dark: boolean) => {
    if (grid[y]?.[x] !== undefined) (grid[y] as boolean[])[x] = dark
  }
  for (const [left, top] of [
    [0, 0],
    [size - 7, 0],
    [0, size - 7],
  ] as const)
    for (let y = -1; y <= 7; y++)
      for (let x = -1; x <= 7; x++) {
        const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3))
        set(left + x, top + y, ring !== 2 && ring < 4)
      }
  for (let i = 8; i < size - 8; i++) {
    set(i, 6, i % 2 === 0)
    set(6, i, i % 2 === 0)
  }
  const middles = alignments(version)
  const edge = size - 7
  for (const y of middles)
    for (const x of middles) {
      const inFinder = (x === 6 && (y === 6 || y === edge)) || (x === edge && y === 6)
      if (inFinder) continue
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
    }
  if (version >= 7) {
    const bits = withRemainder(version, 0x1f25, 12)
    for (let i = 0; i < 18; i++) {
      const [long, wide] = [Math.floor(i / 3), size - 11 + (i % 3)]
      set(long, wide, ((bits >>> i) & 1) === 1)
      set(wide, long, ((bits >>> i) & 1) === 1)
    }
  }
  putFormat(grid, 0)
  const places = dataPlaces(grid)
  let best: { grid: boolean[][]; penalty: number } | null = null
  for (let mask = 0; mask < 8; mask++) {
    const masked = grid.map((row) => row.slice()) as boolean[][]
    for (const [i, [x, y]] of places.entries()) {
      const dark = i < words.length * 8 && (((words[i >> 3] as number) >>> (7 - (i & 7))) & 1) === 1
      ;(masked[y] as boolean[])[x] = dark !== isMasked(mask, x, y)
    }
    putFormat(masked, mask)
    const penalty = penaltyOf(masked)
    if (best === null || penalty < best.penalty) best = { grid: masked, penalty }
  }
  return (best as { grid: boolean[][] }).grid
}

/** Both copies of the format, and the module that is always dark. */
function putFormat(grid: Grid, mask: number): void {
  const size = grid.length
  const bits = withRemainder((LEVEL << 3) | mask, 0x537, 10) ^ 0x5412
  const set = (x: number, y: number, i: number) => {
    ;(grid[y] as boolean[])[x] = ((bits >>> i) & 1) === 1
  }
  for (let i = 0; i <= 5; i++) set(8, i, i)
  set(8, 7, 6)
  set(8, 8, 7)
  set(7, 8, 8)
  for (let i = 9; i < 15; i++) set(14 - i, 8, i)
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, i)
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, i)
  ;(grid[size - 8] as boolean[])[8] = true
}

/** Free modules in the order of the data: pairs of columns from the right, up and down in turn. */
function dataPlaces(grid: Grid): [x: number, y: number][] {
  const size = grid.length
  const places: [number, number][] = []
  for (let right = size - 1, up = true; right >= 1; right -= 2, up = !up) {
    if (right === 6) right = 5
    for (let i = 0; i < size; i++) {
      const y = up ? size - 1 - i : i
      for (const x of [right, right - 1]) if (grid[y]?.[x] === null) places.push([x, y])
    }
  }
  return places
}

function isMasked(mask: number, x: number, y: number): boolean {
  switch (mask) {
    case 0:
      return (x + y) % 2 === 0
    case 1:
      return y % 2 === 0
    case 2:
      return x % 3 === 0
    case 3:
      return (x + y) % 3 === 0
    case 4:
      return (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0
    case 5:
      return ((x * y) % 2) + ((x * y) % 3) === 0
    case 6:
      return (((x * y) % 2) + ((x * y) % 3)) % 2 === 0
    default:
      return (((x + y) % 2) + ((x * y) % 3)) % 2 === 0
  }
}

/** How hard a code is to read: runs, blocks, what looks like a finder, and too much of one colour. */
function penaltyOf(grid: readonly (readonly boolean[])[]): number {
  const size = grid.length
  const columns = grid.map((_, x) => grid.map((row) => row[x] === true))
  let penalty = 0
  for (const line of [...grid, ...columns]) {
    const text = line.map((dark) => (dark ? '1' : '0')).join('')
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2
    for (const pattern of ['10111010000', '00001011101'])
      for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) penalty += 40
  }
  let darkCount = 0
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const dark = grid[y]?.[x]
      if (dark) darkCount++
      if (x && y && dark === grid[y]?.[x - 1] && dark === grid[y - 1]?.[x] && dark === grid[y - 1]?.[x - 1])
        penalty += 3
    }
  return penalty + Math.floor(Math.abs((darkCount / size / size) * 20 - 10)) * 10
}
