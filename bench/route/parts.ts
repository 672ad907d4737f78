// Parts and tuning constants of core/route as changes of its source: without the part, or with another number.
import type { Change } from './versions.ts'

/** Another value of a constant. */
function constant(file: string, name: string, from: string, to: string): Change[] {
  return [{ file, from: `const ${name} = ${from}\n`, to: `const ${name} = ${to}\n` }]
}

export const PARTS: Record<string, Change[]> = {
  "Newton's step": [{ file: 'split.ts', from: 'if (failed.size === 0 && this.step(least)) continue', to: '' }],
  'moves between two paths': [{ file: 'split.ts', from: '|| !this.exchange(pair, least, failed)', to: '|| pair' }],
  'small shares': [{ file: 'plan.ts', from: '[...SHARES, ...SMALL_SHARES, ...TINY_SHARES]', to: 'SHARES' }],
  swaps: [{ file: 'plan.ts', from: 'if (isFar) best', to: 'if (0) best' }],
  'trials of a local search': constant('local-search.ts', 'TRIALS', '1200', '400'),
}
