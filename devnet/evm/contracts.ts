// Addresses and ABIs of the bridge's contracts on the EVM node. Addresses follow from the deploying account and the
// order of deployment.

import { readFileSync } from 'node:fs'
import { Interface, type InterfaceAbi } from 'ethers'
import type { ContractName } from '../../contracts/compile.ts'

interface Compiled {
  contracts: Record<ContractName, { abi: InterfaceAbi; bytecode: string }>
}

let compiled: Compiled['contracts'] | undefined

/** Output of solc (`contracts/compiled.json`); a test compiles again and compares. */
export function compiledContract(name: ContractName): { abi: InterfaceAbi; bytecode: string } {
  const file = new URL('../../contracts/compiled.json', import.meta.url)
  compiled ??= (JSON.parse(readFileSync(file, 'utf8')) as Compiled).contracts
  return compiled[name]
}

const interfaces = new Map<ContractName, Interface>()

export function interfaceOf(name: ContractName): Interface {
  const known = interfaces.get(name)
  if (known) return known
  const made = new Interface(compiledContract(name).abi)
  interfaces.set(name, made)
  return made
}

/** Name of our custom error in revert data; null for any other data. */
export function errorName(data: string | null): string | null {
  if (data === null || data.length < 10) return null
  for (const name of ['SvcWithdrawals', 'SvcVault', 'SvcLightClient'] as const) {
    const found = interfaceOf(name).parseError(data)
    if (found) return found.name
  }
  return null
}
