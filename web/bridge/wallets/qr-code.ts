// QR codes (ISO/IEC 18004) of bytes at the lowest level of error correction, enough for what a screen shows a phone.
import qrcode from 'qrcode-generator'

/** Smallest version that fits. */
const FITTING = 0
/** Bytes that the largest code takes at this level. */
const MAX_BYTES = 2953

/** @returns rows of dark modules, without the quiet zone; null when the text is too long for one code */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > MAX_BYTES) return null
  const code = qrcode(FITTING, 'L')
  // The library takes a character for a byte.
  code.addData(String.fromCharCode(...bytes), 'Byte')
  code.make()
  const places = Array.from({ length: code.getModuleCount() }, (_, at) => at)
  return places.map((row) => places.map((column) => code.isDark(row, column)))
}
