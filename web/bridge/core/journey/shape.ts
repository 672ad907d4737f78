// The chains of a transfer, from its order or from the bridge's answer.
import type { JourneyAnswer } from '../answers.ts'
import { ZERO_ADDRESS } from '../parties.ts'
import type { Way } from '../routes.ts'

export interface End {
  id: string
  name: string
  kind: 'evm' | 'antelope'
}

export interface Shape {
  from: End
  to: End
  /** The ledger's chain. */
  home: End
  /** Whether the token needs an allowance for the vault. */
  approves: boolean
}

export interface Names {
  nameOf(id: string): string
  kindOf(id: string): 'evm' | 'antelope'
  home: string
}

const endOf = (names: Names, id: string): End => ({ id, name: names.nameOf(id), kind: names.kindOf(id) })

export function shapeOfWay({ route, from, to }: Way, names: Names): Shape {
  return {
    from: endOf(names, from.id),
    to: endOf(names, to.id),
    home: endOf(names, names.home),
    approves: from.kind === 'evm' && route.how.deposit?.token !== ZERO_ADDRESS,
  }
}

export function shapeOfAnswer({ from, to }: JourneyAnswer, names: Names): Shape {
  return {
    from: endOf(names, from.chain),
    to: endOf(names, to.chain),
    home: endOf(names, names.home),
    approves: false,
  }
}

/** The legs of an answer by their role. */
export interface Legs {
  deposit: Leg | null
  /** The withdrawal to the destination. */
  onward: Leg | null
  /** The withdrawal that returns it to its sender. */
  back: Leg | null
}
export type Leg = JourneyAnswer['legs'][number]

export function legsOf({ legs }: JourneyAnswer): Legs {
  const [first = null, second = null, third = null] = legs
  if (first?.key.startsWith('w:')) return { deposit: null, onward: first, back: null }
  // A deposit that bounced has no onward leg.
  return first?.status === 'bounced'
    ? { deposit: first, onward: null, back: second }
    : { deposit: first, onward: second, back: third }
}
