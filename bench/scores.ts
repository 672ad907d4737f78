// One hour of scores over a large exchange: what the first block of an hour waits for. 6,300 pools, 1,600 markets, 4,200 tokens
// that 10,000 accounts hold, and a million swaps.
// Usage: node --import tsx bench/scores.ts [swaps] [holders of each of the ten most held tokens]
import pg from 'pg'
import { chainConfig } from '../config/chain-profile.ts'
