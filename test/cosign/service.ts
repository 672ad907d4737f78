// A running cosigner with a key made for the test, on the test's database.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PrivateKey } from '@wharfkit/antelope'
import type { CosignConfig } from '../../config/cosign-schema.ts'
import { loadConfig } from '../../config/load.ts'
import type { ChainConfig } from '../../config/schema.ts'
import type { Clock } from '../../cosign/clock.ts'
import type { Log } from '../../cosign/log.ts'
import { type RunningCosigner, startCosigner } from '../../cosign/start.ts'
import type { TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { NOON_CLOCK } from './clock.ts'

interface Test {
  teardown(work: () => unknown): void
}

export interface TestCosigner extends RunningCosigner {
  key: PrivateKey
  /** The log. */
  lines: string[]
  post(path: string, body: string | Uint8Array | undefined, headers?: Record<string, string>): Promise<Answer>
  /** Requests a signature. */
  sign(hex: unknown, headers?: Record<string, string>): Promise<Answer>
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
  text: string
}

/** The shipped chain file, and the sponsor's default settings with another port. */
export function shipped(changes: Partial<CosignConfig> = {}): { chain: ChainConfig; config: CosignConfig } {
  const { config } = loadConfig({ env: {}, program: { chains: ['wax'] } })
  const cosign = { ...config.cosign, port: 0, ...changes }
  return { chain: config.chains[0] as ChainConfig, config: cosign }
}

/** A key file that only its owner can read. */
export function keyFile(t: Test, key: string, mode = 0o600): string {
  const folder = temporaryFolder(t)
  const path = join(folder, 'payer.key')
  writeFileSync(path, `${key}\n`)
  chmodSync(path, mode)
  return path
}

export async function startTestCosigner(
  t: Test,
  { url: databaseUrl }: TestDatabase,
  changes: Partial<CosignConfig> = {},
  { clock = NOON_CLOCK, key = PrivateKey.generate('K1') }: { clock?: Clock; key?: PrivateKey } = {},
): Promise<TestCosigner> {
  const lines: string[] = []
  const note = (message: string, fields: Record<string, unknown> = {}) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { info: note, warn: note, error: note }
  const { chain, config } = shipped({ keyFile: keyFile(t, String(key)), ...changes })
  const running = await startCosigner({ config, chain, databaseUrl, log, clock })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= running.close())
  t.teardown(close)
  const post: TestCosigner['post'] = (path, body, headers) => postTo(`${running.url}${path}`, body, headers)
  const sign: TestCosigner['sign'] = (hex, headers) =>
    post('/api/v2/cpu/cosign', JSON.stringify({ serializedTransaction: hex }), headers)
  return { ...running, close, key, lines, post, sign }
}

export async function postTo(
  url: string,
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : body === undefined ? null : new Uint8Array(body),
    headers: { ...type, ...headers },
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    get body() {
      return JSON.parse(text)
    },
  }
}
