// Error for a value that its column cannot store exactly.
import { UserError } from '../../../core/errors.ts'

export function inexact(name: string, text: string): UserError {
  return new UserError('EXPORT_INEXACT', `${name} = ${text} does not fit into its Parquet column`, {
    hint: 'export this view as CSV, which has all digits',
  })
}
