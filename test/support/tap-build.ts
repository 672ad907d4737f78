// Builds tap with the plugins of .taprc. Otherwise the first run after an installation loads plugins that .taprc
// excludes. Building takes seven seconds, so it runs once per installation and .taprc.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const TAP = join(ROOT, 'node_modules/.bin/tap')
/** Installed packages that the result depends on; an installation also removes the marker of the build. */
const PARTS = ['.taprc', 'node_modules/tap/package.json', 'node_modules/@tapjs/test/package.json']

/** @throws when tap cannot be built */
export async function buildTap(): Promise<void> {
  const hash = createHash('sha256')
  for (const part of PARTS) hash.update(readFileSync(join(ROOT, part)))
  const mark = join(ROOT, 'node_modules/@tapjs/test/test-built', `.headwater-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(mark)) return
  const build = spawn(TAP, ['build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const code = await new Promise((resolve) => build.once('exit', resolve))
  if (code !== 0) throw new Error(`tap build failed with exit code ${code}`)
  mkdirSync(dirname(mark), { recursive: true })
  writeFileSync(mark, '')
}
