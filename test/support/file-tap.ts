// Takes the place of tap in compiled tests: the `t` of a test file. It is the process's own `t` if the file runs alone,
// and one test of it if a process runs several files.
import tap, { type Test } from 'tap'

let current: Test = tap

/** What one file brought about in a process of several files. */
export interface FileResult {
  passed: number
  failed: number
  isOk: boolean
}

/**
 * Runs a test file as one test of this process.
 *
 * @param name       its title
 * @param timeoutMs  0: none
 * @param load       imports the file, which adds its tests to `t`
 */
export async function runFile(name: string, timeoutMs: number, load: () => Promise<unknown>): Promise<FileResult> {
  const { pass, fail } = tap.counts
  const results = await tap.test(name, { timeout: timeoutMs }, async (t) => {
    current = t
    await load()
  })
  // Errors outside of the file's tests count too.
  const failed = tap.counts.fail - fail
  return { passed: tap.counts.pass - pass, failed, isOk: failed === 0 && results?.ok === true }
}

/** Prints a line among the results, in order. */
export const printComment = (text: string): void => tap.comment(text)

export default new Proxy(tap, {
  get(_, name) {
    const value: unknown = Reflect.get(current, name)
    return typeof value === 'function' ? value.bind(current) : value
  },
})
