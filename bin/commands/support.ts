// `headwater support`: one report of what a maintainer asks for, without secrets.
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describeConfig } from '../../config/describe.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { UserError } from '../../core/errors.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import type { Log } from '../cli/log.ts'
import { openProgram } from '../program.ts'
import { databaseParts } from '../support/database.ts'
import { disks, machine, versions } from '../support/machine.ts'
import { secretsOf } from '../support/mask.ts'
import { collect, masked, type Part, reportText } from '../support/report.ts'

export const command: Command = {
  name: 'support',
  options: {
    ...CHAIN_OPTION,
    json: { type: 'boolean', help: 'print JSON' },
    file: { type: 'string', value: 'PATH', help: 'write the report into this file instead' },
  },
  help: 'Without passwords, keys, and texts in statements. A part that cannot be read is named with the reason. An embedded database that does not run is started for the report. Read the report before you send it.',
  async run(args) {
    const { json, file } = args.values as { json?: boolean; file?: string }
    let loaded: LoadedConfig | undefined
    let log: Log = { info() {}, warn() {}, error() {} }
    const parts: Part[] = [
      await collect('versions', versions),
      await collect('configuration', () => {
        const program = openProgram(args)
        loaded = program
        log = { ...program.log, info() {} }
        return Object.fromEntries(describeConfig(loaded).filter(isSet).map(described))
      }),
      await collect('machine', machine),
      await collect('disks', () => disks({ data: loaded?.config.dataDir ?? '.', temporary: tmpdir() })),
    ]
    if (loaded === undefined)
      parts.push({ name: 'database', missing: 'the configuration is not valid, so no database is known' })
    else parts.push(...(await databaseParts(loaded.config, log)))
    const found = masked(parts, secretsOf(process.env))
    const text = json === true ? `${JSON.stringify(found, null, 2)}\n` : reportText(found)
    if (file === undefined) process.stdout.write(text)
    else write(file, text)
    return 0
  },
}

interface Described {
  path: string
  value: unknown
  origin: string
}

const isSet = ({ origin }: Described): boolean => origin !== 'default' && origin !== 'unset'
const described = ({ path, value, origin }: Described): [string, string] => [
  path,
  `${JSON.stringify(value)} (${origin})`,
]

/** Readable by its owner alone. @throws UserError SUPPORT_FILE */
function write(path: string, text: string): void {
  try {
    // The mode of an existing file stays unless it is changed, and it must be changed before the text is there.
    const file = openSync(path, 'w', 0o600)
    try {
      // A device, such as /dev/stdout, keeps its rights.
      if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
      writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw new UserError('SUPPORT_FILE', `cannot write ${path}: ${(cause as Error).message}`, {
      hint: 'name another file with --file, or leave it out to print the report',
      cause,
    })
  }
  process.stdout.write(`written to ${path}: read it before you send it\n`)
}
