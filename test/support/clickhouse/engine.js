// A process that answers ClickHouse's HTTP interface by the real engine, with tables on disk. It kills itself at a
// statement when told to.
// Arguments: folder of the tables, folder for bodies. The environment variable KILL is `before N` or `after N`: the
// N-th statement that inserts.
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

const [tables, bodies] = process.argv.slice(2)
const { Session } = createRequire(import.meta.url)('chdb')
const session = new Session(tables)
const [when = '', at = '0'] = (process.env.KILL ?? '').split(' ')
let inserts = 0
/** Parameters of the interface that are not settings. */
const OTHERS = new Set(['query', 'database', 'wait_end_of_query'])

function statementOf(parameters, body) {
  const query = parameters.get('query')
  const settings = [...parameters].filter(([name]) => !OTHERS.has(name)).map(([name, value]) => `${name} = '${value}'`)
  const given = settings.length === 0 ? '' : `settings ${settings.join(', ')}`
  if (query === null) {
    const sql = body.toString()
    return { sql: sql.startsWith('select') ? `${sql} ${given}` : sql, file: null }
  }
  const [, table, columns] = /^insert into (\w+) \(([^)]*)\) format Parquet$/.exec(query)
  const file = join(bodies, `${randomBytes(6).toString('hex')}.parquet`)
  writeFileSync(file, body)
  return { sql: `insert into ${table} (${columns}) ${given} select ${columns} from file('${file}', Parquet)`, file }
}

function die(moment) {
  if (when === moment && inserts === Number(at)) process.kill(process.pid, 'SIGKILL')
}

const server = createServer(async (asked, response) => {
  const parameters = new URL(asked.url, 'http://x').searchParams
  const { sql, file } = statementOf(parameters, await buffer(asked))
  try {
    if (parameters.has('database')) session.query(`use ${parameters.get('database')}`)
    const isInsert = sql.startsWith('insert')
    if (isInsert) inserts++
    if (isInsert) die('before')
    const answer = session.query(sql)
    if (isInsert) die('after')
    response.end(answer)
  } catch (error) {
    response.writeHead(500).end(error.message)
  } finally {
    if (file !== null) rmSync(file)
  }
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
