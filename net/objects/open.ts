// Opens the store of files at an address.
import { UserError } from '../../core/errors.ts'
import { FolderStore } from './folder.ts'
import type { ObjectStore } from './store.ts'

/** Access to S3. The members are the settings `objects.*`. */
export interface ObjectSettings {
  accessKeyId?: string
  /** File with the secret access key, readable by its owner alone. */
  secretAccessKeyFile?: string
  secretAccessKey?: string
  sessionToken?: string
  region?: string
  /** Address of an S3-compatible server; without it Amazon's. */
  endpoint?: string
}

/**
 * @param address  a folder, http(s)://HOST/PATH, or s3://BUCKET/PREFIX
 * @throws UserError OBJECTS_ADDRESS and those of the settings
 */
export function openStore(address: string, _settings: ObjectSettings): ObjectStore {
  if (address.trim() === '' || address.includes('\0') || /^[a-z][a-z0-9+.-]*:\/\//i.test(address))
    throw new UserError('OBJECTS_ADDRESS', `${JSON.stringify(address)} is no address of files`, {
      hint: 'a folder, http(s)://HOST/PATH or s3://BUCKET/PREFIX',
    })
  return new FolderStore(address)
}
