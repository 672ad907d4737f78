// Generates a type's decoder as JavaScript source: straight-line reads, one bounds check for each run of fixed-size
// fields, object literals. Names from the ABI appear in the source only as quoted literals.

import type { Cursor } from './cursor.ts'
import { RUNTIME_NAMES, runtime } from './runtime.ts'
import type { StructNode, TypeNode } from './types.ts'

export type Decoder = (cursor: Cursor) => unknown

/** Decoder of a measured type. */
export function compileDecoder(root: TypeNode): Decoder {
  const source = new DecoderSource()
  const main = source.open(root)
  const make = new Function('runtime', `'use strict'\n${RUNTIME_NAMES}${source.text()}return (c) => ${main}`)
  return make(runtime) as Decoder
}

/** Key of an object literal; computed if the plain form would set the prototype. */
function literalKey(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)
}

class DecoderSource {
  private readonly functions: string[] = []
  private readonly done = new Set<string>()

  text(): string {
    return this.functions.join('')
  }

  /** Expression that reads a value at the cursor `c` and advances it. */
  open(node: TypeNode): string {
    if (node.size < 0 && node.kind === 'builtin') return node.builtin.read('')
    const name = node.size >= 0 ? `m${node.id}` : `d${node.id}`
    this.once(name, () => (node.size >= 0 ? this.moving(node) : this.body(node)))
    return `${name}(c)`
  }

  /** Expression that reads a fixed-size value at an offset of the bytes `b`. */
  private fixed(node: TypeNode, at: string): string {
    if (node.kind === 'builtin') return node.builtin.read(at)
    const name = `f${node.id}`
    this.once(name, () => (node.kind === 'struct' ? this.fixedStruct(node) : this.fixedList(node)))
    return `${name}(b, ${at})`
  }

  private once(name: string, body: () => string): void {
    if (this.done.has(name)) return
    this.done.add(name)
    this.functions.push(`function ${name}${body()}\n`)
  }

  private moving(node: TypeNode): string {
    return `(c) { c.need(${node.size}); const b = c.data, p = c.pos; c.pos = p + ${node.size}; return ${this.fixed(node, 'p')} }`
  }

  private fixedStruct(node: StructNode): string {
    let offset = 0
    const members = node.fields.map(({ name, type }) => {
      const member = `${literalKey(name)}: ${this.fixed(type, `p + ${offset}`)}`
      offset += type.size
      return member
    })
    return `(b, p) { return {${members.join(', ')}} }`
  }

  private fixedList(node: TypeNode): string {
    if (node.kind !== 'list') throw new Error(`a ${node.kind} has no fixed size`)
    const item = this.fixed(node.of, `p + i * ${node.of.size}`)
    return `(b, p) { const items = []; for (let i = 0; i < ${node.count}; i++) items.push(${item}); return items }`
  }

  private body(node: TypeNode): string {
    const statements = this.statements(node)
    if (!node.recursive) return `(c) { ${statements.before} return ${statements.value} }`
    return `(c) { c.enter(${node.cost}); ${statements.before} const value = ${statements.value}; c.leave(); return value }`
  }

  private statements(node: TypeNode): { before: string; value: string } {
    switch (node.kind) {
      case 'struct':
        return this.struct(node)
      case 'optional':
        return { before: '', value: `c.flag() ? ${this.open(node.of)} : null` }
      case 'variant': {
        const cases = node.alternatives.map(
          ({ name, type }, i) => `case ${i}: v = [${JSON.stringify(name)}, ${this.open(type)}]; break;`,
        )
        const choice = `const k = c.varuint32(); switch (k) { ${cases.join(' ')} default: c.badVariant(k) }`
        return { before: `let v; ${choice}`, value: 'v' }
      }
      case 'list': {
        const { of, count } = node
        const total = count < 0 ? `c.count(${of.min}, ${Math.max(of.cost, 1)})` : String(count)
        const loop = `for (let i = 0; i < n; i++) items.push(${this.open(of)})`
        return { before: `const n = ${total}; const items = []; ${loop};`, value: 'items' }
      }
      default:
        throw new Error('a built-in type has no body')
    }
  }

  private struct(node: StructNode): { before: string; value: string } {
    const lines: string[] = ['const b = c.data; let p;']
    const { fields } = node
    for (let i = 0; i < fields.length; ) {
      const { type, extension } = fields[i] as StructNode['fields'][number]
      let end = i
      let size = 0
      const reads: string[] = []
      for (; end < fields.length; end++) {
        const field = fields[end] as StructNode['fields'][number]
        if (field.extension || field.type.size < 0) break
        reads.push(`const v${end} = ${this.fixed(field.type, `p + ${size}`)};`)
        size += field.type.size
      }
      if (end > i) {
        lines.push(`c.need(${size}); p = c.pos; c.pos = p + ${size};`, ...reads)
        i = end
      } else {
        lines.push(`const v${i} = ${extension ? `c.pos === c.end ? undefined : ` : ''}${this.open(type)};`)
        i++
      }
    }
    const members = fields.map(({ name }, i) => `${literalKey(name)}: v${i}`)
    return { before: lines.join(' '), value: `{${members.join(', ')}}` }
  }
}
