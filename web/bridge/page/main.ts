// Starts the page: reads the server's configuration and the address, detects wallets, fetches the routes.
import { openBridge } from '../core/index.ts'
import type { BridgeConfig } from '../core/types.ts'
import { openHost } from '../frame/host.ts'
import { openWallets } from '../wallets/index.ts'
import { App, frame } from './app.ts'
import { fill, h } from './dom.ts'
import { readParameters } from './parameters.ts'
import { Connected } from './surroundings.ts'
import { storedTheme } from './theme.ts'

/** Retry interval when the bridge does not answer, milliseconds. */
const RETRY_MS = 5000

const root = document.documentElement
const form = root.dataset.form === 'widget' ? 'widget' : 'page'
const parameters = readParameters(location.search)
const theme = parameters.theme ?? (form === 'page' ? storedTheme() : null)
if (theme !== null) root.dataset.theme = theme
root.dataset.inline = String(parameters.inline)

const given = JSON.parse(document.getElementById('config')?.textContent ?? '{}') as BridgeConfig
const config = { ...given, api: new URL(given.api, location.origin).href }
const host = openHost(form)
root.dataset.embed = host.embed
const wallets = openWallets(config)
const bridge = openBridge(config)
let app: App | null = null
const close = () => (app === null ? host.send('close', {}) : app.close())
const main = frame({ form, host, parameters }, close)

if (config.demo) document.head.append(h('script', { type: 'module', src: config.demo.script }))
if (form === 'widget')
  document.addEventListener('keydown', (event) => {
    // Escape closes the topmost element: a wallet's own dialog first.
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return
    if (!parameters.inline && host.embed !== 'page') close()
  })

let timer = 0

/** @param isAgain  an automatic retry: the page keeps its content until there is a new result */
async function begin(isAgain = false): Promise<void> {
  clearTimeout(timer)
  if (!isAgain)
    fill(
      main,
      h('h1', {}, 'Bridge'),
      h('p', { class: 'quiet', role: 'status' }, 'Asking the bridge which ways are open…'),
    )
  try {
    await bridge.refresh()
  } catch (error) {
    const { message } = error as Error
    timer = window.setTimeout(() => void begin(true), RETRY_MS)
    if (isAgain && main.textContent?.includes(message)) return
    const again = h('button', { type: 'button', class: 'primary', onclick: () => void begin() }, 'Try again')
    const text = h('p', { role: 'alert' }, message)
    fill(main, h('section', { class: 'card' }, h('h1', {}, 'Bridge'), text, h('div', { class: 'buttons' }, again)))
    return
  }
  app = new App({ form, config, parameters, host, bridge, wallets, connected: new Connected() }, main)
  app.start()
}

host.follow(document.getElementById('app') as HTMLElement)
void begin()
