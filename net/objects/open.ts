// Opens the store of files at an address.
import { UserError } from '../../core/errors.ts'
import type { Retries } from './attempts.ts'
import { FolderStore } from './folder.ts'
import { HttpStore } from './http.ts'
import { S3Store } from './s3.ts'
import { type ObjectSettings, readBucket } from './s3-settings.ts'
import type { ObjectStore } from './store.ts'

/**
 * @param address   a folder, http(s)://HOST/PATH, or s3://BUCKET/PREFIX
 * @param settings  access to S3: the settings `objects`
 * @param limits    retries and timeouts; `partBytes`: size from which S3 gets a file in parts
 * @throws UserError OBJECTS_ADDRESS, OBJECTS_KEYS, OBJECTS_SECRET_FILE
 */
export function openStore(
  address: string,
  settings: ObjectSettings,
  limits: Retries & { partBytes?: number } = {},
): ObjectStore {
  if (address.startsWith('s3://')) return new S3Store(readBucket(address, settings), limits)
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return new HttpStore(new URL(address), limits)
  if (address.trim() === '' || address.includes('\0') || /^[a-z][a-z0-9+.-]*:\/\//i.test(address))
    throw new UserError('OBJECTS_ADDRESS', `${JSON.stringify(address)} is no address of files`, {
      hint: 'a folder, http(s)://HOST/PATH or s3://BUCKET/PREFIX',
    })
  return new FolderStore(address)
}
