// Database clients for addresses that the driver does not support: several hosts, a required kind of server, or a pooler.
import pg from 'pg'
import type { Address, Host, SessionAttributes } from './address.ts'
import { chooseHost, forgetHost } from './servers.ts'

type ClientClass = new (config?: pg.ClientConfig) => pg.Client

const hostsOfClients = new WeakMap<pg.Client, Host>()

/** The host of the address that was chosen for a client. */
export function chosenHostOf(client: pg.Client): Host | undefined {
  return hostsOfClients.get(client)
}

/** A class of clients that connect to a host of the address. It can be given to a pool. */
export function clientOf(url: string, address: Address, wanted: SessionAttributes): ClientClass {
  const needsChoice = address.hosts.length > 1 || wanted !== 'any'
  class HostClient extends pg.Client {
    #hasEnded = false

    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect()
      if (callback === undefined) return connected
      // The driver calls back without an error on success.
      connected.then(() => (callback as () => void)(), callback)
      return undefined
    }

    override end(): Promise<void>
    override end(callback: (error: Error) => void): void
    override end(callback?: (error: Error) => void): Promise<void> | undefined {
      this.#hasEnded = true
      if (callback === undefined) return super.end()
      super.end(callback)
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      const chosen = needsChoice ? await chooseHost(url, address, wanted) : undefined
      if (this.#hasEnded) throw new Error('Connection terminated')
      // A single host is left to the driver, because the address may name it by a Unix socket or a setting.
      if (chosen !== undefined && address.hosts.length > 1) {
        hostsOfClients.set(this, chosen)
        Object.assign(this, { host: chosen.host, port: chosen.port })
      }
      try {
        return await super.connect()
      } catch (error) {
        forgetHost(url, wanted)
        throw error
      }
    }
  }
  return address.isPooled ? withoutNames(HostClient) : HostClient
}

/**
 * Removes the names of statements, so that the driver does not prepare them: a pooler may run the next transaction in
 * another session, which does not have the prepared statements.
 */
function withoutNames(base: ClientClass): ClientClass {
  class UnnamedClient extends base {}
  // Assigned untyped: the driver declares a dozen forms of `query`.
  Object.defineProperty(UnnamedClient.prototype, 'query', {
    value: function query(this: pg.Client, first: unknown, ...rest: unknown[]) {
      return Reflect.apply(base.prototype.query, this, [unnamed(first), ...rest])
    },
  })
  return UnnamedClient
}

function unnamed(query: unknown): unknown {
  const isConfig = typeof query === 'object' && query !== null && 'name' in query && !('submit' in query)
  return isConfig ? { ...query, name: undefined } : query
}
