// Commands and settings in the pages: each command line is one that the program accepts, each variable is a setting.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Command } from '../../bin/cli/command.ts'
import { COMMANDS } from '../../bin/cli/commands.ts'
import { parseArguments } from '../../bin/cli/parse.ts'
import { chainSettings, programSettings } from '../../config/environment.ts'
import { EvmChainSchema } from '../../config/evm-schema.ts'
import { chainFiles } from '../../config/load.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const PAGES = [
  ...['README.md', 'cosign/README.md', 'relay/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    // Records of decisions stay as they were written.
    .filter((path) => path.endsWith('.md') && !path.startsWith('decisions'))
    .map((path) => `docs/${path}`),
]

/** Lines of the fenced blocks of a page; a backslash at the end joins two lines. */
function blocks(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^ *```[^\n]*\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.replaceAll(/\\\n/g, ' ').split('\n'),
  )
}

/** Words of each call of the program in a line, without comments, redirections and other programs. */
function calls(line: string): string[][] {
  const code = line.replace(/\s#\s.*$/, '')
  const parts = code.split(/\s(?:&&|\|\|?|>|;)\s|;\s/)
  return parts.flatMap((part) => {
    const found = /(?:^|\s)(?:npx headwater|(?:\S*\/)?bin\/headwater\.js|headwater)\s+([a-z][\s\S]*)$/.exec(part)
    // `systemctl start headwater`, `journalctl -u headwater -f`: the unit, and the user of a database.
    if (found === null || /^\s*(?:systemctl|journalctl|createdb|pg_\w+|psql|su|create|alter|grant)\b/.test(part))
      return []
    return [(found[1] ?? '').trim().split(/\s+/)]
  })
}

t.test('each command line of a page is accepted', async (t) => {
  let count = 0
  const commands = new Map<string, Command>()
  for (const page of PAGES)
    for (const line of blocks(page))
      for (const [name = '', ...words] of calls(line)) {
        count++
        if (!Object.hasOwn(COMMANDS, name)) {
          t.fail(`${page}: there is no command ${name}: ${line}`)
          continue
        }
        const module = await import(`../../bin/commands/${name}.ts`)
        const command: Command = commands.get(name) ?? module.command
        commands.set(name, command)
        t.doesNotThrow(() => parseArguments(command, words), `${page}: ${line.trim()}`)
      }
  t.ok(count > 50, `${count} command lines`)
})

/** Variables of tests and benchmarks, of docker-compose.yml, and of chains with the name of a reader's recording. */
const OTHERS = /^HEADWATER_(TEST_|BENCH_|SEED$|PICTURES$|BRIDGE_CHAINS$|SMALL_REPLAY_)/

t.test('each variable of a page is a setting', async (t) => {
  const chains = ['name', ...chainFiles()]
  const known = new Set([
    ...programSettings().flatMap(({ env, alias = env }) => [env, alias]),
    ...chains.flatMap((chain) =>
      [...chainSettings(chain), ...chainSettings(chain, EvmChainSchema)].map(({ env }) => env),
    ),
  ])
  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const names = new Set([...text.matchAll(/\bHEADWATER_[A-Z0-9_]*[A-Z0-9]\b(?!_|\.\.\.)/g)].map(([name]) => name))
    const unknown = [...names].filter((name) => !known.has(name) && !OTHERS.test(name))
    t.same(unknown, [], page)
  }
})
