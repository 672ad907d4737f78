// Chromium from Debian's packages, unpacked into a folder: nothing is installed, and nobody has to be root. What the
// system has already is not fetched again.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PACKAGE = 'chromium'
/** Milliseconds for each of the steps. */
const PATIENCE = { lists: 180_000, plan: 120_000, download: 300_000, unpack: 120_000 }
const PLANNED = /^Inst (\S+) (?:\[[^\]]*\] )?\((\S+) /

/**
 * Fetches the package with all that it needs and that is not installed, and unpacks it.
 *
 * @param target  where its files go: `<target>/usr/lib/chromium`. Is there when all of it is.
 * @throws Error when there is no apt, or the packages cannot be had
 */
export async function unpackChromium(target: string): Promise<void> {
  removeLeftovers(target)
  const work = `${target}.part-${process.pid}`
  for (const folder of ['lists/partial', 'cache/archives/partial', 'packages', 'root'])
    mkdirSync(join(work, folder), { recursive: true })
  // apt keeps its lists and its cache here, and does not change to a user of its own who may not write here.
  const options = [`Dir::State::Lists=${work}/lists`, `Dir::Cache=${work}/cache`, 'APT::Sandbox::User=root'].flatMap(
    (option) => ['-o', option],
  )
  const apt = (patience: number, ...words: string[]) =>
    run('apt-get', [...options, '-q', ...words], {
      cwd: join(work, 'packages'),
      timeout: patience,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 2 ** 20,
      env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    })
  try {
    await apt(PATIENCE.lists, 'update')
    const plan = await apt(PATIENCE.plan, '-s', '--no-install-recommends', 'install', PACKAGE)
    const wanted = plan.stdout.split('\n').flatMap((line) => {
      const [, name, version] = PLANNED.exec(line) ?? []
      return name === undefined ? [] : [`${name}=${version}`]
    })
    if (wanted.length === 0) throw new Error(`apt does not plan to install ${PACKAGE}`)
    await apt(PATIENCE.download, 'download', ...wanted)
    for (const file of readdirSync(join(work, 'packages')))
      await run('dpkg-deb', ['-x', join(work, 'packages', file), join(work, 'root')], { timeout: PATIENCE.unpack })
    writeFileSync(join(work, 'root/fonts.conf'), fontConfiguration(target))
    renameSync(join(work, 'root'), target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** A process that was killed could not remove its own: hundreds of megabytes. */
function removeLeftovers(target: string): void {
  const folder = dirname(target)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^${basename(target)}\\.part-(\\d+)$`).exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** The same fonts wherever the tests run: a system without any has none of its own configuration either. */
function fontConfiguration(target: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <dir>${target}/usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${target}/font-cache</cachedir>
</fontconfig>
`
}
