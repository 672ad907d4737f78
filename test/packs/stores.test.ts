// A pack travels over a web server, and over a bucket of S3.
// Own process: its connections to the server of S3 stay open after the test.
import t from 'tap'
import { ReplaySource } from '../../indexer/source/replay.ts'
import { openStore } from '../../net/objects/open.ts'
import { indexRecording } from '../indexer/replay/index-recording.ts'
import { serveFolder } from '../net/objects/web-server.ts'
import { testDatabase } from '../support/database.ts'
import { REQUIRED_VARIABLE, startS3 } from '../support/s3/server.ts'
import { CHAIN, digestOf, fetch, ID_40, pack, packFolder, RECORDINGS } from './scene.ts'

const verify = { trust: ID_40 }

t.test('packs at other places than a folder', async (t) => {
  const [publisher, reader] = [await testDatabase(t), await testDatabase(t)]
  await indexRecording(publisher.url, CHAIN, new ReplaySource(RECORDINGS.small), 40)
  const digest = await digestOf(publisher.url)
  const folder = packFolder(t)
  await pack(publisher.url, folder, RECORDINGS.small)

  await t.test('a web server', async (t) => {
    const web = await serveFolder(t, folder)
    const store = openStore(web.url, {}, { firstDelayMs: 1 })
    // The first answer to a file breaks.
    web.script.push(
      () => {},
      (request) => request.socket.destroy(),
    )
    t.match(await fetch(reader.url, '', { store, verify }), { block: 40, report: { confirmedBy: `block 40 ${ID_40}` } })
    t.equal(await digestOf(reader.url), digest)
    await reader.pool.query(`select meta.clear_chain('wax')`)
    await t.rejects(fetch(reader.url, '', { store: openStore(`${web.url}/none`, {}), verify }), {
      code: 'PACK_FILE_MISSING',
    })
  })

  await t.test('a bucket of S3', async (t) => {
    const server = await startS3(t)
    if ('missing' in server) {
      if (process.env[REQUIRED_VARIABLE] === 'required') throw new Error(server.missing)
      t.pass(`no server of S3: ${server.missing}`)
      return
    }
    const store = openStore('s3://packs/telos', server.settings)
    t.match(await pack(publisher.url, '', RECORDINGS.small, { store }), { ranges: 2, block: 40 })
    t.match(await pack(publisher.url, '', RECORDINGS.small, { store }), { written: 0, ranges: 2 })
    t.match(await fetch(reader.url, '', { store, verify }), { block: 40, report: { confirmedBy: `block 40 ${ID_40}` } })
    t.equal(await digestOf(reader.url), digest)
  })
})
