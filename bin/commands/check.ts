// `headwater check`: checks everything that the program needs. One line per check, with the remedy.
import { readFileSync } from 'node:fs'
import { checkConfiguration } from '../checks/configuration.ts'
import { checkCosign } from '../checks/cosign.ts'
import { checkDatabase } from '../checks/database.ts'
import { checkEvm } from '../checks/evm.ts'
import { type Finding, findingLine, ok } from '../checks/finding.ts'
import { checkNode } from '../checks/node.ts'
import { checkRelay } from '../checks/relay.ts'
import { checkPriceSource } from '../checks/settings.ts'
import { CHAIN_OPTION, type Command } from '../cli/command.ts'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string }
}
const NEEDED = engines.node

export const command: Command = {
  name: 'check',
  options: { ...CHAIN_OPTION, json: { type: 'boolean', help: 'print JSON' } },
  help: 'Changes no table of yours (it writes 20 short messages into the WAL, to measure commits); starts the embedded one to look at it. Ends with 1 when a check fails.',
  async run(args) {
    const findings: Finding[] = []
    const show = (found: readonly Finding[]) => {
      findings.push(...found)
      if (args.values.json !== true) for (const finding of found) process.stdout.write(`${findingLine(finding)}\n`)
    }
    // Older versions are refused in bin/headwater.js.
    show([ok('Node', `${process.versions.node}, ${NEEDED} is needed`)])
    const { found: problems, loaded } = checkConfiguration(args)
    show(problems)
    if (loaded !== undefined) {
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
