// The compared decoders. Each prepares its ABIs beforehand, as its users would.

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { ABI, Serializer } from '@wharfkit/antelope'
import { type CompiledAbi, compileAbi } from '../../core/antelope/abi/compile.ts'
import { toHex } from '../../core/hex.ts'
import { canonical, toJson } from '../../test/support/random-abi.ts'
import { contractTypes, type EosjsType, unpack } from '../../test/support/ship-frames.ts'
import type { Contract, Sample } from './samples.ts'

export interface Contender {
  name: string
  decode: (sample: Sample) => unknown
  /** The decoded value as JSON, for comparison. */
  json: (sample: Sample) => unknown
}

const { Abieos } = createRequire(import.meta.url)('@eosrio/node-abieos') as {
  Abieos: {
    getInstance(): {
      loadAbiHex(contract: string, abi: string): boolean
      binToJson(contract: string, type: string, data: Buffer): unknown
      hexToJson(contract: string, type: string, hex: string): unknown
    }
  }
}

/** Ours first. */
export function contenders(samples: readonly Sample[]): Contender[] {
  const contracts = new Set(samples.map(({ contract }) => contract))
  const ready = <T>(make: (contract: Contract) => T) => new Map([...contracts].map((one) => [one, make(one)]))
  const ours = ready((contract) => compileAbi(contract.definition))
  const wharfkit = ready((contract) => Serializer.decode({ data: contract.packed, type: ABI }))
  const eosjs = ready((contract) => {
    const types = contractTypes(contract.packed)
    return new Map<string, EosjsType>(contract.definition.actions.map(({ type }) => [type, types.type(type)]))
  })
  const abieos = Abieos.getInstance()
  for (const { key, packed } of contracts) abieos.loadAbiHex(key, toHex(packed))
  // State-history clients have bytes. Converting them to hex beforehand favours this decoder.
  const hex = new Map(samples.map((sample) => [sample, sample.data.toString('hex')]))
  const decodeOurs = ({ contract, action, data }: Sample) =>
    (ours.get(contract) as CompiledAbi).decodeAction(action, data)
  const binToJson = ({ contract, type, data }: Sample) => abieos.binToJson(contract.key, type, data)
  const hexToJson = (sample: Sample) => abieos.hexToJson(sample.contract.key, sample.type, hex.get(sample) as string)
  const decodeWharfkit = ({ contract, type, data }: Sample) =>
    Serializer.decode({ data, type, abi: wharfkit.get(contract) as ABI })
  const decodeEosjs = ({ contract, type, data }: Sample) => unpack(eosjs.get(contract)?.get(type) as EosjsType, data)
  return [
    {
      name: 'headwater',
      decode: decodeOurs,
      json: (sample) => toJson(sample.contract.definition, sample.type, decodeOurs(sample)),
    },
    { name: 'node-abieos binToJson', decode: binToJson, json: binToJson },
    { name: 'node-abieos hexToJson', decode: hexToJson, json: hexToJson },
    { name: 'wharfkit', decode: decodeWharfkit, json: (sample) => Serializer.objectify(decodeWharfkit(sample)) },
    { name: 'eosjs', decode: decodeEosjs, json: decodeEosjs },
  ]
}

/** SHA-256 over the canonical JSON of all values. */
export function digestOf(samples: readonly Sample[], json: (sample: Sample) => unknown): string {
  const hash = createHash('sha256')
  for (const sample of samples) hash.update(`${JSON.stringify(canonical(json(sample)))}\n`)
  return hash.digest('hex')
}
