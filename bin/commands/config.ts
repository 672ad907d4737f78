// `headwater config`: the effective configuration and the origin of each value.
import { describeConfig } from '../../config/describe.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'config',
  options: { ...CHAIN_OPTION, json: { type: 'boolean', help: 'print JSON' } },
  help: 'Passwords are masked.',
  async run(args) {
    const settings = describeConfig(openProgram(args))
    if (args.values.json === true) process.stdout.write(`${JSON.stringify(settings, null, 2)}\n`)
    else {
      const width = Math.max(...settings.map(({ path }) => path.length))
      for (const { path, value, origin, env } of settings)
        process.stdout.write(
          `${path.padEnd(width)}  ${JSON.stringify(value)}  (${origin === 'unset' ? `unset: ${env}` : origin})\n`,
        )
    }
    return 0
  },
}
