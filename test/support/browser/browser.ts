// A headless browser for tests: pages of a given size and colour scheme, with their errors and warnings.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killGroup } from '../process-group.ts'
import type { Chromium } from './chromium.ts'
import { type Chrome, loadPuppeteer, type Session, type Tab, type Target } from './puppeteer.ts'

interface Test {
  teardown(work: () => Promise<void>): void
}

export interface View {
  width: number
  height: number
  dark?: boolean
}

const FLAGS = [
  // Tests also run as root, where the sandbox does not work.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  // As every desktop browser has it: a frame of another site is a target of its own.
  '--site-per-process',
]
/** For tests of pages of one site: starting a process for each window takes half a second of processor time. */
export const ONE_RENDERER = '--renderer-process-limit=1'
/** Options of Puppeteer that differ from users' browsers, which show scrollbars and block windows. */
const UNLIKE_USERS = ['--hide-scrollbars', '--disable-popup-blocking']
/** Ignored by git. */
const SCREENSHOTS = join(import.meta.dirname, '../../../.headwater/screenshots')
/** Timeouts, milliseconds. */
const COMMAND_MS = 120_000
const LOAD_MS = 90_000
const KEY_MS = 3000
const CLOSE_MS = 3000
const POLL = 50

export class Browser {
  private readonly chrome: Chrome
  private readonly attached = new Set<Target>()
  private tabs: Tab[] = []

  private constructor(chrome: Chrome) {
    this.chrome = chrome
  }

  /**
   * Starts a browser that stops at the end of the test.
   *
   * @param flags  in addition to those of all tests
   * @throws Error with its output when it does not start
   */
  static async start(t: Test, { executable, environment }: Chromium, flags: string[] = []): Promise<Browser> {
    const { launch } = await loadPuppeteer()
    const chrome = await launch({
      executablePath: executable,
      args: [...FLAGS, ...flags],
      ignoreDefaultArgs: UNLIKE_USERS,
      env: { ...process.env, ...environment },
      pipe: true,
      defaultViewport: null,
      protocolTimeout: COMMAND_MS,
    })
    t.teardown(() => ended(chrome))
    return new Browser(chrome)
  }

  /** @param before  a script that runs before each document's own; not in frames of other sites */
  async open(url: string, view: View, before?: string): Promise<Page> {
    const page = await this.blank(view)
    if (before !== undefined) await page.runBefore(before)
    await page.visit(url)
    return page
  }

  /** A page that has not loaded anything yet. */
  async blank(view: View): Promise<Page> {
    // In its own window: a page in the background counts as hidden.
    const tab = await this.chrome.newPage({ type: 'window' })
    this.tabs.push(tab)
    return await this.attach(tab.target(), view)
  }

  /** Closes the pages that were opened: an open page follows its stream, draws and takes processor time. */
  async closePages(): Promise<void> {
    const { tabs } = this
    this.tabs = []
    for (const tab of tabs) await tab.close()
  }

  /** The newest cross-site frame or window whose URL begins with a text. @throws Error on timeout */
  async find(beginning: string, view: View, patience = 60_000): Promise<Page> {
    const end = Date.now() + patience
    while (Date.now() < end) {
      const target = this.targetsOf(beginning).findLast((one) => !this.attached.has(one))
      if (target !== undefined) {
        const page = await this.attach(target, view)
        await page.watch()
        return page
      }
      await new Promise((resolve) => setTimeout(resolve, POLL))
    }
    throw new Error(`no frame or window of ${beginning}`)
  }

  /** Number of cross-site frames and windows whose URL begins with a text. */
  count(beginning: string): number {
    return this.targetsOf(beginning).length
  }

  private targetsOf(beginning: string): Target[] {
    return this.chrome.targets().filter((target) => target.url().startsWith(beginning))
  }

  private async attach(target: Target, view: View): Promise<Page> {
    this.attached.add(target)
    return new Page(await target.createCDPSession(), await target.page(), view)
  }
}

export class Page {
  /** Console errors and warnings, exceptions, and resources that failed to load. */
  readonly complaints: string[] = []
  /** Every requested URL. */
  readonly addresses: string[] = []
  /** Of the page itself, without its frames of other sites. */
  private readonly session: Session
  /** Null for a frame. */
  private readonly tab: Tab | null
  private readonly view: View

  constructor(session: Session, tab: Tab | null, view: View) {
    this.session = session
    this.tab = tab
    this.view = view
    const complain = (text: string) => void this.complaints.push(text)
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text } }) =>
      complain(exception?.description ?? text),
    )
    session.on('Log.entryAdded', ({ entry: { level, text, url } }) => {
      if (isComplaint(level)) complain(`${text} ${url ?? ''}`)
    })
    session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      if (isComplaint(type)) complain(JSON.stringify(args))
    })
    session.on('Network.requestWillBeSent', ({ request }) => void this.addresses.push(request.url))
  }

  /** The window, for operations that a frame does not have. */
  private get window(): Tab {
    if (this.tab === null) throw new Error('a frame has no window of its own')
    return this.tab
  }

  /** Sets the size and the colour scheme of the view. */
  private async show({ width, height, dark = false }: View): Promise<void> {
    await this.window.setViewport({ width, height, isMobile: width < 600 })
    await this.window.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }])
  }

  /** Changes the user's colour scheme. */
  async prefer(scheme: 'dark' | 'light'): Promise<void> {
    await this.window.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  }

  async runBefore(source: string): Promise<void> {
    await this.window.evaluateOnNewDocument(source)
  }

  /** Defines a function in every document of the page that takes a text and returns nothing, as extensions do. */
  async expose(name: string, take: (text: string) => void): Promise<void> {
    this.session.on('Runtime.bindingCalled', (call) => {
      if (call.name === name) take(call.payload)
    })
    await this.session.send('Runtime.enable')
    await this.session.send('Runtime.addBinding', { name })
  }

  /** Attaches to a page that already exists. */
  async watch(): Promise<void> {
    for (const domain of ['Runtime', 'Log', 'Network']) await this.session.send(`${domain}.enable`)
    await this.until(`document.readyState === 'complete' && location.href !== 'about:blank'`)
  }

  async visit(url: string): Promise<void> {
    await this.show(this.view)
    for (const domain of ['Runtime', 'Log', 'Network']) await this.session.send(`${domain}.enable`)
    await this.window.goto(url, { timeout: LOAD_MS })
  }

  /** Value of an expression as JSON. @throws Error when it throws */
  async evaluate<T>(expression: string): Promise<T> {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await this.session.send('Runtime.evaluate', options)
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`)
    return result.value as T
  }

  /** Waits until an expression is true, over navigations too. @throws Error with the page's content on timeout */
  async until(expression: string, patience = LOAD_MS): Promise<void> {
    const end = Date.now() + patience
    const isTrue = () =>
      this.evaluate<boolean>(`Boolean(${expression})`).catch((error: Error) => {
        if (!error.message.includes('navigated or closed')) throw error
        return false
      })
    while (!(await isTrue())) {
      if (Date.now() > end) {
        const shown = await this.evaluate<string>('document.body.innerText')
        throw new Error(`not true in time: ${expression}\n${this.complaints.join('\n')}\n${shown.slice(0, 1500)}`)
      }
      await new Promise((resolve) => setTimeout(resolve, POLL))
    }
  }

  /** Clicks the middle of an element. */
  async click(selector: string): Promise<void> {
    const at = await this.evaluate<{ x: number; y: number }>(`(() => {
      const one = document.querySelector(${JSON.stringify(selector)})
      one.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = one.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    })()`)
    await this.window.mouse.click(at.x, at.y)
  }

  /** Presses a key: `Tab`, `Escape`, `Enter`, `ArrowLeft`. */
  async press(key: string, shift = false): Promise<void> {
    const codes: Record<string, number> = {
      Tab: 9,
      Enter: 13,
      Escape: 27,
      End: 35,
      Home: 36,
      ArrowLeft: 37,
      ArrowRight: 39,
    }
    const event = { key, code: key, windowsVirtualKeyCode: codes[key], modifiers: shift ? 8 : 0 }
    // The carriage return is what activates a button.
    const down = key === 'Enter' ? { type: 'keyDown', text: '\r' } : { type: 'rawKeyDown' }
    await this.key({ ...down, ...event })
    await this.key({ type: 'keyUp', ...event })
  }

  /** Does not wait for the response: a frame that the key closes may never send it. */
  private async key(event: Record<string, unknown>): Promise<void> {
    const sent = this.session.send('Input.dispatchKeyEvent', event)
    sent.catch(() => {})
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, KEY_MS))])
  }

  /** Types a text at the keyboard focus. */
  async type(text: string): Promise<void> {
    await this.session.send('Input.insertText', { text })
  }

  /** Accessibility tree: role, name and description of each element. */
  async spoken(): Promise<string[]> {
    await this.session.send('Accessibility.enable')
    const { nodes } = await this.session.send('Accessibility.getFullAXTree')
    const told = ['invalid', 'live', 'level', 'modal', 'disabled', 'readonly']
    // biome-ignore lint/suspicious/noExplicitAny: nodes of the protocol.
    return nodes.flatMap(({ ignored, role, name, value, description, properties = [] }: any) => {
      if (ignored || ['InlineTextBox', 'StaticText', 'none', 'generic', 'LabelText'].includes(role?.value)) return []
      const more = properties
        .filter(
          (one: { name: string; value: { value: unknown } }) =>
            told.includes(one.name) && String(one.value.value) !== 'false',
        )
        .map((one: { name: string; value: { value: unknown } }) => `${one.name}=${one.value.value}`)
      const parts = [role.value, JSON.stringify(name?.value ?? ''), value?.value, description?.value, ...more]
      return [parts.filter((part) => part !== undefined && part !== '').join(' ')]
    })
  }

  /** Sets the value of a field and fires its events, as typing does. */
  async fill(selector: string, text: string): Promise<void> {
    await this.evaluate(`(() => {
      const one = document.querySelector(${JSON.stringify(selector)})
      one.focus()
      one.value = ${JSON.stringify(text)}
      one.dispatchEvent(new Event('input', { bubbles: true }))
      one.dispatchEvent(new Event('change', { bubbles: true }))
    })()`)
  }

  /** Clicks an element by script: for frames, whose position in the view is unknown here. */
  async activate(selector: string): Promise<void> {
    await this.until(`document.querySelector(${JSON.stringify(selector)})`)
    const expression = `document.querySelector(${JSON.stringify(selector)}).click()`
    await this.session.send('Runtime.evaluate', { expression, userGesture: true })
  }

  /** Emulates the user's preference for reduced motion. */
  async preferStill(): Promise<void> {
    await this.window.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }])
  }

  /** Moves the mouse to a point of the view. */
  async point(x: number, y: number): Promise<void> {
    await this.window.mouse.move(x, y)
  }

  /** Sets the time zone of the page's documents: `UTC`. */
  async zone(name: string): Promise<void> {
    await this.window.emulateTimezone(name)
  }

  /** Delays and limits all transfers from now on, as a slow network does, and empties the cache. */
  async slowDown(latencyMs: number, bytesPerSecond: number): Promise<void> {
    await this.session.send('Network.enable')
    await this.session.send('Network.clearBrowserCache')
    await this.session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
  }

  /** Closes the window of the page. */
  async close(): Promise<void> {
    await this.window.close()
  }

  /**
   * Takes a screenshot of the whole page and saves it under a name.
   *
   * @param maxHeight  a longer page is cut there
   * @returns PNG
   */
  async picture(name: string, maxHeight = Number.POSITIVE_INFINITY): Promise<Buffer> {
    // Enlarges the view to the page's height: capturing beyond the view may never finish.
    const whole = await this.evaluate<number>('document.documentElement.scrollHeight')
    const height = Math.min(whole, maxHeight)
    await this.show({ ...this.view, height })
    await this.window.bringToFront()
    const picture = Buffer.from(await this.window.screenshot({ captureBeyondViewport: false }))
    await this.show(this.view)
    mkdirSync(SCREENSHOTS, { recursive: true })
    writeFileSync(join(SCREENSHOTS, `${name}.png`), picture)
    return picture
  }
}

function isComplaint(level: string): boolean {
  return level === 'error' || level === 'warning'
}

/** Stops a browser: gracefully within some seconds, then kills the remaining processes. */
async function ended(chrome: Chrome): Promise<void> {
  const child = chrome.process()
  const timer = setTimeout(() => child?.kill('SIGKILL'), CLOSE_MS)
  await chrome.close().catch(() => {})
  clearTimeout(timer)
  if (child !== null) killGroup(child)
}
