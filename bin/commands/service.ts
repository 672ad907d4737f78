// `headwater service`: systemd units, and the files that they need.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../cli/command.ts'
import { UsageError } from '../cli/parse.ts'
import { systemFiles } from '../service/units.ts'
import { writeFiles } from '../service/write-files.ts'

const PROGRAM = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

export const command: Command = {
  name: 'service',
  options: {
    print: { type: 'boolean', help: 'print all files' },
    out: { type: 'string', value: 'DIR', help: 'write the files below this folder; / installs them' },
    node: { type: 'string', value: 'FILE', help: 'the Node that runs the program; default: this one' },
    program: { type: 'string', value: 'DIR', help: 'folder of the program; default: this one' },
  },
  help: 'Units of systemd, the users, folders and settings of a service. Settings that exist are kept.',
  async run({ values }) {
    const { out, print = false } = values as { out?: string; print?: boolean }
    if ((out === undefined) !== print) throw new UsageError('name one of --print and --out DIR', 'print them first')
    const node = usable('node', resolve((values.node as string | undefined) ?? realpathSync(process.execPath)))
    const program = usable('program', resolve((values.program as string | undefined) ?? PROGRAM))
    const files = systemFiles({ node, program })
    if (out === undefined) process.stdout.write(files.map(({ path, text }) => `# ${path}\n${text}`).join('\n'))
    else for (const { path, outcome } of writeFiles(out, files)) process.stdout.write(`${outcome.padEnd(10)}${path}\n`)
    return 0
  },
}

/** @throws UsageError when the service could not read the path, or a unit cannot hold it */
function usable(option: 'node' | 'program', path: string): string {
  const hint = `install it below /opt or /usr, or name another place with --${option}`
  if (/^\/(root|home|run\/user)\//.test(path)) throw new UsageError(`${path}: a service cannot read home folders`, hint)
  if (/[\s%"'\\$]/.test(path)) throw new UsageError(`${path}: a unit cannot hold this path`, hint)
  return path
}
