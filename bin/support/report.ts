// The report of `headwater support`: parts that were collected or could not be, as JSON and as text.
import { maskText, maskValue } from './mask.ts'

/** JSON: an object of facts, or a list of rows. */
export type Facts = Readonly<Record<string, unknown>> | readonly object[]

export interface Part {
  /** `versions`, `tables`. */
  name: string
  facts?: Facts
  /** Why the part is missing; then there are no facts. */
  missing?: string
}

/** Collects a part; a failure becomes its reason. Never throws. */
export async function collect(name: string, work: () => Facts | Promise<Facts>): Promise<Part> {
  try {
    return { name, facts: await work() }
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string }
    return { name, missing: [code, message ?? String(error)].filter((one) => typeof one === 'string').join(': ') }
  }
}

/** Removes secrets from all parts. */
export function masked(parts: readonly Part[], secrets: readonly string[]): Part[] {
  return parts.map(({ name, facts, missing }) => ({
    name,
    ...(facts === undefined ? {} : { facts: maskValue(facts, secrets) as Facts }),
    ...(missing === undefined ? {} : { missing: maskText(missing, secrets) }),
  }))
}

/** One heading a part, one line a fact or a row. */
export function reportText(parts: readonly Part[]): string {
  const sections = parts.map(({ name, facts, missing }) => {
    const lines = facts === undefined ? [`not collected: ${missing}`] : linesOf(facts)
    return `== ${name} ==\n${(lines.length === 0 ? ['none'] : lines).join('\n')}\n`
  })
  return sections.join('\n')
}

function linesOf(facts: Facts): string[] {
  if (Array.isArray(facts)) return facts.map((row: object) => rowText(row))
  return Object.entries(facts).map(([name, value]) => `${name}: ${valueText(value)}`)
}

function rowText(row: object): string {
  const shown = Object.entries(row).filter(([, value]) => value !== null && value !== '')
  return shown.map(([name, value]) => `${name}=${valueText(value)}`).join('  ')
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.replaceAll(/\s*\n\s*/g, ' | ')
}
