// Takes the place of tap in compiled tests: the `t` of a test file. It is the process's own `t` if the file runs alone,
// and one test of it if a process runs several files.
import tap, { type Test } from 'tap'

let current: Test = tap

/**
 * Runs a test file as one test of this process.
 *
 * @param name       its title
 * @param timeoutMs  0: none
 * @param load       imports the file, which adds its tests to `t`
 * @returns whether all of its tests passed and ended
 */
export async function runFile(name: string, timeoutMs: number, load: () => Promise<unknown>): Promise<boolean> {
  const results = await tap.test(name, { timeout: timeoutMs }, async (t) => {
    current = t
    await load()
  })
  return results?.ok === true
}

/** Assertions of all files of this process, and errors outside of tests. */
export function totals(): { passed: number; failed: number } {
  return { passed: tap.counts.pass, failed: tap.counts.fail }
}

/** Prints a line among the results, in order. */
export const printComment = (text: string): void => tap.comment(text)

export default new Proxy(tap, {
  get(_, name) {
    const value: unknown = Reflect.get(current, name)
    return typeof value === 'function' ? value.bind(current) : value
  },
})
