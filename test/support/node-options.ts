/**
 * Node's options of short processes: code is optimized later, because most of them end before it pays off. Node 22 and
 * newer have no such option.
 */
export const LATER_OPTIMIZATION: readonly string[] =
  Number.parseInt(process.versions.node, 10) < 22 ? ['--interrupt-budget=600000'] : []
