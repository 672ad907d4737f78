// Proofs of withdrawals: speed of following finality in a backfill and near the head, response time from a tree of 60
// million leaves, and time from a burn to its proof.
// Usage: node --import tsx bench/proofs.ts [following] [burning] [answers] [delay]
import { benchAnswers } from './proofs/answers.ts'
import { benchBurning } from './proofs/burning.ts'
import { benchDelay } from './proofs/delay.ts'
import { benchFollowing } from './proofs/following.ts'
import { hardware } from './support/hardware.ts'

const LEAVES = 60_000_000
const parts = {
  following: () => benchFollowing(LEAVES),
  burning: () => benchBurning(1000),
  answers: () => benchAnswers(Number(process.env.LEAVES ?? LEAVES)),
  delay: () => benchDelay(30),
}

const selected = process.argv.slice(2)
console.log(hardware())
for (const [name, run] of Object.entries(parts)) if (selected.length === 0 || selected.includes(name)) await run()
