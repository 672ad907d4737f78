// Settings of the embedded server, written before each start: for a small machine that also runs the indexer, and safe
// against power loss unless `durable` is false.
import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

export interface ServerSettings {
  port: number
  sockets: string
  /** Whether commits wait for the disk. False only for data that can be made again, as in tests. */
  durable: boolean
}

const MB = 2 ** 20

/**
 * Text of postgresql.conf. An operator's `custom.conf` in the same folder overrides it.
 */
export function serverConfiguration({ port, sockets, durable }: ServerSettings): string {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  const buffers = Math.round(Math.min(Math.max(memory / 16 / MB, 64), 512))
  const settings: Record<string, string> = {
    listen_addresses: quote('127.0.0.1'),
    port: String(port),
    unix_socket_directories: quote(sockets),
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${Math.round(memory / 2 / MB)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: `${buffers}MB`,
    dynamic_shared_memory_type: sharedMemoryKind(),
    max_parallel_workers_per_gather: '1',
    wal_compression: durable ? 'pglz' : 'off',
    wal_buffers: '16MB',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_checkpoints: 'off',
    log_line_prefix: quote('%m [%p] '),
    include_if_exists: quote('custom.conf'),
  }
  return Object.entries(settings)
    .map(([name, value]) => (name === 'include_if_exists' ? `${name} ${value}\n` : `${name} = ${value}\n`))
    .join('')
}

/** Text of pg_hba.conf: the socket is open, because its folder is private to the account; TCP needs the password. */
export const HOST_BASED_AUTHENTICATION = `local all all trust
local replication all trust
host all all 127.0.0.1/32 scram-sha-256
host replication all 127.0.0.1/32 scram-sha-256
`

/** Containers often have 64 MB in /dev/shm, too little for parallel queries; then files are used. */
function sharedMemoryKind(): string {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return bsize * blocks >= 256 * MB ? 'posix' : 'mmap'
  } catch {
    return 'mmap'
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
