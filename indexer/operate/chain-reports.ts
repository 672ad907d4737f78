// Stores the current fault of each chain's indexer in the database, so that other processes can show it. Writes at most
// once per `everyMs`, over a connection that is opened and closed for it. A failed write is retried later.
import { type HeadwaterError, UserError } from '../../core/errors.ts'
import { openClient } from '../../net/postgres.ts'

/** Codes of faults that are corrected at once, or that do not concern the chain's blocks. */
const IGNORED: ReadonlySet<string> = new Set([
  'SHIP_REPEAT',
  'SHIP_NO_CHAIN_ID',
  'EVM_UNCONFIRMED',
  'EVM_TOO_MUCH',
  'EVM_LOGS_FALSE',
  'EVM_LOGS_MISSING',
  'unproved',
])
/** Codes of faults in which a node contradicts final blocks. */
const CONTRADICTIONS: ReadonlySet<string> = new Set([
  'EVM_CONTRADICTION',
  'SHIP_IRREVERSIBLE',
  'HYPERION_LATE',
  'FINALITY_MISMATCH',
  'CERTIFICATE_INVALID',
])
/** Codes of a chain that another process indexes, and reports on. */
const OTHER_PROCESS: ReadonlySet<string> = new Set(['WRITER_FENCED'])
const MAX_TEXT = 500

const WRITE = `
  insert into meta.chain_reports as r (chain, started_at, fault_code, fault, fault_at, ended, contradiction, contradiction_at)
  values ($1, clock_timestamp() - make_interval(secs => $2), $3, $4, clock_timestamp() - make_interval(secs => $5), $6,
    $7, clock_timestamp() - make_interval(secs => $8))
  on conflict (chain) do update set started_at = excluded.started_at, fault_code = excluded.fault_code, fault = excluded.fault,
    fault_at = excluded.fault_at, ended = excluded.ended, contradiction = excluded.contradiction,
    contradiction_at = excluded.contradiction_at`

interface Fault {
  code: string
  text: string
  /** `performance.now()`, ms. */
  at: number
}

interface Report {
  startedAt: number
  fault: Fault | null
  contradiction: Fault | null
  ended: boolean
}

export class ChainReports {
  private readonly databaseUrl: string
  private readonly everyMs: number
  private readonly reports = new Map<string, Report>()
  private readonly changed = new Set<string>()
  private timer: NodeJS.Timeout | null = null
  private writing: Promise<void> = Promise.resolve()
  private isClosed = false

  /** @param everyMs  minimum time between two writes */
  constructor(databaseUrl: string, everyMs = 1000) {
    this.databaseUrl = databaseUrl
    this.everyMs = everyMs
  }

  /** Called when an indexer starts on a chain. Clears earlier reports. */
  began(chain: string): void {
    this.reports.set(chain, { startedAt: performance.now(), fault: null, contradiction: null, ended: false })
    this.plan(chain)
  }

  /** Called on an error that is retried. @param code  stable */
  fault(chain: string, code: string, message: string): void {
    const report = this.reports.get(chain)
    if (report === undefined || IGNORED.has(code) || OTHER_PROCESS.has(code)) return
    const fault = { code, text: readable(chain, message), at: performance.now() }
    report.fault = fault
    if (CONTRADICTIONS.has(code)) report.contradiction = fault
    this.plan(chain)
  }

  /** Called when the chain's indexer ends with an error. */
  ended(chain: string, error: unknown): void {
    const { code = 'bug', message, hint } = error as Partial<HeadwaterError>
    const report = this.reports.get(chain)
    if (report === undefined || OTHER_PROCESS.has(code)) return
    const advice = error instanceof UserError && hint !== undefined ? `; ${hint}` : ''
    this.fault(chain, code, `${message}${advice}`)
    report.ended = true
    this.plan(chain)
  }

  /** Writes pending reports. */
  async close(): Promise<void> {
    this.isClosed = true
    if (this.timer !== null) clearTimeout(this.timer)
    await this.write()
  }

  private plan(chain: string): void {
    this.changed.add(chain)
    if (this.isClosed) return
    this.timer ??= setTimeout(() => {
      this.timer = null
      void this.write()
    }, this.everyMs).unref()
  }

  private write(): Promise<void> {
    this.writing = this.writing.then(() => this.writeChanged())
    return this.writing
  }

  private async writeChanged(): Promise<void> {
    const chains = [...this.changed]
    if (chains.length === 0) return
    this.changed.clear()
    const client = openClient({
      connectionString: this.databaseUrl,
      application_name: 'headwater reports',
      connectionTimeoutMillis: 5000,
    })
    try {
      await client.connect()
      for (const chain of chains) await client.query(WRITE, valuesOf(chain, this.reports.get(chain) as Report))
    } catch {
      for (const chain of chains) this.plan(chain)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

function valuesOf(chain: string, { startedAt, fault, contradiction, ended }: Report): unknown[] {
  const age = (at: number | undefined) => (at === undefined ? null : (performance.now() - at) / 1000)
  return [
    ...[chain, age(startedAt), fault?.code ?? null, fault?.text ?? null, age(fault?.at), ended],
    ...[contradiction?.text ?? null, age(contradiction?.at)],
  ]
}

/** A message without its chain prefix. Addresses are cut to their host, because they may contain a key. */
function readable(chain: string, message: string): string {
  const own = message.startsWith(`${chain}: `) ? message.slice(chain.length + 2) : message
  return own.replace(/\b(wss?|https?):\/\/[^\s'"]+/g, hostOnly).slice(0, MAX_TEXT)
}

function hostOnly(address: string): string {
  const [, url = address, rest = ''] = /^(.*?)([:;,.)]*)$/.exec(address) ?? []
  return URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}${rest}` : '(an address)'
}
