// Unpacks programs of Debian's packages into a folder: installs nothing and needs no root. Packages that the system
// already has are not downloaded.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Timeouts of the steps, milliseconds. */
const PATIENCE = { lists: 180_000, plan: 120_000, download: 300_000, unpack: 120_000 }
const PLANNED = /^Inst (\S+) (?:\[[^\]]*\] )?\((\S+) /

/** As `unpackPackage`, plus a font configuration. The program is in `<target>/usr/lib/chromium`. */
export function unpackChromium(target: string): Promise<void> {
  const prepare = (root: string) => writeFileSync(join(root, 'fonts.conf'), fontConfiguration(target))
  return unpackPackage('chromium-headless-shell', target, { prepare })
}

interface Unpacking {
  /** Adds files before the folder appears. */
  prepare?: (root: string) => void
  /** Without dependencies, for a program that needs none of them. */
  isAlone?: boolean
}

/**
 * Downloads a package with its missing dependencies, and unpacks them.
 *
 * @param target  folder for the files, `<target>/usr/...`; appears only when it is complete
 * @throws Error when apt is missing, or the packages cannot be downloaded
 */
export async function unpackPackage(
  name: string,
  target: string,
  { prepare, isAlone = false }: Unpacking = {},
): Promise<void> {
  removeLeftovers(target)
  const work = `${target}.part-${process.pid}`
  for (const folder of ['lists/partial', 'cache/archives/partial', 'packages', 'root'])
    mkdirSync(join(work, folder), { recursive: true })
  // Keeps apt's lists and cache here, as this user: apt's sandbox user may not write here.
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
    const plan = await apt(PATIENCE.plan, '-s', '--no-install-recommends', 'install', name)
    const wanted = plan.stdout.split('\n').flatMap((line) => {
      const [, planned, version] = PLANNED.exec(line) ?? []
      return planned === undefined || (isAlone && planned !== name) ? [] : [`${planned}=${version}`]
    })
    if (wanted.length === 0) throw new Error(`apt does not plan to install ${name}`)
    await apt(PATIENCE.download, 'download', ...wanted)
    for (const file of readdirSync(join(work, 'packages')))
      await run('dpkg-deb', ['-x', join(work, 'packages', file), join(work, 'root')], { timeout: PATIENCE.unpack })
    prepare?.(join(work, 'root'))
    renameSync(join(work, 'root'), target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Removes folders of killed runs, of hundreds of megabytes. */
function removeLeftovers(target: string): void {
  const folder = dirname(target)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    const pid = new RegExp(`^${basename(target)}\\.part-(\\d+)$`).exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** The same fonts wherever the tests run: a system without fonts has no font configuration either. */
function fontConfiguration(target: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <dir>${target}/usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${target}/font-cache</cachedir>
</fontconfig>
`
}
