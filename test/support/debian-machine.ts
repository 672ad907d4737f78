// A Debian of its own with a running systemd: debootstrap makes it, systemd-nspawn boots it. For long runs, as root. It
// shares the network of this machine, so that it can install packages and reach a node of the devnet.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { until } from './until.ts'

const run = promisify(execFile)
/** Debian 12. */
const SUITE = 'bookworm'
/** What a Debian with its standard packages has, and debootstrap's smallest set lacks. */
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'procps', 'less', 'curl']
const PROGRAMS = ['/usr/sbin/debootstrap', '/usr/bin/systemd-nspawn', '/usr/bin/nsenter']
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', HOME: '/root', LC_ALL: 'C.UTF-8' }
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'
/** Exit code of systemd-nspawn when the machine restarts. */
const REBOOTS = 133
/** Characters of the output in the error of a script. */
const SHOWN = 3000
/** The data folder is a disk of its own, so that it can be full. */
const DATA_MB = 1500
const DATA = '/var/lib/headwater'

/** Why no machine can be made here; null if one can. */
export function noMachine(): string | null {
  if (!process.env.HEADWATER_TEST_LONG) return 'in test:long'
  if (process.getuid?.() !== 0) return 'needs root'
  return PROGRAMS.find((path) => !existsSync(path)) ?? null
}

export interface Machine {
  /** Folder with the machine's files. */
  root: string
  /** Runs a script as root; its output. @throws with output and errors when it fails */
  sh(script: string): Promise<string>
  /** Restarts the machine, and waits until systemd has started its units. */
  reboot(): Promise<void>
}

/** Makes and boots a machine that has this program's Node and npm. It is stopped and removed after the test. */
export async function debianMachine(t: Test): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-debian-'))
  const [root, data] = [join(folder, 'root'), join(folder, 'data')]
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const packages = `--include=${PACKAGES.join()}`
  await run(PROGRAMS[0] as string, ['--variant=minbase', packages, SUITE, root], { maxBuffer: 2 ** 26 })
  addNode(root)
  mkdirSync(data)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DATA_MB}m`, 'tmpfs', data])
  t.teardown(() => execFileSync('umount', [data]))

  // There is no systemd outside that would register the machine.
  const options = ['--register=no', '--keep-unit', '--console=pipe', '--boot', `--bind=${data}:${DATA}`]
  const boot = () => spawn(PROGRAMS[1] as string, [...options, '--directory', root], { stdio: 'ignore' })
  let child = boot()
  t.teardown(() => stopped(child))
  let first = await booted(child)
  return {
    root,
    sh: (script) => inside(first, script),
    async reboot() {
      // systemd-nspawn ends, and says by its code that the machine wants to be started again.
      const end = once(child, 'close')
      // The connection ends with the machine.
      await inside(first, 'systemctl reboot').catch(() => {})
      const [code] = await end
      if (code !== REBOOTS) throw new Error(`systemd-nspawn ended with ${code}`)
      child = boot()
      first = await booted(child)
    },
  }
}

/** The node of this process at /usr/bin, and npm with the settings of this user. */
function addNode(root: string): void {
  cpSync(process.execPath, join(root, 'usr/bin/node'))
  const modules = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim()
  const npm = 'usr/lib/node_modules/npm'
  mkdirSync(dirname(join(root, npm)), { recursive: true })
  cpSync(join(modules, 'npm'), join(root, npm), { recursive: true })
  for (const name of ['npm', 'npx']) symlinkSync(`/${npm}/bin/${name}-cli.js`, join(root, 'usr/bin', name))
  const own = join(homedir(), '.npmrc')
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  // The authorities that this machine trusts: a proxy may have its own.
  cpSync(AUTHORITIES, join(root, AUTHORITIES))
  const settings = `${existsSync(own) ? readFileSync(own, 'utf8') : ''}\nregistry=${registry}\ncafile=${AUTHORITIES}\n`
  writeFileSync(join(root, 'root/.npmrc'), settings, { mode: 0o600 })
}

/** Process id of the machine's systemd, once it has started all units. */
async function booted(child: ChildProcess): Promise<number> {
  let first = 0
  await until('the machine has booted', async () => {
    if (child.exitCode !== null) throw new Error(`systemd-nspawn ended with ${child.exitCode}`)
    const children = await run('pgrep', ['-P', String(child.pid)]).catch(() => null)
    first = Number(children?.stdout.trim())
    // A unit that fails makes it "degraded", which is an answer too.
    const state = first > 0 ? await inside(first, 'systemctl is-system-running || true').catch(() => '') : ''
    return /running|degraded/.test(state)
  })
  return first
}

async function inside(first: number, script: string): Promise<string> {
  const call = ['--all', '--target', String(first), '/bin/sh', '-ec', script]
  const { stdout } = await run(PROGRAMS[2] as string, call, { env: ENVIRONMENT, maxBuffer: 2 ** 26 }).catch((error) => {
    throw new Error(`${script}\n${error.stdout.slice(-SHOWN)}${error.stderr.slice(-SHOWN)}`)
  })
  return stdout
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  // As a power button: the machine ends its services.
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 90_000)
  await once(child, 'close')
  clearTimeout(timer)
}
