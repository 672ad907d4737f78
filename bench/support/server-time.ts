// Processor time of a PostgreSQL server on this machine: of its first process, of all that it has ended, and of those
// that run.
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** Ticks of /proc in a second. */
const TICKS = 100

interface ProcessTimes {
  parent: number
  /** Of itself, and of the children that ended, ticks. */
  own: number
  children: number
}

export class ServerTime {
  readonly #server: number

  private constructor(server: number) {
    this.#server = server
  }

  static async of(url: string): Promise<ServerTime> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const times = timesOf(rows[0]?.pid ?? 0)
    await client.end()
    if (!times) throw new Error('the server runs on another machine: its processor time is not known')
    return new ServerTime(times.parent)
  }

  /** Seconds since the server was started. */
  seconds(): number {
    const server = timesOf(this.#server)
    let ticks = server ? server.own + server.children : 0
    for (const name of readdirSync('/proc')) {
      const times = /^\d+$/.test(name) ? timesOf(Number(name)) : null
      if (times?.parent === this.#server) ticks += times.own
    }
    return ticks / TICKS
  }
}

/** Processor time of a process since its start, without its children, seconds. */
export function processSeconds(pid: number): number {
  return (timesOf(pid)?.own ?? 0) / TICKS
}

function timesOf(pid: number): ProcessTimes | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may have spaces. Fields: proc(5), from the third one on.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [parent, user, system, childUser, childSystem] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]))
    return {
      parent: parent ?? 0,
      own: (user ?? 0) + (system ?? 0),
      children: (childUser ?? 0) + (childSystem ?? 0),
    }
  } catch {
    return null
  }
}
