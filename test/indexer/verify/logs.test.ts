// `headwater logs check` accepts the logs of a real node, and finds every change of data that a block commits to.
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readSignedBlock } from '../../../core/antelope/block.ts'
import { readPayload } from '../../../core/antelope/logs/payload.ts'
import { walkTransactionTraces } from '../../../core/antelope/traces.ts'
import { FinalityFollower } from '../../../core/finality/follower.ts'
import type { FinalityStart } from '../../../core/finality/start.ts'
import { LogSource } from '../../../indexer/source/logs/source.ts'
import { checkLogs } from '../../../indexer/verify/logs/check-logs.ts'
import type { LogsReport } from '../../../indexer/verify/logs/report.ts'
import { entryOf, payloadOf, save, writeBlockLog } from '../../support/log-writer.ts'
import { unpackNode } from '../../support/node-logs.ts'
import { finalChain, recordedBlocks, writeNodeLogs } from '../../support/recorded-logs.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A start for finality after a block of the logs in a folder. */
async function startAt(folder: string, last: number): Promise<FinalityStart> {
  const follower = new FinalityFollower({ chain: 'logs', bridge: '', start: null })
  const source = new LogSource({ folders: [folder], chain: 'logs' })
  const signal = new AbortController().signal
  for await (const block of source.blocks({ from: 2, have: [], to: last }, signal)) follower.follow(block, false)
  return follower.asStart!
}

const CHAIN_ID = '9ab8455e7f69aec914f61a19964a2612ea829cd28594b3ac7a8544b05a3d0573'
const OTHER_ID = 'faf83d43f2c2de2380afb028f74dacd50e0f76a226cf8d3b6a392515b926176d'
const LONG = process.env.HEADWATER_TEST_LONG !== undefined
const run = promisify(execFile)
const check = (...folders: string[]): Promise<LogsReport> => checkLogs({ folders })
const codes = ({ problems }: LogsReport): string[] => [...new Set(problems.map(({ code }) => code))].sort()

t.test('a real node with forks', async (t) => {
  const folder = unpackNode(t, 'forks')
  const report = await check(folder)
  t.same(report.problems, [])
  t.match(report, {
    ...{ ok: true, chainId: CHAIN_ID, checked: { from: 1, to: 596 }, finalBlock: 592 },
    verified: {
      ...{ ids: 594, links: 594, transactionRoots: 594, transactions: 593, legacyRoots: 32, savannaRoots: 561 },
      ...{ finality: 562, certificates: 3 },
    },
    policies: [
      { generation: 1, block: 32 },
      { generation: 2, block: 48 },
    ],
    unverified: [/from 595 on: they are reversible/],
  })
  t.match(report.logs, [
    { log: 'trace_history', ranges: [{ from: 2, to: 596 }], payloads: { 'stored size': 595 }, missing: [] },
    { log: 'chain_state_history', ranges: [{ from: 1, to: 596 }] },
    { log: 'finality_data_history', ranges: [{ from: 32, to: 596 }] },
    { log: 'blocks', ranges: [{ from: 1, to: 594 }] },
  ])
  t.ok(report.uncommitted.some((what) => what.startsWith('table deltas')))
  t.test('a part of it', async (t) => {
    const part = await checkLogs({ folders: [folder], from: 100, to: 120 })
    t.match(part, { ok: true, checked: { from: 100, to: 120 }, verified: { ids: 21, links: 20, savannaRoots: 21 } })
    t.match(part.unverified, [/finality from block 100 on: the blocks since Savanna began/])
  })
  t.test('a part of it, from a start for finality', async (t) => {
    const start = await startAt(folder, 99)
    const part = await checkLogs({ folders: [folder], from: 100, to: 200, start })
    t.match(part, { ok: true, verified: { ids: 101, certificates: 2, finality: 100 }, finalBlock: 198, unverified: [] })
    t.same(
      part.policies.map(({ digest }) => digest),
      [report.policies[1]!.digest],
      'the policy in force is that of the start',
    )
    const wrong = { ...start, blockId: start.blockId.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) }
    const other = await checkLogs({ folders: [folder], from: 100, to: 200, start: wrong })
    t.match(other, { ok: false, verified: { certificates: 0 } })
    t.same(codes(other), ['FINALITY_MISMATCH'])
    // A block ahead: the start is not the parent of what is read, so nothing is followed.
    const late = await checkLogs({ folders: [folder], from: 101, to: 200, start })
    t.match(late, { ok: true, verified: { certificates: 0 }, unverified: [/finality from block 101 on/] })
  })
  t.test('the finalizer policy that is trusted', async (t) => {
    const [first, second] = report.policies.map(({ digest }) => digest)
    const trusting = (policy: string) => checkLogs({ folders: [folder], to: 60, policy })
    t.match(await trusting(first!), { ok: true })
    for (const digest of [second!, 'ab'.repeat(32)]) {
      t.match(await trusting(digest), { ok: false, problems: [{ code: 'LOG_POLICY', message: /is trusted$/ }] })
    }
    const before = await checkLogs({ folders: [folder], to: 20, policy: first! })
    t.match(before.problems, [{ code: 'LOG_POLICY', message: /no finalizer policy was followed/ }])
  })
  t.test('another chain id than the wanted one', async (t) => {
    t.same(codes(await checkLogs({ folders: [folder], to: 3, chainId: 'ab'.repeat(32) })), ['OTHER_CHAIN'])
  })
  t.test('the command, as JSON and as text', async (t) => {
    const command = (...args: string[]) => run(process.execPath, ['bin/headwater.js', 'logs', 'check', ...args])
    const { stdout } = await command(folder, '--json', '--to', '40')
    t.match(JSON.parse(stdout), { ok: true, checked: { from: 1, to: 40 }, verified: { ids: 40 } })
    truncateSync(join(folder, 'state-history/trace_history.log'), 2_000_000)
    const failed = await command(folder, '--to', '40').catch((error) => error)
    t.match(failed, {
      code: 1,
      stdout: /^FAIL {2}LOG_TORN: .*trace_history\.log at offset \d+, block \d+: the last entry/m,
    })
    t.match(await command().catch((error) => error), { code: 2, stderr: /FOLDER is missing/ })
    const unread = await command(folder, '--finality', 'bin/main.ts').catch((error) => error)
    t.match(unread, { code: 1, stderr: /INVALID_FINALITY_START/ })
    const policy = await command(folder, '--policy', 'AB').catch((error) => error)
    t.match(policy, { code: 2, stderr: /--policy is not a SHA-256 digest/ })
  })
})

t.test('partitions, a pruned node, and one that began with a snapshot', async (t) => {
  const partitions = await check(unpackNode(t, 'partitions'))
  t.match(partitions, { ok: true, checked: { from: 1, to: 594 }, verified: { ids: 594, links: 594, certificates: 3 } })
  t.equal(partitions.logs[0]!.files.length, 6)
  const pruned = await check(unpackNode(t, 'pruned'))
  t.match(pruned, { ok: true, chainId: /^faf83d43/, verified: { ids: 0 }, unverified: [/there is no block log/] })
  t.match(await check(unpackNode(t, 'snapshot')), { ok: true, checked: { from: 1678, to: 1678 } })
})

t.test('folders of two chains: the error names the chain of each', async (t) => {
  const forks = unpackNode(t, 'forks')
  // No block log, and blocks that no file of the other chain has.
  const [snapshot, pruned] = [unpackNode(t, 'snapshot'), unpackNode(t, 'pruned')]
  const deltasOf = (folder: string) => join(folder, 'state-history/chain_state_history.log')
  const own = `${join(forks, 'blocks/blocks.log')}, ${deltasOf(forks)} are of chain ${CHAIN_ID}`
  for (const other of [snapshot, pruned])
    await t.rejects(check(forks, other), {
      code: 'OTHER_CHAIN',
      message: `the logs are of 2 chains: ${own}; ${deltasOf(other)} is of chain ${OTHER_ID}`,
      hint: 'give the folders of one chain',
    })
  await t.rejects(check(snapshot, forks), { code: 'OTHER_CHAIN' }, 'in any order')
  await t.rejects(check(`${snapshot}/state-history`, `${forks}/state-history`), { code: 'OTHER_CHAIN' })
  t.match(codes(await checkLogs({ folders: [pruned], to: 3, chainId: CHAIN_ID })), ['OTHER_CHAIN'])

  // Archives of two nodes: partitions of the block log.
  const blocks = finalChain(await recordedBlocks('small')).slice(0, 18)
  const archives = [7, 8].map((byte, index) => {
    const archive = temporaryFolder(t)
    const part = blocks.slice(9 * index, 9 * index + 9)
    save(archive, `blocks-${part[0]!.num}-${part[8]!.num}`, writeBlockLog(part, Buffer.alloc(32, byte)))
    return archive
  })
  await t.rejects(check(...archives), {
    code: 'OTHER_CHAIN',
    message: /blocks-2-10\.log is of chain (07){32}; .*blocks-11-19\.log is of chain (08){32}$/,
  })

  // Traces alone name no chain.
  const traces = temporaryFolder(t)
  cpSync(join(pruned, 'state-history/trace_history.log'), join(traces, 'trace_history.log'))
  t.match((await check(forks, traces)).problems.at(-1), {
    ...{ code: 'LOG_RANGE_MISSING', message: /^trace_history lacks blocks 597 to/ },
    hint: new RegExp(`; the chain of ${traces} is not known`),
  })
})

t.test('logs of every generation, made from recordings', async (t) => {
  for (const name of ['small', 'forks']) {
    const blocks = await recordedBlocks(name)
    const folder = temporaryFolder(t)
    writeNodeLogs(folder, blocks)
    const report = await check(folder)
    const { length } = finalChain(blocks)
    t.same(report.problems, [], name)
    t.match(report.verified, { ids: length, transactionRoots: length, transactions: length }, name)
    t.equal(report.verified.legacyRoots + report.verified.savannaRoots, length)
    t.ok(Object.keys(report.logs[0]!.payloads).length >= 4, 'four forms')
  }
})

t.test('a missing partition, a missing block, files of different branches', async (t) => {
  const folder = unpackNode(t, 'partitions')
  const part = join(folder, 'state-history/archive/trace_history-101-200')
  rmSync(`${part}.log`)
  const report = await check(folder)
  t.match(report.problems, [{ code: 'LOG_RANGE_MISSING', message: /trace_history lacks blocks 101 to 200/ }])
  const blocks = finalChain(await recordedBlocks('small')).slice(0, 40)
  const one = temporaryFolder(t)
  writeNodeLogs(one, blocks)
  const other = temporaryFolder(t)
  const lost = blocks.map((block, index) => ({
    ...block,
    id: index === 30 ? `${block.id.slice(0, 8)}${'5'.repeat(56)}` : block.id,
  }))
  writeNodeLogs(other, lost)
  const traces = 'state-history/trace_history.log'
  writeFileSync(join(one, traces), readFileSync(join(other, traces)))
  t.match((await check(one)).problems, [{ code: 'LOG_OTHER_BRANCH', block: blocks[30]!.num }])
})

/** For each byte of a block's traces, whether the action root commits to it. */
function committedBytes(traces: Uint8Array): Uint8Array {
  const mask = new Uint8Array(traces.length)
  walkTransactionTraces(traces, {
    action({ receipt, receiptEnd, receiver, dataEnd, returned, returnedEnd }, isInRoot) {
      if (!isInRoot || receipt < 0) return
      mask.fill(1, receipt, receiptEnd)
      mask.fill(1, receiver + 8, dataEnd)
      mask.fill(1, returned, returnedEnd)
    },
  })
  return mask
}

t.test('every byte of an entry, altered in turn', async (t) => {
  const blocks = finalChain(await recordedBlocks('small'))
  // A block whose successor has finality data, in the middle of all logs.
  const at = blocks.findIndex(
    ({ traces, finality }, index) =>
      blocks[index - 1]?.finality && finality && traces.length > 1500 && traces.length < 6000,
  )
  const chain = blocks.slice(at - 1, at + 2)
  const target = chain[1]!
  const folder = temporaryFolder(t)
  writeNodeLogs(folder, chain, { style: () => 'spring' })
  t.same((await check(folder)).problems, [])
  const alterations = (name: string) => {
    const path = join(folder, name)
    const bytes = readFileSync(path)
    const from = Number(readFileSync(path.replace('.log', '.index')).readBigUInt64LE(8))
    const to = Number(readFileSync(path.replace('.log', '.index')).readBigUInt64LE(16))
    return { path, bytes, from, to }
  }
  const step = LONG ? 1 : 29
  await t.test('without its checksum corrected: all are found', async (t) => {
    for (const name of ['trace_history', 'chain_state_history', 'finality_data_history']) {
      const { path, bytes, from, to } = alterations(`state-history/${name}.log`)
      const places = Array.from({ length: to - from }, (_, index) => from + index)
      const chosen = places.filter((place) => place < from + 64 || place >= to - 12 || place % step === 0)
      for (const place of chosen) {
        const altered = Buffer.from(bytes)
        altered[place]! ^= 0x41
        writeFileSync(path, altered)
        if ((await check(folder)).ok) t.fail(`${name}: byte ${place - from} of the entry`)
      }
      writeFileSync(path, bytes)
      t.pass(`${name}: ${chosen.length} bytes of ${places.length}`)
    }
  })
  await t.test('in traces, with checksum and sizes corrected: found where the block commits to it', async (t) => {
    const { path, bytes, from, to } = alterations('state-history/trace_history.log')
    const { content } = readPayload(bytes.subarray(from + 48, to - 8))
    const committed = committedBytes(content)
    let silent = 0
    for (let place = 0; place < content.length; place += LONG ? 1 : 23) {
      const changed = Buffer.from(content)
      changed[place]! ^= 1
      const entry = entryOf(target.id, payloadOf(changed, 'spring'), from)
      writeFileSync(path, Buffer.concat([bytes.subarray(0, from), entry, bytes.subarray(to)]))
      const report = await check(folder)
      if (report.ok) silent++
      if (report.ok && committed[place]) t.fail(`byte ${place} of the traces is committed to, and not found`)
    }
    writeFileSync(path, bytes)
    t.ok(silent > 0, `${silent} alterations are in what no block commits to`)
  })
  await t.test('in the block: all but the signature are found', async (t) => {
    const { path, bytes, from, to } = alterations('blocks/blocks.log')
    const silent: number[] = []
    for (let place = from; place < to; place += LONG ? 1 : 11) {
      const altered = Buffer.from(bytes)
      altered[place]! ^= 1
      writeFileSync(path, altered)
      if ((await check(folder)).ok) silent.push(place - from)
    }
    writeFileSync(path, bytes)
    // The signature: a type and 65 bytes after the header. The extensions, with the certificate, come last.
    const { packedHeader, extensions } = readSignedBlock(target.block)
    const end = target.block.length - extensions.reduce((sum, { data }) => sum + data.length + 8, 0)
    const isSignature = (place: number) => place >= packedHeader.length && place < packedHeader.length + 66
    const unexpected = silent.filter((place) => !isSignature(place) && place < end)
    t.same(unexpected, [], 'header and transactions are committed to')
    t.ok(silent.some(isSignature), 'nothing commits to the signature')
  })
})

t.test('an altered delta with a corrected checksum is not found, and the report says so', async (t) => {
  const blocks = finalChain(await recordedBlocks('small')).slice(0, 30)
  const target = blocks.find(({ deltas }) => deltas!.length > 400)!
  const deltas = Buffer.from(target.deltas!)
  deltas[deltas.length - 1]! ^= 1
  const folder = temporaryFolder(t)
  writeNodeLogs(
    folder,
    blocks.map((block) => (block === target ? { ...block, deltas } : block)),
  )
  const report = await check(folder)
  t.same(report.problems, [])
  t.match(report.uncommitted[0], /^table deltas/)
})
