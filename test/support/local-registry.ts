// An npm registry on this machine, which offers the packages of the checkout's node_modules: what is packed can be
// installed as users do, without a network. It describes them with the overrides of package.json, which only apply to
// the checkout itself otherwise.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

interface Test {
  teardown(work: () => unknown): void
}

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
}

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = 'node_modules/'

/** @returns the registry's URL; it stops at the end of the test */
export async function startLocalRegistry(t: Test): Promise<string> {
  const packages = installedPackages()
  const server = createServer((request, response) => answer(packages, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Folders of each package by version. */
function installedPackages(): Map<string, Map<string, string>> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>
  }
  const packages = new Map<string, Map<string, string>>()
  for (const [path, { link }] of Object.entries(lock.packages)) {
    if (link || !path.includes(FOLDER) || !existsSync(join(ROOT, path, 'package.json'))) continue
    const { name, version } = manifestIn(join(ROOT, path))
    const versions = packages.get(name) ?? new Map<string, string>()
    packages.set(name, versions.set(version, join(ROOT, path)))
  }
  return packages
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** The package's manifest with the overrides of the checkout. */
function described(folder: string): Manifest {
  const manifest = manifestIn(folder)
  const { overrides } = manifestIn(ROOT) as Manifest & { overrides: Record<string, Record<string, string>> }
  return { ...manifest, dependencies: { ...manifest.dependencies, ...overrides[manifest.name] } }
}

/** `/NAME` describes a package; `/NAME/-/VERSION.tgz` is the file of a version. */
function answer(
  packages: ReadonlyMap<string, ReadonlyMap<string, string>>,
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const [name = '', file] = decodeURIComponent(url).slice(1).split('/-/')
  const versions = packages.get(name)
  if (versions === undefined) return void response.writeHead(404).end()
  if (file !== undefined) {
    const folder = versions.get(file.replace(/\.tgz$/, ''))
    if (folder === undefined) return void response.writeHead(404).end()
    const tar = spawn('tar', ['-cf', '-', '--exclude', './node_modules', '-C', folder, '.'])
    return void tar.stdout.pipe(response)
  }
  const all = [...versions].map(([version, folder]) => {
    const dist = { tarball: `http://${headers.host}/${name}/-/${version}.tgz` }
    return [version, { ...described(folder), dist }]
  })
  const latest = [...versions.keys()].at(-1)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(all) }))
}
