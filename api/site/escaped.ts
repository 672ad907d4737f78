/** Text for HTML, in elements and in quoted attributes. */
export function escaped(text: string): string {
  const codes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replaceAll(/[&<>"']/g, (sign) => codes[sign] as string)
}
