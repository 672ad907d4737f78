// `headwater migrate`: migrates the database to the current schema.
import { migrate } from '../../migrations/migrate.ts'
import { planMigration, planText } from '../../migrations/plan.ts'
import { openClient } from '../../net/postgres.ts'
import type { Command } from '../cli/command.ts'
import { checkServer, startOrUse } from '../database.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'migrate',
  options: { plan: { type: 'boolean', help: 'print the steps and how long they hold locks; change nothing' } },
  async run(args) {
    const { config, log } = openProgram(args)
    const database = await startOrUse(config, log)
    try {
      await checkServer(database.url)
      if (args.values.plan === true) {
        process.stdout.write(await plan(database.url))
        return 0
      }
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

async function plan(connectionString: string): Promise<string> {
  const client = openClient({ connectionString, application_name: 'headwater migrate --plan' })
  await client.connect()
  try {
    return planText(await planMigration(client))
  } finally {
    await client.end()
  }
}
