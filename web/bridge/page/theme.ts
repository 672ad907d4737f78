// The visitor's choice of light or dark colours. The top bar, which is the explorer's, changes it.

/** Key in the browser's storage. */
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
