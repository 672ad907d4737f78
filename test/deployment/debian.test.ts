// docs/operate/service.md and upgrade.md command by command, in a Debian of its own under systemd, next to a node of the
// devnet: installed, killed, with a full disk, booted again, restored, upgraded; then as separate units on Debian's
// PostgreSQL, behind nginx, watched by Prometheus. In long runs only: see debian-machine.ts.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { PrivateKey } from '@wharfkit/antelope'
import t, { type Test } from 'tap'
import { debianMachine, type Machine, noMachine } from '../support/debian-machine.ts'
import { freePort } from '../support/debian-server.ts'
import { until } from '../support/until.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Profile of the devnet's chain. */
const CHAIN = '/opt/headwater/config/demo/telos.json'
const SOURCE = '/root/headwater.git'

/** The fenced blocks of a page, in order, with other texts. @throws Error when a text is in none of them */
function blocksOf(page: string, changes: Readonly<Record<string, string>>): string[] {
  const text = readFileSync(join(ROOT, 'docs/operate', page), 'utf8')
  const blocks = [...text.matchAll(/^```\n((?:.*\n)+?)^```$/gm)].map(([, block = '']) => block)
  for (const from of Object.keys(changes))
    if (!blocks.some((block) => block.includes(from))) throw new Error(`${page} has no ${from}`)
  return blocks.map((block) => Object.entries(changes).reduce((all, [from, to]) => all.replaceAll(from, to), block))
}

interface Node {
  ship: string
  http: string
  firstBlock: number
}

/** Addresses of a node that serves a simulated chain. */
async function devnet(t: Test): Promise<Node> {
  const args = ['--import', 'tsx', 'devnet/main.ts', '--chains', 'telos', '--days', '0.02']
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => void child.kill('SIGTERM'))
  for await (const line of createInterface({ input: child.stdout })) {
    const { event, chains } = JSON.parse(line)
    if (event === 'serving') return chains[0]
  }
  throw new Error('the devnet ended')
}

/** A program `editor` that appends a prepared text to the file, or runs a prepared script on it. */
function editor(root: string): (file: string, script: string) => void {
  const scripts = join(root, 'root/edits')
  mkdirSync(scripts)
  const text = '#!/bin/sh -e\nexec /bin/sh -e "/root/edits/$(basename "$1")" "$1"\n'
  writeFileSync(join(root, 'usr/local/bin/editor'), text, { mode: 0o755 })
  return (file, script) => writeFileSync(join(scripts, file), script)
}

const appends = (lines: string[]) => `cat >> "$1" <<'END'\n${lines.join('\n')}\nEND\n`

interface Position {
  ready: boolean
  block: number
}

/** Whether the API is ready, and the block that is indexed; 0 while it does not answer. */
async function position(port: number): Promise<Position> {
  const answer = await fetch(`http://127.0.0.1:${port}/health/status`).catch(() => null)
  if (!answer?.ok) return { ready: false, block: 0 }
  const { ready, chains } = (await answer.json()) as { ready: boolean; chains: { block: number }[] }
  return { ready, block: chains[0]?.block ?? 0 }
}

/** Waits for a fact. @throws with the log of a unit when it does not come */
async function settled(what: string, { sh }: Machine, unit: string, holds: () => Promise<boolean>): Promise<void> {
  await until(what, holds, 500).catch(async (error: Error) => {
    t.comment(await sh(`systemctl status ${unit} --no-pager || true; journalctl -u ${unit} --no-pager -n 30`))
    throw error
  })
}

/** Waits until the API is ready at a later block than before. @returns that block */
async function ready(what: string, machine: Machine, port: number, after = 0): Promise<number> {
  let last: Position = { ready: false, block: 0 }
  await settled(what, machine, "'headwater*'", async () => {
    last = await position(port)
    return last.ready && last.block > after
  })
  return last.block
}

const problem = noMachine()
if (problem !== null) t.comment(`not run: ${problem}`)
else
  t.test('a service that is installed by its page survives', { timeout: 3_600_000 }, async (t) => {
    const [machine, node, port] = await Promise.all([debianMachine(t), devnet(t), freePort()])
    execFileSync('git', ['clone', '-q', '--bare', ROOT, join(machine.root, SOURCE)])
    execFileSync('git', ['branch', '-f', 'next'], { cwd: join(machine.root, SOURCE) })
    const edit = editor(machine.root)
    await installed(t, machine, edit, node, port)
    await killed(t, machine, port)
    await fullDisk(t, machine, port)
    const block = (await position(port)).block
    await machine.reboot()
    await ready('booted again', machine, port, block)
    await restored(t, machine, port)
    await upgraded(t, machine, port)
    await separate(t, machine, edit, node)
  })

type Edit = ReturnType<typeof editor>

async function installed(
  t: Test,
  machine: Machine,
  edit: Edit,
  { ship, http, firstBlock }: Node,
  port: number,
): Promise<void> {
  const { sh } = machine
  const chain = [`HEADWATER_CHAINS=${CHAIN}`, `HEADWATER_TELOS_SOURCE_START_BLOCK=${firstBlock}`]
  const addresses = [`HEADWATER_TELOS_SOURCE_URLS=${ship}`, `HEADWATER_TELOS_SOURCE_HTTP=${http}`, `PORT=${port}`]
  edit('headwater.env', appends([...chain, ...addresses]))
  const [install = ''] = blocksOf('service.md', { URL: SOURCE, 'journalctl -u headwater -f': 'true' })
  await sh(`apt-get update\n${install}`)
  await ready('started by the page', machine, port)
  t.match(await sh('journalctl -u headwater --no-pager'), /serves/, 'the log is in the journal')
  t.equal((await sh('systemctl show headwater -p User --value')).trim(), 'headwater')
  t.match(await sh('headwater status'), /telos/)
}

/** Programs end by themselves and are started again. */
async function killed(t: Test, machine: Machine, port: number): Promise<void> {
  const { sh } = machine
  for (const [what, command] of [
    ['the program', 'kill -9 $(systemctl show headwater -p MainPID --value)'],
    ['its PostgreSQL', 'pkill -9 -u headwater postgres'],
  ] as const) {
    const { block } = await position(port)
    await sh(command)
    await ready(`${what} was killed`, machine, port, block)
  }
  t.match(await sh('headwater verify'), /^digest/m)
}

async function fullDisk(t: Test, machine: Machine, port: number): Promise<void> {
  const { sh } = machine
  await sh('cat /dev/zero > /var/lib/headwater/filler || true')
  await until(
    'the log names the disk',
    async () => /DISK_FULL/.test(await sh('journalctl -u headwater --no-pager')),
    1000,
  )
  const { block } = await position(port)
  await sh('rm /var/lib/headwater/filler')
  await ready('the disk has room again', machine, port, block)
  t.match(await sh('headwater verify'), /^digest/m)
}

/** A backup of the embedded PostgreSQL as docs/operate/backup.md has it: the folder, copied while the program is stopped. */
async function restored(t: Test, machine: Machine, port: number): Promise<void> {
  const { sh } = machine
  await sh('systemctl stop headwater; cp -a /var/lib/headwater /root/backup; systemctl start headwater')
  const later = await ready('started after the copy', machine, port)
  await sh('systemctl stop headwater; rm -r /var/lib/headwater/*; cp -a /root/backup/. /var/lib/headwater')
  await sh('systemctl start headwater')
  await ready('restored', machine, port, later)
  t.match(await sh('headwater verify'), /^digest/m)
}

async function upgraded(t: Test, machine: Machine, port: number): Promise<void> {
  const { sh } = machine
  const { block } = await position(port)
  const [upgrade = ''] = blocksOf('upgrade.md', { URL: SOURCE, VERSION: 'next' })
  await sh(upgrade)
  await ready('upgraded', machine, port, block)
  t.match(await sh('systemctl show headwater -p ExecStart'), '/opt/headwater-next/bin/headwater.js')
  t.match(await sh('headwater verify'), /^digest/m)
}

/** Indexer, two APIs, cosigner and relayer as units of their own, on Debian's PostgreSQL. */
async function separate(t: Test, machine: Machine, edit: Edit, { http }: Node): Promise<void> {
  const { sh } = machine
  const [api, other] = [await freePort(), await freePort()]
  // nginx has not started yet.
  const changes = { 'systemctl reload nginx': 'systemctl restart nginx' }
  const [, role = '', address = '', logins = '', nginx = '', alerts = ''] = blocksOf('service.md', changes)
  await sh('systemctl disable --now headwater; apt-get install -y postgresql')
  await sh(`${role}\ncat >> /etc/headwater/headwater.env <<'END'\n${address}END\nsystemctl start headwater-index`)
  await sh(`systemctl start headwater-api@${api} headwater-api@${other}`)
  await ready('an API of its own', machine, api)
  await ready('a second one', machine, other)

  const key = String(PrivateKey.generate('K1'))
  const settings = {
    cosign: ['HEADWATER_COSIGN_CHAIN=telos', `HEADWATER_COSIGN_NODE=${http}`],
    relay: [
      `HEADWATER_RELAY_API=http://127.0.0.1:${api}/api/bridge/v1`,
      `HEADWATER_RELAY_NODES=telos=${http}`,
      'HEADWATER_RELAY_EVM_KEY_FILE=',
      'HEADWATER_RELAY_ANTELOPE_KEY_FILE=/run/credentials/headwater-relay.service/key_antelope.key',
      'HEADWATER_RELAY_ACCOUNT=relayer.svc',
      'HEADWATER_RELAY_PERMISSION=relay',
    ],
  }
  for (const [name, lines] of Object.entries(settings))
    edit(`${name}.env`, appends([`HEADWATER_CHAINS=${CHAIN}`, ...lines]))
  const files = 'payer.key relay.keys/antelope.key'
  await sh(`${logins}\ncd /etc/headwater; for file in ${files}; do echo ${key} > $file; done
    for name in cosign relay; do editor /etc/headwater/$name.env; done
    systemctl start headwater-cosign headwater-relay`)
  for (const [name, port] of Object.entries({ cosign: 7702, relay: 7703 })) {
    const serves = async () => (await get(`http://127.0.0.1:${port}/metrics`)).includes(`_${name}_`)
    await settled(`metrics of ${name}`, machine, `headwater-${name}`, serves)
  }
  t.match(await sh('journalctl -u headwater-relay --no-pager'), /"decision"/, 'the relayer reads the work')

  const database = (await position(api)).block
  await sh('systemctl kill -s KILL postgresql@15-main; sleep 1; systemctl start postgresql@15-main')
  await ready('PostgreSQL was killed', machine, api, database)
  await proxied(t, machine, edit, nginx, api)
  await alerted(t, machine, edit, alerts, other)
}

const get = async (url: string) => (await fetch(url).catch(() => null))?.text() ?? ''

/** TLS by nginx. */
async function proxied(t: Test, { sh }: Machine, edit: Edit, block: string, api: number): Promise<void> {
  const [http, https] = [await freePort(), await freePort()]
  const certificate = '-keyout /etc/ssl/headwater/privkey.pem -out /etc/ssl/headwater/fullchain.pem'
  edit(
    'headwater.conf',
    `sed -i 's/wax.example.org feed.example.org/telos.localhost/; s/127.0.0.1:7700/127.0.0.1:${api}/
      s/listen 80;/listen 127.0.0.1:${http};/; s/listen 443/listen 127.0.0.1:${https}/' "$1"`,
  )
  await quietly(sh, 'apt-get install -y nginx openssl')
  await sh(`mkdir /etc/ssl/headwater; rm /etc/nginx/sites-enabled/default
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=telos.localhost ${certificate}
    ${block}`)
  const status = (path: string) => {
    const place = `--resolve telos.localhost:${https}:127.0.0.1 https://telos.localhost:${https}${path}`
    return sh(`curl -sk -o /dev/null -w '%{http_code}' ${place}`)
  }
  t.same([await status('/api/v2/tickers'), await status('/metrics')], ['200', '403'])
}

/** An alert of Debian's Prometheus reaches the webhook of Debian's Alertmanager. */
async function alerted(t: Test, { sh }: Machine, edit: Edit, block: string, api: number): Promise<void> {
  const heard: string[] = []
  const server = createServer(async (request, response) => {
    heard.push(await text(request))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const [prometheus, manager] = [await freePort(), await freePort()]
  edit('prometheus.yml', `sed -i 's/127.0.0.1:9093/127.0.0.1:${manager}/; s/127.0.0.1:7700/127.0.0.1:${api}/' "$1"`)
  edit(
    'alertmanager.yml',
    `sed -i 's#127.0.0.1:9999/replace-with-your-webhook#127.0.0.1:${port}/#; s/group_wait: 30s/group_wait: 1s/' "$1"`,
  )
  await quietly(sh, 'apt-get install -y --no-install-recommends prometheus prometheus-alertmanager')
  const options = { prometheus: '', 'prometheus-alertmanager': ' --cluster.listen-address=' }
  for (const [name, also] of Object.entries(options)) {
    const listen = name === 'prometheus' ? prometheus : manager
    await sh(`echo 'ARGS="--web.listen-address=127.0.0.1:${listen}${also}"' > /etc/default/${name}`)
  }
  await sh(block)
  const up = `http://127.0.0.1:${prometheus}/api/v1/query?query=up`
  await until('the metrics are read', async () => /"value":\[[\d.]+,"1"\]/.test(await get(up)), 1000)
  t.same(heard, [])
  await sh(`systemctl stop headwater-api@${api}`)
  await until('the alert', () => heard.some((body) => body.includes('HeadwaterDown')), 1000)
}

/** Installs packages whose services do not start yet, because their default ports may be taken. */
async function quietly(sh: Machine['sh'], install: string): Promise<void> {
  const file = '/usr/sbin/policy-rc.d'
  await sh(`printf '#!/bin/sh\\nexit 101\\n' > ${file}; chmod 755 ${file}; ${install}; rm ${file}`)
}
