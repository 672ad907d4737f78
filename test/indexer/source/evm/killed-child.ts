// An indexer that kills itself with SIGKILL at a step of its n-th commit.
import { evmParts, indexEvmChain } from '../../../../indexer/run-evm.ts'

const { point, commit, endBlock, ...options } = JSON.parse(process.argv[2] as string)
const silent = () => {}
let seen = 0

await indexEvmChain({
  ...options,
  ...evmParts({ ...options, rangeBlocks: 3 }),
  startBlock: 1,
  endBlock,
  signal: new AbortController().signal,
  events: { opened: silent, committed: silent, forked: silent, decoded: silent, retrying: silent },
  onPoint(at) {
    if (at === point && ++seen === commit) process.kill(process.pid, 'SIGKILL')
  },
})
