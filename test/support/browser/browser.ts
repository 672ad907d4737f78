// A headless browser for tests: pages of a given size and colour scheme, with their errors and warnings.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { killGroup } from '../process-group.ts'
import type { Chromium } from './chromium.ts'
import { Connection } from './connection.ts'

interface Test {
  teardown(work: () => Promise<void>): void
}

export interface View {
  width: number
  height: number
  dark?: boolean
}

const FLAGS = [
  '--headless',
  '--remote-debugging-pipe',
  // Tests also run as root, where the sandbox does not work.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-breakpad',
  '--hide-scrollbars=false',
]
/** Ignored by git. */
const SCREENSHOTS = join(import.meta.dirname, '../../../.headwater/screenshots')
const POLL = 50
const KEY_MS = 3000

export class Browser {
  private readonly connection: Connection
  private readonly attached = new Set<string>()

  private constructor(connection: Connection) {
    this.connection = connection
  }

  /** Starts a browser that stops at the end of the test. @throws Error with its output when it does not start */
  static async start(t: Test, { executable, environment }: Chromium): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), 'headwater-browser-'))
    const child = spawn(executable, [...FLAGS, `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
      // Its own process group, so that its helper processes end with it.
      detached: true,
    })
    let said = ''
    child.stderr?.on('data', (part) => {
      said = `${said}${part}`.slice(-2000)
    })
    t.teardown(async () => {
      await ended(child)
      // Its helper processes may still write for a moment.
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    })
    const connection = new Connection(child.stdio[3] as Writable, child.stdio[4] as Readable)
    try {
      await connection.send('Browser.getVersion')
    } catch (cause) {
      throw new Error(`${executable} does not start: ${said.trim()}`, { cause })
    }
    return new Browser(connection)
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
    const { targetId } = await this.connection.send('Target.createTarget', { url: 'about:blank', newWindow: true })
    return await this.attach(targetId, view)
  }

  /** The newest cross-site frame or window whose URL begins with a text. @throws Error on timeout */
  async find(beginning: string, view: View, patience = 60_000): Promise<Page> {
    const end = Date.now() + patience
    while (Date.now() < end) {
      const { targetInfos } = await this.connection.send('Target.getTargets')
      const found = (targetInfos as { targetId: string; url: string }[]).filter(
        ({ url, targetId }) => url.startsWith(beginning) && !this.attached.has(targetId),
      )
      const target = found[0]
      if (target !== undefined) {
        const page = await this.attach(target.targetId, view)
        await page.watch()
        return page
      }
      await new Promise((resolve) => setTimeout(resolve, POLL))
    }
    throw new Error(`no frame or window of ${beginning}`)
  }

  /** Number of cross-site frames and windows whose URL begins with a text. */
  async count(beginning: string): Promise<number> {
    const { targetInfos } = await this.connection.send('Target.getTargets')
    return (targetInfos as { url: string }[]).filter(({ url }) => url.startsWith(beginning)).length
  }

  private async attach(targetId: string, view: View): Promise<Page> {
    this.attached.add(targetId)
    const { sessionId } = await this.connection.send('Target.attachToTarget', { targetId, flatten: true })
    return new Page(this.connection, sessionId, view)
  }
}

export class Page {
  /** Console errors and warnings, exceptions, and resources that failed to load. */
  readonly complaints: string[] = []
  /** Every requested URL. */
  readonly addresses: string[] = []
  private readonly connection: Connection
  private readonly session: string
  private readonly view: View

  constructor(connection: Connection, session: string, view: View) {
    this.connection = connection
    this.session = session
    this.view = view
    connection.listen((method, params, from) => {
      if (from !== session) return
      if (method === 'Runtime.exceptionThrown')
        this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text)
      else if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level))
        this.complaints.push(`${params.entry.text} ${params.entry.url ?? ''}`)
      else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type))
        this.complaints.push(JSON.stringify(params.args))
      else if (method === 'Network.requestWillBeSent') this.addresses.push(params.request.url)
    })
  }

  /** Sets the size and the colour scheme of the view. */
  private async show({ width, height, dark = false }: View): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 }
    await this.send('Emulation.setDeviceMetricsOverride', metrics)
    const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]
    await this.send('Emulation.setEmulatedMedia', { features })
  }

  async runBefore(source: string): Promise<void> {
    await this.send('Page.enable')
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source })
  }

  /** Defines a function in every document of the page that takes a text and returns nothing, as extensions do. */
  async expose(name: string, take: (text: string) => void): Promise<void> {
    this.connection.listen((method, params, from) => {
      if (from === this.session && method === 'Runtime.bindingCalled' && params.name === name) take(params.payload)
    })
    await this.send('Runtime.enable')
    await this.send('Runtime.addBinding', { name })
  }

  /** Attaches to a page that already exists. */
  async watch(): Promise<void> {
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`)
    await this.until(`document.readyState === 'complete' && location.href !== 'about:blank'`)
  }

  async visit(url: string): Promise<void> {
    await this.show(this.view)
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await this.send(`${domain}.enable`)
    const { errorText } = await this.send('Page.navigate', { url })
    if (errorText) throw new Error(`${url}: ${errorText}`)
    await this.until(`document.readyState === 'complete' && location.href !== 'about:blank'`)
  }

  /** Value of an expression as JSON. @throws Error when it throws */
  async evaluate<T>(expression: string): Promise<T> {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', options)
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`)
    return result.value as T
  }

  /** Waits until an expression is true. @throws Error with the page's content on timeout */
  async until(expression: string, patience = 90_000): Promise<void> {
    const end = Date.now() + patience
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) {
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
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 })
  }

  /** Presses a key: `Tab`, `Escape`, `Enter`. */
  async press(key: string, shift = false): Promise<void> {
    const codes: Record<string, number> = { Tab: 9, Enter: 13, Escape: 27 }
    const event = { key, code: key, windowsVirtualKeyCode: codes[key], modifiers: shift ? 8 : 0 }
    // The carriage return is what activates a button.
    const down = key === 'Enter' ? { type: 'keyDown', text: '\r' } : { type: 'rawKeyDown' }
    await this.key({ ...down, ...event })
    await this.key({ type: 'keyUp', ...event })
  }

  /** Does not wait for the response: a frame that the key closes may never send it. */
  private async key(event: Record<string, unknown>): Promise<void> {
    const sent = this.send('Input.dispatchKeyEvent', event)
    sent.catch(() => {})
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, KEY_MS))])
  }

  /** Types a text at the keyboard focus. */
  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text })
  }

  /** Accessibility tree: role, name and description of each element. */
  async spoken(): Promise<string[]> {
    await this.send('Accessibility.enable')
    const { nodes } = await this.send('Accessibility.getFullAXTree')
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
    await this.send('Runtime.evaluate', { expression, userGesture: true })
  }

  /** Emulates the user's preference for reduced motion. */
  async preferStill(): Promise<void> {
    const features = [{ name: 'prefers-reduced-motion', value: 'reduce' }]
    await this.send('Emulation.setEmulatedMedia', { features })
  }

  /** Moves the mouse to a point of the view. */
  async point(x: number, y: number): Promise<void> {
    await this.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
  }

  /** Takes a screenshot of the whole page and saves it under a name. @returns PNG */
  async picture(name: string): Promise<Buffer> {
    // Enlarges the view to the page's height: capturing beyond the view may never finish.
    const height = await this.evaluate<number>('document.documentElement.scrollHeight')
    await this.show({ ...this.view, height })
    await this.send('Page.bringToFront')
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' })
    await this.show(this.view)
    const picture = Buffer.from(data, 'base64')
    mkdirSync(SCREENSHOTS, { recursive: true })
    writeFileSync(join(SCREENSHOTS, `${name}.png`), picture)
    return picture
  }

  private send(method: string, params: Record<string, unknown> = {}) {
    return this.connection.send(method, params, this.session)
  }
}

/** Stops a browser: gracefully within some seconds, then kills the remaining processes. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const exit = new Promise((resolve) => child.once('exit', resolve))
    ;(child.stdio[3] as Writable).destroy()
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000)
    await exit
    clearTimeout(timer)
  }
  killGroup(child)
}
