// `headwater check`: checks everything that the program needs. One line per check, with the remedy.
import { readFileSync } from 'node:fs'
import type { Config } from '../../config/program-schema.ts'
import { checkConfiguration } from '../checks/configuration.ts'
import { checkCosign } from '../checks/cosign.ts'
import { checkDatabase } from '../checks/database.ts'
import { checkEvm } from '../checks/evm.ts'
import { type Finding, fail, findingLine, ok } from '../checks/finding.ts'
import { checkNode } from '../checks/node.ts'
import { checkRelay } from '../checks/relay.ts'
import { checkPriceSource } from '../checks/settings.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'
import { UsageError } from '../cli/parse.ts'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string }
}
const NEEDED = engines.node

/** Checks of the processes with a key, by the name of their command. */
const KEY_PROCESSES: Readonly<Record<string, (config: Config) => Promise<Finding[]>>> = {
  cosign: checkCosign,
  relay: checkRelay,
}

export const command: Command = {
  name: 'check',
  options: {
    ...CHAIN_OPTION,
    json: { type: 'boolean', help: 'print JSON' },
    only: { type: 'string', value: 'cosign|relay', help: 'what this process needs: its key, its nodes, its settings' },
  },
  help: 'Changes no table of yours (it writes 20 short messages into the WAL, to measure commits); starts the embedded one to look at it. Ends with 1 when a check fails.',
  async run(args) {
    const only = onlyOf(args.values.only as string | undefined)
    const findings: Finding[] = []
    const show = (found: readonly Finding[]) => {
      findings.push(...found)
      if (args.values.json !== true) for (const finding of found) process.stdout.write(`${findingLine(finding)}\n`)
    }
    // Older versions are refused in bin/headwater.js.
    show([ok('Node', `${process.versions.node}, ${NEEDED} is needed`)])
    const { found: problems, loaded } = checkConfiguration(args)
    show(problems)
    if (loaded !== undefined && only !== undefined) show(await checkOnly(only, loaded.config))
    else if (loaded !== undefined) {
      const { found, positions } = await checkDatabase(loaded.config)
      show(found)
      for (const chain of loaded.config.chains) {
        show(await checkNode(chain, positions.get(chain.chain)))
        show(checkPriceSource(chain))
      }
      for (const chain of loaded.config.evm) show(await checkEvm(chain))
      show(await checkCosign(loaded.config))
      show(await checkRelay(loaded.config))
    }
    if (args.values.json === true) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
    return findings.some(({ level }) => level === 'fail') ? 1 : 0
  },
}

/** @throws UsageError */
function onlyOf(name: string | undefined): string | undefined {
  if (name === undefined || Object.hasOwn(KEY_PROCESSES, name)) return name
  throw new UsageError(`--only ${name} is no process with a key`, `use one of ${Object.keys(KEY_PROCESSES).join(', ')}`)
}

async function checkOnly(name: string, config: Config): Promise<Finding[]> {
  const found = (await KEY_PROCESSES[name]?.(config)) ?? []
  return found.length > 0 ? found : [fail(name, 'no key is configured', `see docs/operate/configuration.md, ${name}`)]
}
