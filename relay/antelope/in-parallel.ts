// Work on a list by several workers.

/**
 * Runs the work on all items, a few at a time. After a failure no further item is begun.
 *
 * @throws the first failure, after every started item has ended
 */
export async function inParallel<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<void>) {
  const next = items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async () => {
    for (let item = next.next(); item.done !== true; item = next.next()) {
      try {
        await work(item.value)
      } catch (error) {
        failures.push(error)
      }
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failures.length > 0) throw failures[0]
}
