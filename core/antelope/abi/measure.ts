// Sizes, cost and nesting of an ABI's types; finds the types that hold themselves.

import { DecodeError } from '../../errors.ts'
import type { TypeNode } from './types.ts'

/** Deepest nesting of structs and variants, in types and in the values of recursive types. */
export const DEPTH_LIMIT = 32
/** Longest path through lists, optionals, structs and variants without coming back to a type. */
const PATH_LIMIT = 4 * DEPTH_LIMIT
/** Sums stop here, far above what any decoder's budget allows. */
const SATURATED = 1e12

/**
 * Fills in the measures of a node and of all it is made of. A type may hold itself inside a list, an optional, a
 * variant or an extension: such types are marked recursive.
 *
 * @throws DecodeError ABI_RECURSIVE for a type whose values would never end, ABI_TOO_DEEP beyond the limits
 */
export function measure(root: TypeNode): void {
  /** Types being measured, with the number of ways out that were passed before each. */
  const open = new Map<TypeNode, number>()
  let waysOut = 0

  const inside = (node: TypeNode, wayOut: boolean): void => {
    const outer = open.get(node)
    if (wayOut) waysOut++
    if (outer !== undefined) {
      if (outer === waysOut) throw new DecodeError('ABI_RECURSIVE', `the ABI's type ${nameOf(node)} holds itself`)
      node.recursive = true
    } else if (node.cost === 0) {
      if (open.size > PATH_LIMIT) throw tooDeep(node)
      open.set(node, waysOut)
      visit(node)
      open.delete(node)
      if (node.depth > DEPTH_LIMIT) throw tooDeep(node)
    }
    if (wayOut) waysOut--
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
