// Copies a text, also where the browser has no clipboard for pages: without TLS on a host of its own.

/** @throws Error when the browser copies nothing */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    copySelected(text)
  }
}

/** Copies the content of a field that exists for this moment. */
function copySelected(text: string): void {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  if (!isCopied) throw new Error('the browser has copied nothing')
}
