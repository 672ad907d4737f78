// Where and how a bucket is reached: the settings `objects.*`, checked.
import { UserError } from '../../core/errors.ts'
import { withoutTrailingSlash } from '../http.ts'
import { readSecretFile } from '../secret-file.ts'

/** Access to S3. The members are the settings `objects.*`. */
export interface ObjectSettings {
  accessKeyId?: string
  secretAccessKey?: string
  /** File with the secret access key, readable by its owner alone. */
  secretAccessKeyFile?: string
  sessionToken?: string
  region?: string
  /** Address of an S3-compatible server; without it Amazon's. */
  endpoint?: string
  /** Used when there is no `endpoint`. */
  awsEndpoint?: string
}

export interface Bucket {
  bucket: string
  /** Empty, or with a slash at its end. */
  prefix: string
  /** Address of the bucket, without a slash at its end. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

const MAX_SECRET_BYTES = 1024
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^[\w.=,+@-]+(\/[\w.=,+@-]+)*$/

/** @throws UserError OBJECTS_ADDRESS, OBJECTS_KEYS, OBJECTS_SECRET_FILE */
export function readBucket(address: string, settings: ObjectSettings): Bucket {
  const [bucket = '', ...path] = address.slice('s3://'.length).split('/')
  const prefix = path.join('/').replace(/\/+$/, '')
  if (!BUCKET.test(bucket) || (prefix !== '' && !PREFIX.test(prefix)) || /(^|\/)\.\.?(\/|$)/.test(prefix))
    throw new UserError('OBJECTS_ADDRESS', `${JSON.stringify(address)} is no bucket and prefix`, {
      hint: 's3://BUCKET/PREFIX, of letters, digits, dots, hyphens and underscores; keys and server are settings',
    })
  const { accessKeyId = '', sessionToken, region = 'us-east-1' } = settings
  const secretAccessKey = secretOf(settings)
  if (accessKeyId === '' || secretAccessKey === '')
    throw new UserError('OBJECTS_KEYS', `${address}: there is no access key`, {
      hint: 'set AWS_ACCESS_KEY_ID, and AWS_SECRET_ACCESS_KEY or AWS_SECRET_ACCESS_KEY_FILE',
    })
  const keys = { accessKeyId, secretAccessKey, sessionToken: sessionToken || undefined, region: region || 'us-east-1' }
  return { bucket, prefix: prefix && `${prefix}/`, url: bucketUrl(bucket, settings, keys.region), ...keys }
}

function secretOf({ secretAccessKey = '', secretAccessKeyFile = '' }: ObjectSettings): string {
  if (secretAccessKey !== '' || secretAccessKeyFile === '') return secretAccessKey
  const found = readSecretFile(secretAccessKeyFile, MAX_SECRET_BYTES)
  if ('text' in found) return found.text
  const reason = {
    closed: `cannot be opened: ${found.code}`,
    'no-file': 'is no file with a key',
    'open-to-others': 'can be read by others than its owner',
    'of-another': 'belongs to another user than that of this process',
  }[found.problem]
  throw new UserError(
    'OBJECTS_SECRET_FILE',
    `the file of AWS_SECRET_ACCESS_KEY_FILE, ${secretAccessKeyFile}, ${reason}`,
    {
      hint: `one line with the secret key; chmod 600 ${secretAccessKeyFile}, owned by the user that runs this process`,
    },
  )
}

/** Amazon puts the bucket into the host name; certificates do not cover buckets with dots. Other servers take a path. */
function bucketUrl(bucket: string, { endpoint = '', awsEndpoint = '' }: ObjectSettings, region: string): string {
  const given = endpoint || awsEndpoint
  if (given === '') {
    const domain = `${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
    return bucket.includes('.') ? `https://s3.${domain}/${bucket}` : `https://${bucket}.s3.${domain}`
  }
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '')
    throw new UserError('OBJECTS_ADDRESS', 'AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL is no address of a server', {
      hint: 'http(s)://HOST:PORT, without a login: the keys are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    })
  return `${withoutTrailingSlash(`${url.protocol}//${url.host}${url.pathname}`)}/${bucket}`
}
