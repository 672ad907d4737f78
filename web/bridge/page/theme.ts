// The visitor's choice of light or dark colours, which the explorer and the bridge's page share.

/** Key in the browser's storage; the explorer writes it too. */
const KEY = 'headwater-theme'

export function storedTheme(): 'light' | 'dark' | null {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : null
  } catch {
    // Storage can be forbidden.
    return null
  }
}

/** Switches the colours and keeps the choice. */
export function switchTheme(): void {
  const { dataset } = document.documentElement
  const isDark = (dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark'
  dataset.theme = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem(KEY, dataset.theme)
  } catch {
    // The choice then lasts until the page is closed.
  }
}
