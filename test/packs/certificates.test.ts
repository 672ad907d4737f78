// No id covers a certificate, and not every one is verified: what the publisher says of them is not stored as a check of
// the reader, and proofs verify those that they use.
import t, { type Test } from 'tap'
import { BLOCK_EXTENSION, packBlockHeader, packSignedBlock, readSignedBlock } from '../../core/antelope/block.ts'
import { SqlSource } from '../../finality-store/proof-source.ts'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { eachTuple } from '../../indexer/store/copy/tuples.ts'
import { CHUNK } from '../../packs/format/chunks.ts'
import { readSection, sectionContent } from '../../packs/format/section.ts'
import type { SlimBlock } from '../../packs/format/slim-block.ts'
import { certificateVerifier } from '../../proofs/certificates.ts'
import { certifiedBlock } from '../../proofs/certified-block.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { testDatabase } from '../support/database.ts'
import { catalogOf, copyOf } from './checked.ts'
import { CHAIN, fetch, ID_90, pack, packFolder, RECORDINGS } from './scene.ts'
import { chunksOf, manifestOf, putManifest, replaceBlocks, replaceRows, storeMadeRows, tablesOf } from './tamper.ts'

/** A block whose certificate nothing rests on. */
const MIDDLE = 60
const verify = { trust: ID_90 }

t.test('certificates of a pack', async (t) => {
  const original = packFolder(t)
  const publisher = await testDatabase(t)
  await indexRecording(publisher.url, CHAIN, new ReplaySource(RECORDINGS.small), 90)
  await pack(publisher.url, original, RECORDINGS.small, { blocksPerFile: 100 })
  const reader = await testDatabase(t)
  const fetched = async (folder: string, options: Parameters<typeof fetch>[2]) => {
    await reader.pool.query(`select meta.clear_chain('wax')`)
    return fetch(reader.url, folder, options)
  }
  const verified = async (): Promise<number[]> => {
    const { rows } = await reader.pool.query<{ num: number }>(
      'select block_num::int4 as num from ledger.certificates where verified order by 1',
    )
    return rows.map(({ num }) => num)
  }
  /** Changes the certificate in a block, and says of all certificates that they are verified. */
  const forged = async (t: Test) => {
    const folder = copyOf(t, original)
    const manifest = manifestOf(folder)
    const [range] = manifest.ranges
    await replaceBlocks(folder, range!.blocks!, range!.rows, (blocks) => blocks.map(withForgedCertificate))
    const chunks = await chunksOf(folder, range!.rows)
    const numbers = Array.from({ length: 90 }, (_, i) => i + 1)
    for (const chunk of chunks.filter(({ kind }) => kind === CHUNK.section)) {
      const section = readSection(chunk.content, '')
      if (section.verified) chunk.content = sectionContent({ ...section, verified: numbers })
    }
    await replaceRows(folder, range!.rows, chunks)
    putManifest(folder, manifest)
    return folder
  }

  await t.test('only what was verified here is stored as verified', async (t) => {
    const { report } = await fetched(original, { verify })
    const own = await verified()
    t.ok(own.length > 0 && own.length < 10, 'the certificates that hand over to a policy')
    t.same(report.columns['ledger.certificates'], ['verified', 'strong', 'certificate'])
    await fetched(original, { verify: null })
    t.same(await verified(), [], 'without verification none')

    const folder = await forged(t)
    await fetched(folder, { verify })
    t.same(await verified(), own)
    await fetched(folder, { verify: null })
    t.same(await verified(), [])
  })

  await t.test('a forged certificate is not served in a proof', async (t) => {
    await fetched(await forged(t), { verify })
    const source = new SqlSource(reader.pool, CHAIN)
    const wanted = MIDDLE - 2
    const first = await source.certified(wanted, 0)
    t.equal(first?.verified, false)
    const proved = await certifiedBlock({ source, verify: certificateVerifier() }, wanted, 0)
    t.ok(proved && proved.block.blockNum > first!.block.blockNum, 'the certificate of a later block is')
  })

  await t.test('stored rows that say so', async (t) => {
    const folder = copyOf(t, original)
    await storeMadeRows(folder, CHAIN, await catalogOf(publisher.url))
    const manifest = manifestOf(folder)
    const { rows: file } = manifest.ranges[0]!
    const chunks = await chunksOf(folder, file)
    const index = tablesOf(chunks).get('ledger.certificates')!
    const { columns } = readSection(chunks[index - 1]!.content, '')
    const at = columns.findIndex(([name]) => name === 'verified')
    const content = Buffer.from(chunks[index]!.content)
    eachTuple(content, columns.length, (tuple) => {
      content[tuple.at[at]!] = 1
    })
    chunks[index] = { kind: CHUNK.data, content }
    await replaceRows(folder, file, chunks)
    putManifest(folder, manifest)
    for (const mode of [verify, null]) {
      await fetched(folder, { verify: mode })
      t.same(await verified(), [])
    }
  })
})

function withForgedCertificate(block: SlimBlock): SlimBlock {
  const { header, blockNum, signature, extensions } = readSignedBlock(block.block)
  if (blockNum !== MIDDLE) return block
  const forged = extensions.map(({ id, data }) => {
    const bytes = Uint8Array.from(data)
    if (id === BLOCK_EXTENSION.quorumCertificate) bytes[bytes.length - 20]! ^= 1
    return { id, data: bytes }
  })
  return { ...block, block: packSignedBlock(packBlockHeader(header), signature, [], forged) }
}
