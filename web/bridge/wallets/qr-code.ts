// QR codes (ISO/IEC 18004) of bytes at the lowest error correction level, which is enough for a screen.
import qrcode from 'qrcode-generator'

/** Lets the library choose the smallest version that fits. */
const FITTING = 0
/** Capacity in bytes of the largest code at this level. */
const MAX_BYTES = 2953

/** @returns rows of modules, true for dark, without the quiet zone; null when the text is too long for one code */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > MAX_BYTES) return null
  const code = qrcode(FITTING, 'L')
  // The library expects one character per byte.
  code.addData(String.fromCharCode(...bytes), 'Byte')
  code.make()
  const places = Array.from({ length: code.getModuleCount() }, (_, at) => at)
  return places.map((row) => places.map((column) => code.isDark(row, column)))
}
