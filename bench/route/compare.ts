// Compares the routes of this checkout with those of another one: basis points by which the answers differ (above 0: this
// one is better; a larger difference than 100 counts as 100 in the mean), and the processor time of both, in turn in one
// process. Usage: node --import tsx bench/route/compare.ts <checkout> [requests of each set] [seed] [set ...]
import { Router } from '../../core/route/router.ts'
import { hardware } from '../support/hardware.ts'
import { requestSets } from './requests.ts'
import { compareVersions, routerOf } from './versions.ts'

const [checkout, count = '100', seed = '1', ...asked] = process.argv.slice(2)
if (checkout === undefined) throw new Error('Usage: node --import tsx bench/route/compare.ts <checkout>')

console.log(hardware())
const other = await routerOf(checkout)
for (const set of requestSets(Number(seed), Number(count)))
  if (asked.length === 0 || asked.includes(set.name)) console.log(`${set.name}: ${compareVersions(set, other, Router)}`)
