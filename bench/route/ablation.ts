// Measures the benefit of each part of the router's search and of its tuning constants: runs the same requests without the
// part, or with another number. Prints for each set of requests the change of the answers (basis points; below 0: worse
// without it) and the processor time, both in turn in one process.
// Usage: node --import tsx bench/route/ablation.ts [requests of each set] [seed] [part ...]
import { Router } from '../../core/route/router.ts'
import { hardware } from '../support/hardware.ts'
import { PARTS } from './parts.ts'
import { requestSets } from './requests.ts'
import { changedRouter, compareVersions } from './versions.ts'

const [count = 100, seed = 1] = process.argv.slice(2, 4).map(Number)
const asked = process.argv.slice(4)

console.log(hardware())
const sets = requestSets(seed, count)
for (const [part, changes] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(part)) continue
  const without = await changedRouter(changes)
  for (const set of sets) console.log(`without ${part}, ${set.name}: ${compareVersions(set, Router, without)}`)
}
