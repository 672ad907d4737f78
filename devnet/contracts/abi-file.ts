// Contract ABIs of the folder `abis/`, parsed once.
import { readFileSync } from 'node:fs'
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'

const parsed = new Map<string, AbiDefinition>()

/** @param name  file name without `.abi.json` */
export function abiFile(name: string): AbiDefinition {
  const known = parsed.get(name)
  if (known) return known
  const abi = parseAbi(readFileSync(new URL(`../../abis/${name}.abi.json`, import.meta.url), 'utf8'))
  parsed.set(name, abi)
  return abi
}
