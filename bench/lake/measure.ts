// Prints the time of queries.

const ROUNDS = 3

/** The best of several rounds, wall time. */
export async function measure(
  engine: string,
  run: (sql: string) => Promise<unknown>,
  queries: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, sql] of Object.entries(queries)) {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now()
      await run(sql)
      best = Math.min(best, (performance.now() - started) / 1000)
    }
    console.log(`${engine}: ${name}: ${best.toFixed(3)} s, the best of ${ROUNDS}`)
  }
}

export function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}
