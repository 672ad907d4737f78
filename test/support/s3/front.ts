// A server in front of another one of S3: checks the signature (version 4) of each request with an independent
// implementation, and the digest of its body, and knows the condition `If-None-Match: *` of writes.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Test } from 'tap'

/** The used part of the package aws4. */
export interface Aws4 {
  sign(
    request: { host: string; path: string; method: string; service: string; region: string; headers: object },
    keys: { accessKeyId: string; secretAccessKey: string },
  ): { headers: Record<string, string> }
}

const KEY = 'S3RVER'
const REGION = 'us-east-1'

export async function startFront(t: Test, behind: number, aws4: Aws4): Promise<number> {
  const server = createServer((asked, response) => {
    answer(asked, response, behind, aws4).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

async function answer(asked: IncomingMessage, response: ServerResponse, behind: number, aws4: Aws4): Promise<void> {
  const body = await buffer(asked)
  const refuse = (status: number, code: string) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
  const code = signatureProblem(asked, body, aws4)
  if (code !== null) return void refuse(403, code)
  if (asked.headers['if-none-match'] === '*') {
    const path = asked.url!.split('?')[0]!
    const there = await forward({ method: 'HEAD', url: path, headers: asked.headers }, Buffer.alloc(0), behind)
    there.resume()
    if (there.statusCode === 200) return void refuse(412, 'PreconditionFailed')
  }
  const { method, url, headers } = asked
  const got = await forward({ method, url, headers }, body, behind)
  response.writeHead(got.statusCode!, got.headers)
  await pipeline(got, response)
}

function signatureProblem(asked: IncomingMessage, body: Buffer, aws4: Aws4): string | null {
  const given = asked.headers.authorization ?? ''
  const [, key, signed = ''] = /Credential=([^/]+)\/.*SignedHeaders=([^,]+)/.exec(given) ?? []
  if (key !== KEY) return 'InvalidAccessKeyId'
  const headers = Object.fromEntries(signed.split(';').map((name) => [name, asked.headers[name]]))
  const { host = '' } = asked.headers
  const target = { host, path: asked.url!, method: asked.method!, service: 's3', region: REGION, headers }
  const own = aws4.sign(target, { accessKeyId: KEY, secretAccessKey: KEY }).headers.Authorization
  if (own !== given || !signed.split(';').includes('x-amz-content-sha256')) return 'SignatureDoesNotMatch'
  const digest = createHash('sha256').update(body).digest('hex')
  return digest === asked.headers['x-amz-content-sha256'] ? null : 'XAmzContentSHA256Mismatch'
}

function forward(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
  port: number,
): Promise<IncomingMessage> {
  const {
    'if-none-match': _,
    'content-length': _length,
    'transfer-encoding': _encoding,
    connection: _c,
    ...rest
  } = headers
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', method, path: url, headers: { ...rest, 'content-length': body.length }, agent: false },
      resolve,
    )
    sent.on('error', reject).end(body)
  })
}
