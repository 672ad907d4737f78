// NOTICE has the notices that the shipped packages require.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { noticeText } from '../../bin/notice.ts'

const root = new URL('../../', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, root), 'utf8')

t.test('NOTICE matches the lock file; `npm run generate` writes it', async (t) => {
  t.equal(read('NOTICE'), noticeText(read('package-lock.json')))
})

t.test('licences with conditions are named with their packages', async (t) => {
  const notice = read('NOTICE')
  const { dependencies } = JSON.parse(read('package.json'))
  t.match(notice, `@wharfkit/antelope ${dependencies['@wharfkit/antelope']}`)
  t.match(notice, `prom-client ${dependencies['prom-client']}`)
  t.match(notice, /military facility/)
  t.match(notice, /OpenSSL/)
})

t.test('an unknown licence is an error', async (t) => {
  const lock = JSON.stringify({ packages: { 'node_modules/odd': { version: '1.0.0', license: 'Odd-1.0' } } })
  t.throws(() => noticeText(lock), /odd 1\.0\.0 has the licence Odd-1\.0/)
})

t.test('development packages do not ship', async (t) => {
  const lock = JSON.stringify({ packages: { 'node_modules/odd': { version: '1.0.0', license: 'Odd-1.0', dev: true } } })
  t.doesNotThrow(() => noticeText(lock))
})
