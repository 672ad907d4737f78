// Prepares the coverage that test processes have written for c8. Node names the sources of a compiled module by URL. c8
// compares its folders with paths, so it takes each function of a module with several sources for one of a file to leave
// out, and reports all lines as covered.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What Node writes to NODE_V8_COVERAGE at the end of a process. */
interface ProcessCoverage {
  result: { url: string }[]
  'source-map-cache'?: Record<string, { data: { sources: string[] } | null }>
}

/**
 * Replaces the URLs of sources by paths, and removes scripts without a source in the folder of ours: most of the bytes are
 * those of packages.
 *
 * @param folder  files of all processes
 * @param ours    absolute path; its `node_modules` do not count
 */
export function prepareCoverage(folder: string, ours: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const coverage = parsed(readFileSync(path, 'utf8'))
    if (coverage === null) rmSync(path)
    else writeFileSync(path, JSON.stringify(prepared(coverage, ours)))
  }
}

/** Null if the process was killed while it wrote. */
function parsed(text: string): ProcessCoverage | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function prepared(coverage: ProcessCoverage, ours: string): ProcessCoverage {
  const isOurs = (path: string) => path.startsWith(join(ours, '/')) && !path.includes('/node_modules/')
  const maps: NonNullable<ProcessCoverage['source-map-cache']> = {}
  for (const [url, map] of Object.entries(coverage['source-map-cache'] ?? {})) {
    const sources = map.data?.sources.map((source) => (source.startsWith('file:') ? fileURLToPath(source) : source))
    if (sources?.some(isOurs)) maps[url] = { ...map, data: { ...map.data, sources } }
  }
  // Sources that were not compiled have no map.
  const isKept = (url: string) => maps[url] !== undefined || (url.startsWith('file:') && isOurs(fileURLToPath(url)))
  return { ...coverage, result: coverage.result.filter(({ url }) => isKept(url)), 'source-map-cache': maps }
}
