// Packed actions to decode, each with the ABI valid at its position: from a recording, and from a seeded synthetic
// stream.

import { readFileSync } from 'node:fs'
import { compileAbi } from '../../core/antelope/abi/compile.ts'
import type { AbiDefinition } from '../../core/antelope/abi/definition.ts'
import { packAbi } from '../../core/antelope/abi/pack.ts'
import { parseAbi } from '../../core/antelope/abi/parse.ts'
import { AbiBook } from '../../indexer/decode/abi-book.ts'
import { decodeBlock } from '../../indexer/decode/decode-block.ts'
import { Watch } from '../../indexer/decode/watch.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { Random } from '../../test/support/random.ts'
import { randomValue } from '../../test/support/random-abi.ts'

export interface Contract {
  /** Unique for each version of an ABI. */
  key: string
  packed: Uint8Array
  definition: AbiDefinition
}

export interface Sample {
  contract: Contract
  action: string
  type: string
  data: Buffer
}

const EXCHANGE = ['swap.svc', 'svcdexmain', 'bridge.svc', 'hop.svc']

function contractOf(key: string, packed: Uint8Array): Contract {
  return { key, packed, definition: parseAbi(packed) }
}

function sampleOf(contract: Contract, action: string, bytes: Uint8Array): Sample {
  const type = contract.definition.actions.find(({ name }) => name === action)?.type as string
  return { contract, action, type, data: Buffer.from(bytes) }
}

/** All decodable actions of the exchange's contracts, and all decodable transfers, of a recording. */
export async function recordedSamples(path: string): Promise<Sample[]> {
  const all = EXCHANGE.map((account) => [account, '*' as const] as const)
  const watch = new Watch({ actions: new Map<string, '*' | Set<string>>([...all, ['*', new Set(['transfer'])]]) })
  const abis = new AbiBook()
  const contracts = new Map<string, Contract>()
  const samples: Sample[] = []
  for await (const block of new ReplaySource(path).blocks({ from: 0, have: [] }, new AbortController().signal)) {
    for (const action of decodeBlock(block, watch, abis, { checksActions: false }).actions) {
      const version = abis.versionAt(action.account, block.num, action.globalSeq)
      if (!version) continue
      const contract = contracts.get(version.hash) ?? contractOf(`c${contracts.size}`, version.abi)
      contracts.set(version.hash, contract)
      samples.push(sampleOf(contract, action.name, action.frame.subarray(action.start, action.end)))
    }
  }
  return samples
}

const SYNTHETIC_SEED = 7
const SYNTHETIC_COUNT = 5000

/** Accounts, tokens and memos of a busy day: as on a chain, names repeat. */
const ACCOUNTS = 3000
const TOKENS = 200
const MEMOS = ['', '', 'swapexactin#12#alice#1.0000 USDT@usdt.svc#0', 'deposit', 'Gewinn für März', 'order 1234567']

/** Replaces names, symbols and memos of a value with repeating ones. */
function withRepeatedNames(random: Random, value: unknown): unknown {
  if (typeof value === 'string') {
    return /^[.1-5a-z]*$/.test(value) ? `user${letters(random.integer(0, ACCOUNTS))}` : random.pick(MEMOS)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withRepeatedNames(random, item))
  const token = letters(random.integer(0, TOKENS)).toUpperCase()
  const members = Object.entries(value).map(([name, item]) => {
    const isSymbol = 'precision' in value && (name === 'symbol' || name === 'code')
    return [name, isSymbol ? token : withRepeatedNames(random, item)]
  })
  return Object.fromEntries(members)
}

/** A number in letters. */
function letters(number: number): string {
  const text = String.fromCharCode(97 + (number % 26))
  return number < 26 ? text : letters(Math.floor(number / 26) - 1) + text
}

/** Transfers, swaps and matches with random values, as on a busy exchange. */
export function syntheticSamples(): Sample[] {
  const random = new Random(SYNTHETIC_SEED)
  const mix: [file: string, action: string][] = [
    ['eosio.token', 'transfer'],
    ['swap.svc.2023-08', 'logswap'],
    ['svcdexmain', 'buymatch'],
    ['swap.svc.2023-08', 'logmint'],
  ]
  const sources = mix.map(([file, action]) => {
    const text = readFileSync(new URL(`../../abis/${file}.abi.json`, import.meta.url), 'utf8')
    const packed = packAbi(parseAbi(text))
    return { contract: contractOf(`s.${action}`, packed), abi: compileAbi(parseAbi(packed)), action }
  })
  return Array.from({ length: SYNTHETIC_COUNT }, () => {
    const { contract, abi, action } = random.pick(sources)
    const value = withRepeatedNames(random, randomValue(random, contract.definition, abi.actions.get(action) as string))
    return sampleOf(contract, action, abi.encodeAction(action, value))
  })
}
