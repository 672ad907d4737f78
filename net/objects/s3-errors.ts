// Errors that an S3 server answers with, and what to change for each.
import { UserError } from '../../core/errors.ts'
import { withoutSecrets } from '../http.ts'
import { TemporaryFailure } from './attempts.ts'
import type { Bucket } from './s3-settings.ts'

/** Codes of temporary failures. Their HTTP statuses alone would count as permanent. */
const TEMPORARY = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'ConditionalRequestConflict',
  'OperationAborted',
])
const RIGHTS = 's3:GetObject and s3:ListBucket, for a command that writes also s3:PutObject'

const HINTS: Record<string, (bucket: Bucket, headers: Headers) => string> = {
  NoSuchBucket: ({ bucket, url }) =>
    `make the bucket ${bucket} first, or set AWS_ENDPOINT_URL_S3: the request went to ${withoutSecrets(url)}`,
  InvalidAccessKeyId: () =>
    'the server does not know AWS_ACCESS_KEY_ID: check it, and the server (AWS_ENDPOINT_URL_S3)',
  SignatureDoesNotMatch: () => 'the secret is wrong: check AWS_SECRET_ACCESS_KEY or its file',
  AccessDenied: ({ bucket }) => `give the key the rights to the bucket ${bucket}: ${RIGHTS}`,
  AllAccessDisabled: ({ bucket }) => `give the key the rights to the bucket ${bucket}: ${RIGHTS}`,
  ExpiredToken: () => 'AWS_SESSION_TOKEN has expired: get new keys',
  InvalidToken: () => 'AWS_SESSION_TOKEN does not belong to these keys: get new ones, or unset it',
  RequestTimeTooSkewed: () => 'the clock of this machine is wrong: set it',
  AuthorizationHeaderMalformed: regionHint,
  PermanentRedirect: regionHint,
  TemporaryRedirect: regionHint,
  MovedPermanently: regionHint,
}

function regionHint(_: Bucket, headers: Headers): string {
  const found = headers.get('x-amz-bucket-region')
  return found ? `set AWS_REGION=${found}` : 'set AWS_REGION to the region of the bucket'
}

/** The code of an error's XML; empty when there is none. */
export function codeOf(text: string): string {
  return /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? ''
}

export function isTemporaryCode(text: string): boolean {
  return TEMPORARY.has(codeOf(text))
}

/** The error for a refused request: a TemporaryFailure if it can be repeated, otherwise a UserError that says what to do. */
export function s3Refusal(
  at: { address: string; name: string; bucket: Bucket },
  { status, text, headers }: { status: number; text: string; headers: Headers },
): Error {
  const code = codeOf(text) || (status >= 301 && status <= 308 ? 'PermanentRedirect' : '')
  if (TEMPORARY.has(code)) return new TemporaryFailure(`the server answers ${code}`)
  const reason = code === '' ? `status ${status}` : `${code} (${status})`
  const hint = HINTS[code] ?? (status === 403 ? HINTS.AccessDenied : undefined)
  return new UserError(
    'OBJECTS_REFUSED',
    `${at.address}: ${at.name || 'the list of files'}: the server answers ${reason}`,
    {
      hint: hint?.(at.bucket, headers) ?? 'check the address, and the server (AWS_ENDPOINT_URL_S3)',
      place: { file: at.name },
    },
  )
}
