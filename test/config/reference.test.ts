// The configuration reference equals the schema.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { chainSettings, programSettings } from '../../config/environment.ts'
import { withReference } from '../../config/reference.ts'

const page = readFileSync(new URL('../../docs/operate/configuration.md', import.meta.url), 'utf8')

t.test('docs/operate/configuration.md is up to date; `npm run generate` writes it', async (t) => {
  t.equal(page, withReference(page))
})

t.test('every setting has a meaning and a variable of its own', async (t) => {
  const settings = [...programSettings(), ...chainSettings('wax')]
  for (const { env, schema } of settings) {
    t.ok(schema.description, env)
    t.match(page, `\`${env}\``)
  }
  t.equal(new Set(settings.map(({ env }) => env)).size, settings.length)
})
