// Requests to the APIs of processes.
import { setTimeout as delay } from 'node:timers/promises'
import type { Running } from '../bin/program.ts'
import { until } from '../support/until.ts'

/** Waits for the address that an API prints. */
export async function addressOf({ output, child }: Running): Promise<string> {
  const address = () => /"url":"(http:[^"]+)"/.exec(output.stderr)?.[1]
  await until('an API', () => address() !== undefined || child.exitCode !== null)
  const found = address()
  if (found === undefined) throw new Error(`the API ended: ${output.stderr.slice(-2000)}`)
  return found
}

/** The block of an API's answers; 0 while it does not answer. */
export async function blockOf(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/v2/swap/pools`, { signal: AbortSignal.timeout(5000) }).catch(() => null)
  await answer?.arrayBuffer()
  if (answer === null) await delay(20)
  return answer?.status === 200 ? Number(answer.headers.get('x-block-num')) : 0
}

export async function bytesOf(url: string, path: string) {
  const answer = await fetch(url + path)
  const text = (await answer.text()).replaceAll(new URL(url).host, '')
  // Without the tag: it can name the last of several blocks that one process took in one step.
  return { status: answer.status, block: answer.headers.get('x-block-num'), text }
}
