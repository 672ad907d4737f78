// Faults of a cosigner's node, payer and clients.
import { type CosignerPlace, openCosignerPlace } from './cosigner-place.ts'
import type { Scene } from './place.ts'

const open = openCosignerPlace
const MINUTE = 60

export const cosignerScenes: readonly Scene<CosignerPlace>[] = [
  {
    name: 'cosigner-healthy',
    fault: 'none: a cosigner with a node, and a client that asks for a signature each second',
    ...{ open, healthySeconds: 5 * MINUTE, faultySeconds: 0, moreSeconds: 30 * MINUTE, fires: [] },
    make: async () => () => {},
  },
  {
    // The cosigner asks for the CPU every two minutes.
    leavesTraces: true,
    name: 'payer-is-short-of-cpu',
    fault: 'the payer has used 85 percent of its CPU',
    ...{ open, faultySeconds: 180, moreSeconds: 5 * MINUTE, fires: ['HeadwaterCosignThrottled'] },
    also: ['HeadwaterCosignSlow'],
    async make({ useCpu }) {
      useCpu(85)
      return () => useCpu(10)
    },
  },
  {
    name: 'node-of-cosigner-is-down',
    fault: 'the node of the cosigner ends every connection',
    ...{ open, faultySeconds: 120, moreSeconds: 5 * MINUTE, fires: ['HeadwaterCosignUnavailable'] },
    also: ['HeadwaterCosignSlow'],
    async make({ node }) {
      node.isDown = true
      return () => {
        node.isDown = false
      }
    },
  },
  {
    name: 'node-of-cosigner-is-slow',
    fault: 'the node of the cosigner answers 0.7 seconds later',
    ...{ open, faultySeconds: 120, moreSeconds: 6 * MINUTE, fires: ['HeadwaterCosignSlow'] },
    async make({ front }) {
      front.delayMs = 700
      return () => {
        front.delayMs = 0
      }
    },
  },
  {
    name: 'client-asks-at-random',
    fault: 'a client asks 20 times a second for a signature of nonsense',
    ...{ open, faultySeconds: 120, moreSeconds: 10 * MINUTE, fires: ['HeadwaterCosignRefusals'] },
    also: ['HeadwaterCosignSlow'],
    make: async ({ pester }) => pester(20),
  },
]
