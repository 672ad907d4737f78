// Every link between pages leads to an existing file and heading; every page named in the sources exists.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')
const OUTSIDE = /^[a-z]+:|^\//

function filesOf(pattern: RegExp): string[] {
  return walk('.').filter((name) => pattern.test(name))
}

function walk(folder: string): string[] {
  const listed = execFileSync(
    'find',
    [folder, '-type', 'f', '-not', '-path', '*/node_modules/*', '-not', '-path', '*/.*/*'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    },
  )
  return listed.split('\n').filter((name) => name !== '')
}

/** Anchors of a page as GitHub makes them from headings. */
function anchorsOf(page: string): Set<string> {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ +(.+)$/gm)
  const plain = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
  return new Set([...headings].map(([, heading = '']) => plain(heading)))
}

t.test('links of pages', async (t) => {
  const pages = filesOf(/\.md$/)
  t.ok(pages.length > 20)
  for (const page of pages) {
    const text = readFileSync(join(ROOT, page), 'utf8').replace(/```[\s\S]*?```/g, '')
    for (const [, target = '', anchor] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      if (OUTSIDE.test(target)) continue
      const file = target === '' ? join(ROOT, page) : join(ROOT, dirname(page), target)
      if (!existsSync(file)) t.fail(`${page}: ${target} does not exist`)
      else if (anchor && file.endsWith('.md') && !anchorsOf(file).has(anchor))
        t.fail(`${page}: ${relative(ROOT, file)} has no heading #${anchor}`)
    }
  }
})

t.test('pages that sources name', async (t) => {
  const sources = filesOf(/\.(ts|js|sql|sol|yml|md)$|Dockerfile$/)
  for (const source of sources)
    for (const [path] of readFileSync(join(ROOT, source), 'utf8').matchAll(/\bdocs\/[a-z0-9/-]+\.md\b/g))
      if (!existsSync(join(ROOT, path))) t.fail(`${source}: ${path} does not exist`)
  t.ok(sources.length > 500)
})
