// A server of S3 for tests, from its own package file. It keeps files in a folder. It does not check signatures of
// version 4 and knows no conditional writes: the server in front of it does.
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { ObjectSettings } from '../../../net/objects/s3-settings.ts'
import { firstLines, installedPackage } from '../test-package.ts'
import { type Aws4, startFront } from './front.ts'

interface S3rver {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}
type S3rverClass = new (options: object) => S3rver

/** The server is not installed, and cannot be. */
export interface Missing {
  missing: string
}

/** Set by the test runner when the installation failed, so that no test tries again. */
export const MISSING_VARIABLE = 'HEADWATER_TEST_S3_MISSING'
/** When set to `required`, a missing server is a failure. */
export const REQUIRED_VARIABLE = 'HEADWATER_TEST_S3'

/** Never throws: returns the reason. */
export async function installS3(): Promise<Missing | null> {
  const known = process.env[MISSING_VARIABLE]
  if (known !== undefined) return { missing: known }
  try {
    await load()
    return null
  } catch (error) {
    return { missing: firstLines(error) }
  }
}

export interface S3Server {
  /** Settings with the only keys that it knows. */
  settings: ObjectSettings
  port: number
}

/** Starts a server with the bucket `packs` on a free port, or returns the reason why there is none. */
export async function startS3(t: Test): Promise<S3Server | Missing> {
  const missing = await installS3()
  if (missing !== null) return missing
  const directory = mkdtempSync(join(tmpdir(), 'headwater-s3-'))
  const Server = await load()
  const server = new Server({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'packs' }],
  })
  const behind = await server.run()
  const port = await startFront(t, behind.port, await installedPackage<Aws4>(import.meta.dirname, 'aws4'))
  t.teardown(async () => {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const settings = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', endpoint: `http://127.0.0.1:${port}` }
  return { settings, port }
}

function load(): Promise<S3rverClass> {
  return installedPackage<S3rverClass>(import.meta.dirname, 's3rver')
}
