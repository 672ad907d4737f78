// Formats the state of a relayer's key as one line of the live view. Pure.
import { age } from '../indexer/operate/progress-line.ts'
import type { WatchedKey } from '../relay/watch.ts'

/** @param limitUsd  maximum USD of gas in 24 hours; undefined when this process does not know it */
export function relayLine(
  { signer, open, oldestSeconds, gasUsd, alarm, isOn }: WatchedKey,
  limitUsd: number | undefined,
): string {
  const oldest = oldestSeconds === null ? '' : `, oldest ${age(oldestSeconds * 1000)}`
  const limit = limitUsd === undefined ? '' : ` of ${limitUsd.toFixed(2)}`
  const name = signer.startsWith('0x') ? `${signer.slice(0, 6)}…${signer.slice(-4)}` : signer
  // Before the other figures: a narrow terminal cuts the end.
  const state = isOn ? '' : '  SWITCHED OFF'
  const last =
    alarm === null ? '' : `  ALARM ${age(alarm.ageSeconds * 1000)} ago: ${alarm.text.replaceAll(/\s+/g, ' ')}`
  return `relayer ${name}${state}  ${open} open${oldest}  gas ${gasUsd.toFixed(2)}${limit} USD in 24 h${last}`
}
