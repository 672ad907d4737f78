// Files at an http(s) address, as any web server serves them. Read only.
import type { Readable } from 'node:stream'
import { UserError } from '../../core/errors.ts'
import { withoutTrailingSlash } from '../http.ts'
import type { AttemptContext, Retries } from './attempts.ts'
import { openRemote, readRemote, type Server } from './remote.ts'
import type { ObjectStore, ReadOptions } from './store.ts'

interface Options {
  signal?: AbortSignal
}

export class HttpStore implements ObjectStore {
  readonly address: string
  readonly #server: WebServer
  readonly #retries: Retries

  constructor(url: URL, retries: Retries) {
    // A user name, a password or a query may be a secret.
    this.address = withoutTrailingSlash(`${url.protocol}//${url.host}${url.pathname}`)
    this.#server = new WebServer(this.address, url)
    this.#retries = retries
  }

  // biome-ignore lint/correctness/useYield: an http(s) address has no list.
  async *list(): AsyncGenerator<string> {
    throw new UserError('OBJECTS_NO_LIST', `${this.address}: a web server does not list its files`, {
      hint: 'the manifest names the files; for a list, name the folder or the bucket',
    })
  }

  read(name: string, options: ReadOptions = {}): Promise<Buffer | null> {
    return readRemote(this.#server, this.#context(name, options), options)
  }

  open(name: string, options: Options = {}): Promise<Readable | null> {
    return openRemote(this.#server, this.#context(name, options))
  }

  async write(): Promise<void> {
    throw this.#readOnly()
  }

  async replace(): Promise<void> {
    throw this.#readOnly()
  }

  #readOnly(): UserError {
    return new UserError('OBJECTS_READ_ONLY', `${this.address}: files cannot be written over http`, {
      hint: 'write to the folder that the server gives out, or to s3://BUCKET/PREFIX',
    })
  }

  #context(name: string, { signal }: Options): AttemptContext {
    return { address: this.address, name, retries: this.#retries, signal }
  }
}

/** @throws UserError OBJECTS_ADDRESS for a percent sign that begins no escape */
function decoded(text: string, address: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new UserError('OBJECTS_ADDRESS', `${address}: the user name or the password has a wrong escape`, {
      hint: 'write a percent sign of it as %25',
      cause,
    })
  }
}

class WebServer implements Server {
  readonly redirect = 'follow'
  readonly #address: string
  readonly #query: string
  readonly #headers: Record<string, string>

  constructor(address: string, { username, password, search }: URL) {
    this.#address = address
    this.#query = search
    const login = `${decoded(username, address)}:${decoded(password, address)}`
    this.#headers = login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
  }

  async get(name: string, headers: Record<string, string>) {
    const path = name.split('/').map(encodeURIComponent).join('/')
    return { url: `${this.#address}/${path}${this.#query}`, headers: { ...this.#headers, ...headers } }
  }

  isMissing(status: number): boolean {
    return status === 404 || status === 410
  }

  refusal(status: number, _text: string, _headers: Headers, name: string): UserError {
    return new UserError('OBJECTS_REFUSED', `${this.#address}: ${name}: the server answers ${status}`, {
      hint:
        status === 401 || status === 403
          ? 'the server asks for a login: https://USER:PASSWORD@HOST/PATH, or ask its operator'
          : 'check the address: a browser should show the manifest',
      place: { file: name },
    })
  }
}
