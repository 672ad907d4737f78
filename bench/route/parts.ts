// Parts and tuning constants of core/route as changes of its source: without the part, or with another number.
import type { Change } from './versions.ts'

/** A part that is left out: one text of a file, and another one in its place. */
function part(file: string, from: string, to: string): Change[] {
  return [{ file: `${file}.ts`, from, to }]
}

/** Another value of a constant. */
function constant(file: string, name: string, from: string, to: string): Change[] {
  return part(file, `const ${name} = ${from}\n`, `const ${name} = ${to}\n`)
}

export const PARTS: Record<string, Change[]> = {
  "Newton's step": part('split', 'if (failed.size === 0 && this.step(least)) continue', ''),
  'moves between two paths': part('split', '|| !this.exchange(pair, least, failed)) break', '|| failed) break'),
  'straight pieces for coarse stretches': part('curve', 'if (isCoarse && ', 'if (!isCoarse && '),
  'small shares': constant('model', 'SHARES', '6', '3'),
  'paths next to full venues': part('plan', 'return split.isDrained() ?', 'return split.parts < 0 ?'),
  'paths that begin with a share': part('plan', 'split.shift(path, share)', 'split.execute()'),
  'swaps of paths': part('plan', 'if (from.output - best.output >', 'if (0 >'),
  'several removals': constant('plan', 'REMOVALS', '6', '1'),
  'input moved off full venues': part('router', 'if (share < RATIO ||', 'if (share > 0n ||'),
  'local search': part('router', 'return this.better(from, quoted) ?? from', 'return quoted === null ? from : from'),
  'exact local search': part('router', 'const isExact = !this.isIn || lost > NOTABLE', 'const isExact = !this.isIn'),
  knapsack: part('router', '...this.stepwise(paths), ', ''),
  'limits of venues': part('router', ', ...this.corners(paths)', ''),
  'fewer units of input': part(
    'router',
    'if (from.input >= FEW_UNITS) return from',
    'if (from.input > 0n) return from',
  ),
  'fewer hops and books': [
    ...part('router', 'hops > 0; hops--', 'hops > 0; hops = 0'),
    ...part('router', 'books ? [true, false] : [false]', '[books]'),
  ],
  TRIALS: constant('local-search', 'TRIALS', '1200', '400'),
  SIZES: constant('local-search', 'SIZES', '5', '3'),
  SHORTLIST: constant('model', 'SHORTLIST', '14', '8'),
  RATIO: constant('model', 'RATIO', '4', '8'),
  TRIES: constant('model', 'TRIES', '3', '2'),
  TRIFLE: constant('model', 'TRIFLE', '1e-7', '1e-6'),
  SLIGHT: constant('model', 'SLIGHT', '1e-5', '1e-4'),
  NOTABLE: constant('model', 'NOTABLE', '1e-3', '1e-2'),
  BEAM: constant('local-search', 'BEAM', '4', '2'),
  MAX_MOVES: constant('split', 'MAX_MOVES', '60', '24'),
  SHRINKS: constant('split', 'SHRINKS', '8', '4'),
}
