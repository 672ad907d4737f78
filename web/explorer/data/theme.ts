// Light or dark: the system's choice unless the visitor chose.
import { signal } from '@preact/signals'

export type Theme = 'light' | 'dark'
const KEY = 'headwater-theme'
const system = matchMedia('(prefers-color-scheme: dark)')

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : null
  } catch {
    // Storage can be forbidden.
    return null
  }
}

/** Colours that the address asks for: on the bridge's page. */
function asked(): Theme | null {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : null
}

const chosen = signal<Theme | null>(asked() ?? stored())
const fromSystem = signal<Theme>(system.matches ? 'dark' : 'light')
system.addEventListener('change', () => {
  fromSystem.value = system.matches ? 'dark' : 'light'
})

export const theme = () => chosen.value ?? fromSystem.value

export function applyTheme(): void {
  if (chosen.value === null) delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen.value
}

export function switchTheme(): void {
  chosen.value = theme() === 'dark' ? 'light' : 'dark'
  applyTheme()
  try {
    localStorage.setItem(KEY, chosen.value)
  } catch {
    // The choice then lasts until the page is closed.
  }
}
