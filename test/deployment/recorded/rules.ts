// The alert rules, and the metrics that they read.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

export interface Rule {
  alert: string
  expr: string
  annotations: Record<string, string>
}

export const RULES = join(import.meta.dirname, '../../../config/prometheus/alerts.yml')

export const rules: readonly Rule[] = (parse(readFileSync(RULES, 'utf8')).groups as { rules: Rule[] }[]).flatMap(
  (group) => group.rules,
)

/** Names of the metrics in the expressions. */
export const metricNames: ReadonlySet<string> = new Set(
  rules.flatMap(({ expr }) =>
    [...expr.matchAll(/\b(headwater_\w+|process_start_time_seconds|up)\b/g)].map(([name]) => name),
  ),
)
