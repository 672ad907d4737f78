// The result of a check.

export interface Finding {
  level: 'ok' | 'warn' | 'fail'
  /** Subject of the check: `database`, `wax node ws://...`. */
  subject: string
  message: string
  /** Advice to the operator. */
  remedy?: string
}

export function findingLine({ level, subject, message, remedy }: Finding): string {
  return `${level.padEnd(4)}  ${subject}: ${message}${remedy === undefined ? '' : `; ${remedy}`}`
}

export const ok = (subject: string, message: string): Finding => ({ level: 'ok', subject, message })
export const warn = (subject: string, message: string, remedy: string): Finding => ({
  level: 'warn',
  subject,
  message,
  remedy,
})
export const fail = (subject: string, message: string, remedy: string): Finding => ({
  level: 'fail',
  subject,
  message,
  remedy,
})

/** A failure from an error, with the error's hint if it has one. */
export function failure(subject: string, error: unknown, remedy: string): Finding {
  const { message, hint } = error as Error & { hint?: string }
  return fail(subject, message, hint ?? remedy)
}
