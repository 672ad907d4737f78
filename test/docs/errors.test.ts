import { readFile } from 'node:fs/promises'
import t from 'tap'
import { errorPage } from '../../docs/generate-errors.ts'

t.test('the page of error codes matches the source', async (t) => {
  const page = await readFile(new URL('../../docs/operate/errors.md', import.meta.url), 'utf8')
  t.equal(page, await errorPage(), 'run: npm run generate')
  t.match(page, /`SHIP_SILENT` \| retried/)
  t.match(page, /`WRITER_FENCED` \| retried/)
})
