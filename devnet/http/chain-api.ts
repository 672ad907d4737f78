// Requests of a node's chain API that a devnet answers, from the head block's state.

import { readSignedBlock } from '../../core/antelope/block.ts'
import { referenceTo } from '../../core/antelope/pack-transaction.ts'
import { slotToMs } from '../../core/antelope/time.ts'
import { fromHex, toHex } from '../../core/hex.ts'
import { required } from '../../core/required.ts'
import { sha256 } from '../../core/sha256.ts'
import type { Chain } from '../chain/chain.ts'
import type { CpuUse } from '../chain/cpu-use.ts'
import type { Permission, Permissions } from '../chain/permissions.ts'
import type { AbiVersion } from '../chain/state.ts'
import { ChainApiError } from './error.ts'
import { type ScopeQuery, type TableQuery, tableRows, tablesByScope } from './tables.ts'

const isoTime = (slot: number): string => new Date(slotToMs(slot)).toISOString().slice(0, 23)

function info(chain: Chain): object {
  const { head, lib } = chain
  const { header } = readSignedBlock(required(chain.block(head.num), `block ${head.num}`).block)
  return {
    server_version: 'devnet',
    server_version_string: 'devnet',
    server_full_version_string: 'devnet',
    chain_id: chain.chainId,
    head_block_num: head.num,
    head_block_id: head.id,
    head_block_time: isoTime(header.timestamp),
    head_block_producer: header.producer,
    last_irreversible_block_num: lib.num,
    last_irreversible_block_id: lib.id,
    last_irreversible_block_time: isoTime(
      readSignedBlock(required(chain.block(lib.num), `block ${lib.num}`).block).header.timestamp,
    ),
    fork_db_head_block_num: head.num,
    fork_db_head_block_id: head.id,
    earliest_available_block_num: chain.firstBlock,
    virtual_block_cpu_limit: 200_000_000,
    virtual_block_net_limit: 1_048_576_000,
    block_cpu_limit: 200_000,
    block_net_limit: 1_048_576,
    total_cpu_weight: '0',
    total_net_weight: '0',
  }
}

function blockInfo(chain: Chain, { block_num }: { block_num: number }): object {
  const stored = chain.block(block_num)
  if (!stored) throw new ChainApiError(3100002, 'unknown_block_exception', `Could not find block: ${block_num}`)
  const { header, id, signature } = readSignedBlock(stored.block)
  const { refBlockNum, refBlockPrefix } = referenceTo(id)
  return {
    block_num,
    ref_block_num: refBlockNum,
    id,
    timestamp: isoTime(header.timestamp),
    producer: header.producer,
    confirmed: header.confirmed,
    previous: header.previous,
    transaction_mroot: toHex(header.transactionMroot),
    action_mroot: toHex(header.actionMroot),
    schedule_version: header.scheduleVersion,
    producer_signature: toHex(signature),
    ref_block_prefix: refBlockPrefix,
  }
}

interface AccountQuery {
  account_name: string
}

function abiOf(chain: Chain, account: string): AbiVersion | null {
  const found = chain.state.findAccount(account)
  if (!found) throw new ChainApiError(3060002, 'account_query_exception', `unknown key: ${account}`)
  return found.state.abi
}

function abi(chain: Chain, { account_name }: AccountQuery): object {
  const version = abiOf(chain, account_name)
  return version ? { account_name, abi: version.definition } : { account_name }
}

function rawAbi(chain: Chain, { account_name }: AccountQuery): object {
  const packed = abiOf(chain, account_name)?.packed ?? new Uint8Array()
  return {
    account_name,
    code_hash: toHex(sha256(fromHex(''))),
    abi_hash: toHex(sha256(packed)),
    abi: Buffer.from(packed).toString('base64'),
  }
}

/** The handlers' data outside of the chain. */
interface NodeState {
  isAccount(name: string): boolean
  /** Null when nothing can be sent. */
  cpu: CpuUse | null
}

/** CPU quota of every account, microseconds per day. */
const CPU_A_DAY = 10_000_000
const PLENTY = { used: 0, available: 1_000_000_000, max: 1_000_000_000 }
const KEYLESS: Permissions = [
  { name: 'active', parent: 'owner', threshold: 1, keys: [], links: [] },
  { name: 'owner', parent: '', threshold: 1, keys: [], links: [] },
]

/** Counts CPU of sent transactions; memory and bandwidth are not counted. */
function account(chain: Chain, { account_name }: AccountQuery, { isAccount, cpu }: NodeState): object {
  requireAccount(chain, account_name, isAccount)
  const { head, headTime, state } = chain
  const used = cpu?.used(account_name, headTime) ?? 0
  const given = state.permissionsOf(account_name)
  const permissions = [...given, ...KEYLESS.filter(({ name }) => !given.some((one) => one.name === name))]
  return {
    account_name,
    head_block_num: head.num,
    head_block_time: new Date(headTime).toISOString().slice(0, 23),
    privileged: false,
    created: new Date(createdAt(chain, account_name)).toISOString().slice(0, 23),
    ram_quota: 1_000_000,
    ram_usage: 0,
    net_weight: 0,
    cpu_weight: 0,
    net_limit: PLENTY,
    cpu_limit: { used, available: Math.max(0, CPU_A_DAY - used), max: CPU_A_DAY },
    permissions: permissions.map(permissionJson),
  }
}

function permissionJson({ name, parent, threshold, keys, links }: Permission): object {
  return {
    perm_name: name,
    parent,
    required_auth: { threshold, keys, accounts: [], waits: [] },
    linked_actions: links.map(({ account, action }) => ({ account, ...(action === '' ? {} : { action }) })),
  }
}

/** Unix milliseconds; an unused account is as old as the chain. */
function createdAt({ state, startTime }: Chain, name: string): number {
  const found = state.findAccount(name)
  return found ? slotToMs(found.created) : startTime
}

function requireAccount({ state }: Chain, name: string, isAccount: (name: string) => boolean): void {
  if (isAccount(name) || state.findAccount(name) !== undefined) return
  throw new ChainApiError(3060002, 'account_query_exception', `unknown key: ${name}`)
}

/** A contract's code hash is a hash of its name, because it is not WebAssembly. */
function codeHash(chain: Chain, { account_name }: AccountQuery, { isAccount }: NodeState): object {
  requireAccount(chain, account_name, isAccount)
  const hasCode = chain.contracts.has(account_name)
  return { account_name, code_hash: hasCode ? toHex(sha256(Buffer.from(account_name))) : '0'.repeat(64) }
}

type Handler = (chain: Chain, body: never, node: NodeState) => object

/** Handlers by path. They throw ChainApiError. */
export const chainApi: Record<string, Handler> = {
  '/v1/chain/get_info': info,
  '/v1/chain/get_block_info': blockInfo,
  '/v1/chain/get_account': account,
  '/v1/chain/get_code_hash': codeHash,
  '/v1/chain/get_abi': abi,
  '/v1/chain/get_raw_abi': rawAbi,
  '/v1/chain/get_table_rows': (chain: Chain, body: TableQuery) => tableRows(chain, body),
  '/v1/chain/get_table_by_scope': (chain: Chain, body: ScopeQuery) => tablesByScope(chain, body),
}
