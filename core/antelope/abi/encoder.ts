// Generates a type's encoder as JavaScript source. It accepts the values that the decoder (`decoder.ts`) returns.

import type { Writer } from '../writer.ts'
import { RUNTIME_NAMES, runtime } from './runtime.ts'
import type { StructNode, TypeNode } from './types.ts'

export type Encoder = (writer: Writer, value: unknown) => void

/** Encoder of a measured type. */
export function compileEncoder(root: TypeNode): Encoder {
  const source = new EncoderSource()
  const main = source.write(root, 'v')
  const make = new Function('runtime', `'use strict'\n${RUNTIME_NAMES}${source.text()}return (w, v) => { ${main} }`)
  return make(runtime) as Encoder
}

class EncoderSource {
  private readonly functions: string[] = []
  private readonly done = new Set<number>()

  text(): string {
    return this.functions.join('')
  }

  /** Statement that writes the value of an expression to the writer `w`. */
  write(node: TypeNode, value: string): string {
    if (node.kind === 'builtin') return node.builtin.write(value)
    if (!this.done.has(node.id)) {
      this.done.add(node.id)
      this.functions.push(`function e${node.id}(w, v) { ${this.body(node)} }\n`)
    }
    return `e${node.id}(w, ${value})`
  }

  private body(node: TypeNode): string {
    switch (node.kind) {
      case 'struct':
        return this.struct(node)
      case 'optional':
        return `if (v === null || v === undefined) w.u8(0); else { w.u8(1); ${this.write(node.of, 'v')} }`
      case 'variant': {
        const type = JSON.stringify(node.name)
        const cases = node.alternatives.map(
          ({ name, type }, i) => `case ${JSON.stringify(name)}: w.varuint32(${i}); ${this.write(type, 'v[1]')}; break;`,
        )
        const seen = new Set<string>()
        const distinct = cases.filter((_, i) => {
          const { name } = node.alternatives[i] as (typeof node.alternatives)[number]
          return !seen.has(name) && seen.add(name)
        })
        return `if (!Array.isArray(v)) badAlternative(${type}, v); switch (v[0]) { ${distinct.join(' ')} default: badAlternative(${type}, v[0]) }`
      }
      case 'list':
        return `checkList(v, ${node.count}); ${node.count < 0 ? 'w.varuint32(v.length);' : ''} for (const x of v) { ${this.write(node.of, 'x')} }`
      default:
        throw new Error('a built-in type has no body')
    }
  }

  private struct(node: StructNode): string {
    const type = JSON.stringify(node.name)
    const lines = [`checkStruct(v, ${type}); let absent = false;`]
    node.fields.forEach(({ name, type: fieldType, extension }, i) => {
      const quoted = JSON.stringify(name)
      const member = name in Object.prototype ? `ownMember(v, ${quoted})` : `v[${quoted}]`
      lines.push(`const v${i} = ${member};`)
      const isOptional = fieldType.kind === 'optional'
      if (extension) {
        lines.push(
          `if (v${i} === undefined) absent = true; else { if (absent) missing(${type}, "an earlier extension"); ${this.write(fieldType, `v${i}`)} }`,
        )
      } else {
        if (!isOptional) lines.push(`if (v${i} === undefined) missing(${type}, ${quoted});`)
        lines.push(`${this.write(fieldType, `v${i}`)};`)
      }
    })
    return lines.join(' ')
  }
}
