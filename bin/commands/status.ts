// `headwater status`: where each chain stands in the database.
import pg from 'pg'
import { readPositions } from '../../api/operate/positions.ts'
import { age } from '../../indexer/operate/progress-line.ts'
import type { Command } from '../cli/command.ts'
import { openDatabase } from '../database.ts'
import { openProgram } from '../program.ts'

export const command: Command = {
  name: 'status',
  summary: 'show how far each chain is indexed',
  options: { json: { type: 'boolean', help: 'print JSON' } },
  async run(args) {
    const { config, log } = openProgram(args)
    const database = await openDatabase(config, { ...log, info() {} })
    const pool = new pg.Pool({ connectionString: database.url, max: 1 })
    try {
      const positions = await readPositions(pool)
      if (args.values.json === true) process.stdout.write(`${JSON.stringify(positions, null, 2)}\n`)
      else if (positions.length === 0) process.stdout.write('nothing is indexed\n')
      else
        for (const { chain, block, head, lib, lagSeconds, indexed } of positions)
          process.stdout.write(
            `${chain}: block ${block} of ${head}, irreversible ${lib}, ${age(lagSeconds * 1000)} old${indexed ? '' : ', backfill under way'}\n`,
          )
    } finally {
      await pool.end()
      await database.close()
    }
    return 0
  },
}
