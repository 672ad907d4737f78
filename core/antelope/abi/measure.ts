// Computes sizes, cost and nesting of an ABI's types, and finds recursive types.

import { DecodeError } from '../../errors.ts'
import type { TypeNode } from './types.ts'

/** Maximum nesting of structs and variants, in types and in values of recursive types. */
export const DEPTH_LIMIT = 32
/** Maximum path through lists, optionals, structs and variants before a type repeats. */
const PATH_LIMIT = 4 * DEPTH_LIMIT
/** Upper bound of sums, far above any decoder's budget. */
const SATURATED = 1e12

/**
 * Measures a node and all nodes below it. A type may contain itself inside a list, an optional, a variant or an
 * extension: such types are marked recursive.
 *
 * @throws DecodeError ABI_RECURSIVE for a type of infinite size, ABI_TOO_DEEP beyond the limits
 */
export function measure(root: TypeNode): void {
  /** Types being measured, each with the number of exits before it. An exit is a member that may be absent or empty. */
  const open = new Map<TypeNode, number>()
  let exits = 0

  const inside = (node: TypeNode, isExit: boolean): void => {
    const outer = open.get(node)
    if (isExit) exits++
    if (outer !== undefined) {
      if (outer === exits) throw new DecodeError('ABI_RECURSIVE', `the ABI's type ${nameOf(node)} holds itself`)
      node.recursive = true
    } else if (node.cost === 0) {
      if (open.size > PATH_LIMIT) throw tooDeep(node)
      open.set(node, exits)
      visit(node)
      open.delete(node)
      if (node.depth > DEPTH_LIMIT) throw tooDeep(node)
    }
    if (isExit) exits--
  }

  const visit = (node: TypeNode): void => {
    switch (node.kind) {
      case 'builtin':
        return
      case 'struct': {
        let size = 0
        let [min, cost, depth] = [0, 1, 0]
        for (const { type, extension } of node.fields) {
          inside(type, extension)
          size = extension || type.size < 0 || size < 0 ? -1 : Math.min(size + type.size, SATURATED)
          min = Math.min(min + (extension ? 0 : type.min), SATURATED)
          cost = Math.min(cost + Math.max(type.cost, 1), SATURATED)
          depth = Math.max(depth, type.depth)
        }
        Object.assign(node, { size, min, cost, depth: depth + 1 })
        return
      }
      case 'variant': {
        let [cost, depth] = [1, 0]
        for (const { type } of node.alternatives) {
          inside(type, true)
          cost = Math.max(cost, type.cost + 1)
          depth = Math.max(depth, type.depth)
        }
        Object.assign(node, { min: 1, cost, depth: depth + 1 })
        return
      }
      case 'optional':
        inside(node.of, true)
        Object.assign(node, { min: 1, cost: node.of.cost + 1, depth: node.of.depth })
        return
      case 'list':
        inside(node.of, node.count <= 0)
        node.depth = node.of.depth
        if (node.count < 0) {
          Object.assign(node, { min: 1, cost: node.of.cost + 1 })
        } else {
          node.size = node.of.size < 0 ? -1 : Math.min(node.count * node.of.size, SATURATED)
          node.min = Math.min(node.count * node.of.min, SATURATED)
          node.cost = Math.min(1 + node.count * Math.max(node.of.cost, 1), SATURATED)
        }
    }
  }

  inside(root, false)
}

function tooDeep(node: TypeNode): DecodeError {
  return new DecodeError('ABI_TOO_DEEP', `the ABI nests types more than ${DEPTH_LIMIT} deep at ${nameOf(node)}`)
}

function nameOf(node: TypeNode): string {
  return 'name' in node ? JSON.stringify(node.name.slice(0, 60)) : `a ${node.kind}`
}
