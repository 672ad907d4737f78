// Serving of pages: nothing is loaded from other sites, and files are sent only once until they change.
import t from 'tap'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

t.test('pages and their files', async (t) => {
  const api = await testApi(t, await testDatabase(t))
  for (const page of ['/', '/docs']) {
    const { status, headers, text } = await api.get(page)
    t.equal(status, 200)
    t.match(headers['content-type'], /^text\/html/)
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((rule) => [rule.slice(0, rule.indexOf(' ')), rule.slice(rule.indexOf(' ') + 1)]),
    )
    // The API reference creates style elements. Scripts and connections come from this server only, on every page.
    const styles = page === '/docs' ? "'self' 'unsafe-inline'" : "'self'"
    t.match(policy, { 'default-src': "'none'", 'script-src': "'self'", 'connect-src': "'self'" })
    t.equal(policy['style-src'], styles)
    t.equal(policy['frame-ancestors'], "'none'")
    t.notMatch(text, / (on\w+|style)=/, 'nothing inline, which the policy would forbid')
    t.notMatch(text, /<script(?![^>]*src=)/)
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]*\.(?:js|css))"/g)].map(([, path]) => path as string)
    t.ok(files.length >= 2)
    for (const file of [page, ...files]) {
      const first = await api.get(file)
      t.same([first.status, first.headers['x-content-type-options']], [200, 'nosniff'], file)
      t.equal(first.headers['cache-control'], 'public, no-cache')
      const again = await api.get(file, { 'if-none-match': String(first.headers.etag) })
      t.same([again.status, again.text], [304, ''], `${file} is not sent again`)
      t.equal((await api.get(file, { 'if-none-match': 'W/"x"' })).status, 200)
      for (const [, asset] of first.text.matchAll(/from '(\.[^']+)'/g)) {
        const path = new URL(asset as string, `http://x${file}`).pathname
        t.match((await api.get(path)).headers['content-type'], /^text\/javascript/, path)
      }
      // The reference's package contains names of other sites as texts. A browser test checks that it requests none of
      // them.
      if (file !== '/docs/reference.js') t.notMatch(first.text, /https?:\/\/(?!www\.w3\.org)/, 'no address of others')
    }
  }
  t.equal((await api.get('/', { host: 'anything.example' })).status, 200, 'on any host')
})
