// Compares the last third of a long run with the second one.
import type { Sample } from './sample.ts'

interface Figure {
  name: string
  of: (sample: Sample) => number
  /** Largest growth from the second third to the last one, as a share; more is not flat. */
  growth: number
  unit: string
}

const FIGURES: readonly Figure[] = [
  { name: 'memory of the demo', of: ({ demoMb }) => demoMb, growth: 0.1, unit: 'MB' },
  { name: 'memory of the second API', of: ({ apiMb }) => apiMb, growth: 0.2, unit: 'MB' },
  { name: 'memory of the relayer', of: ({ relayMb }) => relayMb, growth: 0.2, unit: 'MB' },
  { name: 'bytes a row of the ledger', of: ({ bytesPerRow }) => bytesPerRow, growth: 0.05, unit: '' },
  { name: 'answers, p50', of: ({ requests }) => requests.p50, growth: 0.5, unit: 'ms' },
  { name: 'answers, p99', of: ({ requests }) => requests.p99, growth: 0.5, unit: 'ms' },
  { name: 'dead row versions', of: ({ database }) => database.dead, growth: 0.5, unit: '' },
]

/** Prints the figures. @returns whether all are flat and nothing was wrong */
export function report(samples: readonly Sample[]): boolean {
  const third = Math.floor(samples.length / 3)
  const [middle, end] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
  let isFlat = true
  for (const { name, of, growth, unit } of FIGURES) {
    const [before, after] = [medianOf(middle.map(of)), medianOf(end.map(of))]
    const grown = before === 0 ? 0 : after / before - 1
    // Every figure is above 0: a median of 0 means that it was not measured.
    const verdict = before === 0 || after === 0 ? 'NOT MEASURED' : grown <= growth ? 'flat' : 'GROWS'
    if (verdict !== 'flat') isFlat = false
    console.log(
      `  ${name.padEnd(26)} ${before} to ${after} ${unit} (${(100 * grown).toFixed(0)} %, at most ${100 * growth}): ${verdict}`,
    )
  }
  const total = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + of(sample), 0)
  const wrong = total(({ readers }) => readers.wrong)
  const errors = total(({ requests }) => requests.errors)
  console.log(
    `  requests ${total(({ requests }) => requests.requests)}, answered with 5xx ${errors}, without an answer ${total(({ requests }) => requests.broken)}`,
  )
  console.log(
    `  messages of streams ${total(({ readers }) => readers.messages)}, breaks ${total(({ readers }) => readers.breaks)}, undone ${total(({ readers }) => readers.undone)}, wrong ${wrong}`,
  )
  console.log(
    `  blocks orphaned by forks ${samples.at(-1)?.database.orphaned}, largest lag ${Math.max(...samples.map(({ lag }) => lag))} s`,
  )
  console.log(`  transactions of the relayer by state ${JSON.stringify(samples.at(-1)?.relayed)}`)
  return isFlat && wrong === 0
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
