// The error of a pooler in transaction mode that the address does not name.
import { mask } from '../config/describe.ts'
import { UserError } from '../core/errors.ts'

/**
 * @param url     address of the database
 * @param reason  how the pooler treats the settings of a session
 */
export function poolerNotNamed(url: string, reason: string, cause?: unknown): UserError {
  // The driver lets settings of the address replace those of the program.
  if (!new URLSearchParams(url.split('?')[1]).has('options'))
    return new UserError('POOLER_NOT_NAMED', `${mask(url)} does not accept settings of a session: ${reason}`, {
      hint: 'add pgbouncer=true to DATABASE_URL for `headwater api`; give other commands the address of the server itself (docs/operate/standby.md)',
      cause,
    })
  return new UserError('POOLER_NOT_NAMED', `${mask(url)} does not accept settings of a session: ${reason}`, {
    hint: 'remove options= from DATABASE_URL: it replaces the settings of Headwater, and poolers refuse it (docs/operate/standby.md)',
    cause,
  })
}
