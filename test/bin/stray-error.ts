// A process in which nothing waits for an error. Its argument names the error; it prints `goes on` when it lives on.
import { handleStrayErrors } from '../../bin/cli/process-errors.ts'
import { UserError } from '../../core/errors.ts'

const coded = (message: string, code: string, more: object = {}) => Object.assign(new Error(message), { code, ...more })

const ERRORS: Record<string, () => Error> = {
  'lost connection': () => new Error('Connection terminated unexpectedly'),
  'connection refused': () => coded('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  'server shuts down': () => coded('terminating connection due to administrator command', '57P01'),
  'too many clients': () => coded('sorry, too many clients already', '53300'),
  'type error': () => new TypeError('nothing is not a function'),
  'missing file': () => coded('ENOENT: no such file or directory', 'ENOENT', { path: '/some/file' }),
  'full disk': () => coded('ENOSPC: no space left on device, write', 'ENOSPC', { path: '/some/file' }),
  'user error': () => new UserError('WRONG', 'text', { hint: 'advice' }),
}

handleStrayErrors()
const make = ERRORS[process.argv[2] ?? '']
if (make === undefined) throw new Error(`there is no error ${process.argv[2]}`)
void Promise.reject(make())
setTimeout(() => console.log('goes on'), 50)
