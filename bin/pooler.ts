// The error of a pooler in transaction mode that the address does not name.
import { mask } from '../config/describe.ts'
import { UserError } from '../core/errors.ts'

/**
 * @param url     address of the database
 * @param reason  what the pooler does with the settings of a session
 */
export function poolerNotNamed(url: string, reason: string, cause?: unknown): UserError {
  // The driver lets settings of the address replace those of the program.
  const hint = new URLSearchParams(url.split('?')[1]).has('options')
    ? 'remove options= from DATABASE_URL, which poolers refuse and which replaces the settings of Headwater; set them with `alter role ... set`'
    : 'add pgbouncer=true to DATABASE_URL for `headwater api`; give other commands the address of the server itself'
  return new UserError('POOLER_NOT_NAMED', `${mask(url)} does not accept settings of a session: ${reason}`, {
    hint: `${hint} (docs/operate/standby.md)`,
    cause,
  })
}
