// Files of a Debian-style installation: systemd units, users, folders and settings. Pure: nothing is written here.
import { HARDENING } from './hardening.ts'

export interface Layout {
  /** Absolute path of the Node that runs the program. */
  node: string
  /** Absolute path of the program's folder. */
  program: string
}

export interface SystemFile {
  /** Absolute path on the server. */
  path: string
  /** Permissions, octal. */
  mode: number
  text: string
  /** Whether an operator edits it: then an existing file is not overwritten. */
  isSettings: boolean
}

/** Options of Node with which the program starts (see `start` in package.json). */
const NODE_OPTIONS = '--max-semi-space-size=64 --v8-pool-size=1'
const USER = 'headwater'
const COSIGNER = 'headwater-cosign'
const RELAYER = 'headwater-relay'
const ETC = '/etc/headwater'
const DATA = '/var/lib/headwater'
/** In memory. */
const RUN = '/run'
const CREDENTIALS = `${RUN}/credentials/${RELAYER}.service`

/** All files, in the order in which an operator reads them. */
export function systemFiles(layout: Layout): SystemFile[] {
  return [
    ...Object.entries(UNITS).map(([name, unit]) => ({
      path: `/etc/systemd/system/${name}`,
      mode: 0o644,
      text: unitText(layout, unit),
      isSettings: false,
    })),
    { path: '/usr/local/bin/headwater', mode: 0o755, text: commandText(layout), isSettings: false },
    { path: '/usr/lib/sysusers.d/headwater.conf', mode: 0o644, text: USERS, isSettings: false },
    { path: '/usr/lib/tmpfiles.d/headwater.conf', mode: 0o644, text: FOLDERS, isSettings: false },
    { path: `${ETC}/headwater.env`, mode: 0o640, text: SETTINGS, isSettings: true },
    { path: `${ETC}/cosign.env`, mode: 0o640, text: COSIGNER_SETTINGS, isSettings: true },
    { path: `${ETC}/relay.env`, mode: 0o640, text: RELAYER_SETTINGS, isSettings: true },
  ]
}

/**
 * Runs any command with the user and the settings of a service. Processes with a key get a copy of it, as systemd makes
 * one: in memory, for their user alone, until the command ends.
 */
function commandText({ node, program }: Layout): string {
  return `#!/bin/sh
# A command of Headwater with the user and the settings of indexer and API: headwater status, headwater verify, ...
# With those of another service, and a copy of its keys: headwater --as relay relay status, headwater --as cosign config
# "headwater check" checks all of them.
if [ "$(id -u)" != 0 ]; then
  echo 'headwater: run this as root, it changes to the user of the service' >&2
  exit 1
fi
export HEADWATER_DATA="\${HEADWATER_DATA:-${DATA}}"
as() { # user, settings, command; does not return
  user=$1 settings=$2
  shift 2
  exec setpriv --reuid="$user" --regid="$user" --init-groups --no-new-privs \\
    ${node} --env-file="$settings" ${program}/bin/headwater.js "$@"
}
with_keys() { # service, command
  service=\${1-}
  [ $# -gt 0 ] && shift
  keys=$(mktemp -d ${RUN}/headwater-XXXXXX) || exit 1
  trap 'rm -rf "$keys"' EXIT
  trap 'exit 130' INT TERM
  case $service in
    cosign)
      cp ${ETC}/payer.key "$keys/payer.key" || exit 1
      export HEADWATER_COSIGN_KEY_FILE="$keys/payer.key"
      ;;
    relay)
      for key in ${ETC}/relay.keys/*; do
        if [ -f "$key" ]; then cp "$key" "$keys/key_$(basename "$key")" || exit 1; fi
      done
      ;;
    *)
      echo "headwater: --as $service is no service with a key: use cosign or relay" >&2
      exit 2
      ;;
  esac
  sed "s#${CREDENTIALS}/#$keys/#" "${ETC}/$service.env" > "$keys/settings" || exit 1
  chmod 400 "$keys"/* && chown -R "headwater-$service:headwater-$service" "$keys" || exit 1
  ( as "headwater-$service" "$keys/settings" "$@" )
}
case "\${1-}" in
  --as)
    shift
    with_keys "$@"
    ;;
  check)
    ( as ${USER} ${ETC}/headwater.env "$@" )
    result=$?
    [ "$*" = check ] || exit "$result"
    if [ -s ${ETC}/payer.key ]; then
      echo 'The cosigner:'
      ( with_keys cosign check --only cosign ) || result=1
    fi
    if [ -n "$(ls -A ${ETC}/relay.keys 2>/dev/null)" ] || grep -q '^HEADWATER_RELAY_[A-Z]*_SIGNER=.' ${ETC}/relay.env; then
      echo 'The relayer:'
      ( with_keys relay check --only relay ) || result=1
    fi
    exit "$result"
    ;;
  *)
    as ${USER} ${ETC}/headwater.env "$@"
    ;;
esac
`
}

interface Unit {
  description: string
  /** Further lines of [Unit]. */
  unit?: string
  command: string
  user: string
  settings: string
  /** Further lines of [Service]. */
  service?: string
  /** Variables that settings cannot change. Set in the command, because EnvironmentFile overrides a unit's variables. */
  fixed?: string
  stopSeconds: number
}

function unitText({ node, program }: Layout, parts: Unit): string {
  const { description, unit = '', command, user, settings, service = '', fixed, stopSeconds } = parts
  const start = fixed === undefined ? node : `/usr/bin/env ${fixed} ${node}`
  return `# Written by "headwater service". Change it with "systemctl edit", which keeps changes across upgrades.
[Unit]
Description=${description}
Documentation=file://${program}/docs/operate/service.md
After=network-online.target postgresql.service
Wants=network-online.target
# A node or a database may be away for hours: restarts have no limit.
StartLimitIntervalSec=0
${unit}
[Service]
Type=exec
User=${user}
Group=${user}
WorkingDirectory=${program}
EnvironmentFile=${ETC}/${settings}
Environment=NODE_ENV=production
ExecStart=${start} ${NODE_OPTIONS} ${program}/bin/headwater.js ${command}
Restart=on-failure
RestartSec=5
# A wrong command line stays wrong.
RestartPreventExitStatus=2
# The program stops its own PostgreSQL; what is left after it is killed.
KillMode=mixed
TimeoutStopSec=${stopSeconds}
LimitNOFILE=65536
${service}
${HARDENING}
[Install]
WantedBy=multi-user.target
`
}

/** State of the embedded PostgreSQL and of the demo. */
const STATE = `StateDirectory=headwater
StateDirectoryMode=0700
Environment=HEADWATER_DATA=${DATA}
`
/** Only the cosigner's process sees the key: systemd hands it a copy that no other user can read. */
const KEY = `LoadCredential=payer.key:${ETC}/payer.key
Environment=HEADWATER_COSIGN_KEY_FILE=%d/payer.key
`
/**
 * Every file of the folder is a credential `key_<name>`: a relayer has one key or two, and a named file that is missing
 * would stop the unit.
 */
const RELAY_KEYS = `LoadCredential=key:${ETC}/relay.keys
`

const MAIN = { user: USER, settings: 'headwater.env' }

/** By file name. */
const UNITS: Readonly<Record<string, Unit>> = {
  'headwater.service': {
    ...MAIN,
    description: 'Headwater: indexer and API in one process',
    unit: 'Conflicts=headwater-index.service\n',
    command: 'run',
    service: STATE,
    stopSeconds: 60,
  },
  'headwater-index.service': {
    ...MAIN,
    description: 'Headwater: indexer',
    command: 'index --metrics-port 7701',
    service: STATE,
    stopSeconds: 60,
  },
  'headwater-api@.service': {
    ...MAIN,
    description: 'Headwater: API on port %i',
    command: 'api',
    fixed: 'PORT=%i',
    stopSeconds: 20,
  },
  'headwater-cosign.service': {
    description: 'Headwater: CPU cosigner',
    command: 'cosign',
    user: COSIGNER,
    settings: 'cosign.env',
    service: KEY,
    stopSeconds: 20,
  },
  'headwater-relay.service': {
    description: 'Headwater: relayer of the bridge',
    command: 'relay',
    user: RELAYER,
    settings: 'relay.env',
    service: RELAY_KEYS,
    stopSeconds: 20,
  },
}

const USERS = `# Users without a login. Cosigner and relayer have their own, because they hold keys.
u ${USER} - "Headwater" ${DATA} /usr/sbin/nologin
u ${COSIGNER} - "Headwater cosigner" / /usr/sbin/nologin
u ${RELAYER} - "Headwater relayer" / /usr/sbin/nologin
`

const FOLDERS = `d ${DATA} 0700 ${USER} ${USER}
d ${ETC} 0755 root root
z ${ETC}/headwater.env 0640 root ${USER}
z ${ETC}/cosign.env 0640 root ${COSIGNER}
z ${ETC}/relay.env 0640 root ${RELAYER}
z ${ETC}/payer.key 0600 root root
d ${ETC}/relay.keys 0700 root root
z ${ETC}/relay.keys/* 0600 root root
`

const SETTINGS = `# Settings of indexer and API: docs/operate/configuration.md. "headwater check" checks them.

# Without DATABASE_URL the program runs a PostgreSQL of its own below ${DATA}. Two processes (headwater-index and
# headwater-api@7700) share a server:
#DATABASE_URL=postgresql:///headwater?host=/var/run/postgresql&user=headwater

# With it, the room on the disk of that server is watched (HeadwaterDiskFull):
#HEADWATER_DATABASE_DIR=/var/lib/postgresql

HEADWATER_CHAINS=wax
HEADWATER_WAX_SOURCE_URLS=ws://127.0.0.1:8080
HEADWATER_WAX_SOURCE_HTTP=http://127.0.0.1:8888

# Behind a reverse proxy on the same machine, which adds TLS (docs/operate/service.md).
HEADWATER_HOST=127.0.0.1
#HEADWATER_TRUST_PROXY=127.0.0.1

# Port of the unit headwater. The units headwater-api@PORT have their own.
PORT=7700
`

const COSIGNER_SETTINGS = `# Settings of the cosigner: docs/operate/cosigner.md. The key is the file ${ETC}/payer.key.
DATABASE_URL=postgresql:///headwater?host=/var/run/postgresql&user=headwater-cosign
HEADWATER_CHAINS=wax
HEADWATER_COSIGN_HOST=127.0.0.1
HEADWATER_COSIGN_PORT=7702
HEADWATER_COSIGN_NODE=http://127.0.0.1:8888
`

const RELAYER_SETTINGS = `# Settings of the relayer: docs/operate/relayer.md. "headwater relay --dry-run" tries them.
DATABASE_URL=postgresql:///headwater?host=/var/run/postgresql&user=headwater-relay
HEADWATER_CHAINS=telos,wax,mainnet
HEADWATER_RELAY_API=http://127.0.0.1:7700/api/bridge/v1
# A node for each chain:
HEADWATER_RELAY_NODES=telos=http://127.0.0.1:8888,wax=http://127.0.0.1:8889,mainnet=http://127.0.0.1:8545

# The keys are the files evm.key and antelope.key in ${ETC}/relay.keys. systemd gives the process copies with these names:
HEADWATER_RELAY_EVM_KEY_FILE=${CREDENTIALS}/key_evm.key
#HEADWATER_RELAY_ANTELOPE_KEY_FILE=${CREDENTIALS}/key_antelope.key
# Or a key is at a signer, instead of its file (docs/operate/relayer.md, "Keys at a signer"): Web3Signer, and keosd.
#HEADWATER_RELAY_EVM_SIGNER=http://127.0.0.1:9000
#HEADWATER_RELAY_EVM_ADDRESS=0x1234567890123456789012345678901234567890
#HEADWATER_RELAY_ANTELOPE_SIGNER=http://127.0.0.1:6666
#HEADWATER_RELAY_ANTELOPE_PUBLIC_KEY=PUB_K1_6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5BoDq63
#HEADWATER_RELAY_ACCOUNT=myrelayer
#HEADWATER_RELAY_PERMISSION=relay
#HEADWATER_TELOS_ACCOUNTS_GATEWAYS=[{"account":"gateway.evm","domain":"1"}]

# Maximum USD of gas in 24 hours.
HEADWATER_RELAY_GAS_USD_DAY=20
# Of these, for hand-offs of finalizer policies before a withdrawal needs them.
#HEADWATER_RELAY_HANDOFF_USD_DAY=10
# Nothing is sent until you remove this line:
HEADWATER_RELAY_DRY_RUN=true
`
