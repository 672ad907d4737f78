// `headwater migrate`: migrates the database to the current schema.
import { migrate } from '../../migrations/migrate.ts'
import type { Command } from '../cli/command.ts'
import { checkServer, startOrUse } from '../database.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'migrate',
  options: {},
  async run(args) {
    const { config, log } = openProgram(args)
    const database = await startOrUse(config, log)
    try {
      await checkServer(database.url)
      const applied = await migrate(database.url)
      process.stdout.write(
        applied.length === 0 ? 'nothing to do\n' : applied.map((name) => `applied ${name}\n`).join(''),
      )
    } finally {
      await database.close()
    }
    return 0
  },
}
