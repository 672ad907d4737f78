// Transfer sizes of the bridge's web pages: `node --import tsx bench/site.ts`
import { cpus } from 'node:os'
import { site } from '../api/site/bundle.ts'

const started = performance.now()
const { sdk, assets, script, style, preloads, template } = await site()
const took = performance.now() - started
const size = (name: string) => assets.get(name)?.gzip.length ?? 0
const first = [script, style, ...preloads]
const total = first.reduce((sum, name) => sum + size(name), Buffer.byteLength(template))
const later = [...assets].filter(([name]) => name.endsWith('.js') && !first.includes(name))

console.log(`${cpus()[0]?.model}, Node ${process.version}`)
console.log(`script for other sites          ${sdk.gzip.length} bytes gzipped, goal 6,000`)
console.log(
  `page until a wallet is chosen   ${total} bytes gzipped, goal 150,000: ${first.map((name) => `${name} ${size(name)}`).join(', ')}`,
)
for (const [name, { gzip }] of later)
  console.log(`when it is needed               ${gzip.length} bytes gzipped: ${name}`)
console.log(`put together in                 ${Math.round(took)} ms, once in a process`)
