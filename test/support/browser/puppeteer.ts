// The used part of Puppeteer. Its own types exist only after the test set-up has installed it.
import { installedPackage } from '../test-package.ts'

/** Parameters and results of the debugging protocol differ with each method. */
// biome-ignore lint/suspicious/noExplicitAny: the protocol has hundreds of shapes
export type Message = Record<string, any>

/** A session with one page, or with one frame of another site. */
export interface Session {
  send(method: string, params?: Message): Promise<Message>
  on(event: string, listener: (params: Message) => void): void
}

export interface Target {
  url(): string
  /** Null unless it is a tab or a window. */
  page(): Promise<Tab | null>
  createCDPSession(): Promise<Session>
}

export interface Tab {
  readonly mouse: { move(x: number, y: number): Promise<void>; click(x: number, y: number): Promise<void> }
  target(): Target
  goto(url: string, options: { timeout: number }): Promise<unknown>
  setViewport(view: { width: number; height: number; isMobile: boolean }): Promise<void>
  emulateMediaFeatures(features: { name: string; value: string }[]): Promise<void>
  evaluateOnNewDocument(source: string): Promise<unknown>
  emulateTimezone(zone: string): Promise<void>
  bringToFront(): Promise<void>
  close(): Promise<void>
  screenshot(options: { captureBeyondViewport: boolean }): Promise<Uint8Array>
}

export interface Chrome {
  newPage(options: { type: 'window' }): Promise<Tab>
  targets(): Target[]
  process(): import('node:child_process').ChildProcess | null
  close(): Promise<void>
}

export interface LaunchOptions {
  executablePath: string
  args: string[]
  /** Arguments of Puppeteer that are left out. */
  ignoreDefaultArgs: string[]
  env: Record<string, string | undefined>
  /** Whether commands go over a pipe: the browser ends when it closes. */
  pipe: boolean
  /** Null: pages set their own. */
  defaultViewport: null
  /** Timeout of a command, milliseconds. */
  protocolTimeout: number
}

interface Puppeteer {
  launch(options: LaunchOptions): Promise<Chrome>
}

/** @throws Error when it cannot be installed */
export function loadPuppeteer(): Promise<Puppeteer> {
  return installedPackage<Puppeteer>(import.meta.dirname, 'puppeteer-core')
}
