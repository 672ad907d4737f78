// Writes every generated file of the repository: `npm run generate`. Starts an empty PostgreSQL for the pages and the
// snapshot that describe the schema. Continuous integration runs it and fails when a file changes. The one exception is
// api/description/examples.json, whose answers carry the time of the demo that gave them (generate-examples.ts).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { helpTexts } from '../bin/cli/help-texts.ts'
import { noticeText } from '../bin/notice.ts'
import { clientTypes } from '../client/generate.ts'
import { withReference } from '../config/reference.ts'
import { compileAgain } from '../contracts/compile.ts'
import { startEmbeddedPostgres } from '../indexer/store/embedded/server.ts'
import { migrate } from '../migrations/migrate.ts'
import { openPool } from '../net/postgres.ts'
import { contractTypes } from './generate-contract-types.ts'
import { dataDictionary } from './generate-dictionary.ts'
import { errorPage } from './generate-errors.ts'
import { schemaText } from './schema-text.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Texts of the files that describe the schema, by path. */
async function ofSchema(): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-generate-'))
  const server = await startEmbeddedPostgres({ dataDir, ephemeral: true, durable: false })
  try {
    await migrate(server.url)
    const pool = openPool({ connectionString: server.url, max: 1 })
    try {
      return {
        'docs/data/data-dictionary.md': await dataDictionary(pool),
        'test/fixtures/schema.sql': await schemaText(pool),
      }
    } finally {
      await pool.end()
    }
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const files: Record<string, string> = {
  ...(await ofSchema()),
  ...contractTypes(),
  'docs/operate/errors.md': await errorPage(),
  'docs/operate/configuration.md': withReference(read('docs/operate/configuration.md')),
  'client/generated/openapi.ts': await clientTypes(),
  'bin/help.json': `${JSON.stringify(await helpTexts(), null, 2)}\n`,
  NOTICE: noticeText(read('package-lock.json')),
}
for (const [path, text] of Object.entries(files)) {
  const isSame = read(path) === text
  if (!isSame) writeFileSync(join(ROOT, path), text)
  console.log(`${isSame ? 'same   ' : 'changed'} ${path}`)
}
const isCompiled = compileAgain()
if (isCompiled) execFileSync('npx', ['biome', 'format', '--write', 'contracts/compiled.json'], { cwd: ROOT })
console.log(`${isCompiled ? 'changed' : 'same   '} contracts/compiled.json`)
