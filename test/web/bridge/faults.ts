// Accessibility faults of a page that a machine can detect: low vision, keyboard, screen reader.

/**
 * Checks the contrast of every text and edge with its background, labels of fields and buttons, headings, width. A
 * JavaScript expression whose value is a list of faults as text.
 */
export const FAULTS = `(() => {
  const faults = []
  const visible = (one) => one.checkVisibility()
  for (const one of document.querySelectorAll('input, select, textarea'))
    if (visible(one) && !one.labels?.length && !one.getAttribute('aria-label')) faults.push('no label: ' + one.outerHTML)
  for (const one of document.querySelectorAll('button, a'))
    if (visible(one) && !(one.textContent.trim() || one.getAttribute('aria-label'))) faults.push('no name: ' + one.outerHTML)
  for (const one of document.querySelectorAll('img:not([alt])')) faults.push('no alt: ' + one.outerHTML)
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push('twice: ' + id)
  if (visible(document.body) && document.querySelectorAll('h1').length !== 1) faults.push('headings: ' + document.querySelectorAll('h1').length)
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data] }
  const light = (parts) => parts.slice(0, 3).map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4).reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0)
  const behind = (one) => { for (let at = one; at; at = at.parentElement) { const parts = rgb(getComputedStyle(at).backgroundColor); if (parts[3] > 200) return parts } return [255, 255, 255] }
  for (const one of document.querySelectorAll('body *')) {
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    if (!text || !visible(one) || one.disabled || one.closest('.hidden, script')) continue
    const [front, back] = [light(rgb(getComputedStyle(one).color)), light(behind(one))]
    const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
    if (contrast < 4.5) faults.push('contrast ' + contrast.toFixed(2) + ': ' + one.outerHTML.slice(0, 120))
    if (parseFloat(getComputedStyle(one).fontSize) < 13) faults.push('small: ' + one.outerHTML.slice(0, 120))
  }
  const against = (one, other) => { const [a, b] = [light(rgb(one)), light(other)]; return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) }
  for (const one of document.querySelectorAll('input, select, button:not(.link)')) {
    if (!visible(one) || one.disabled) continue
    const [style, around] = [getComputedStyle(one), behind(one.parentElement)]
    if (against(style.borderTopColor, around) < 3 && against(style.backgroundColor, around) < 3) faults.push('edge: ' + one.outerHTML.slice(0, 120))
    if (one.placeholder && against(getComputedStyle(one, '::placeholder').color, behind(one)) < 4.5) faults.push('placeholder: ' + one.outerHTML.slice(0, 120))
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) faults.push('wider than the view: ' + document.documentElement.scrollWidth)
  return faults
})()`
