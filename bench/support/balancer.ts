// A balancer in its own process: passes each TCP connection to the next server in turn.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const OWN = fileURLToPath(import.meta.url)

export class BalancerProcess {
  readonly port: number
  private readonly child: ChildProcess

  get pid(): number {
    return this.child.pid ?? 0
  }

  private constructor(port: number, child: ChildProcess) {
    this.port = port
    this.child = child
  }

  /** @param ports  servers on 127.0.0.1 */
  static async start(ports: readonly number[]): Promise<BalancerProcess> {
    const child = fork(OWN, ports.map(String), { execArgv: ['--import', 'tsx'] })
    const [port] = await once(child, 'message')
    return new BalancerProcess(port as number, child)
  }

  /** Kills it at once, with all its connections. */
  kill(): void {
    this.child.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    await ended
  }
}

if (process.argv[1] === OWN && process.send !== undefined) {
  const ports = process.argv.slice(2).map(Number)
  let next = 0
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: ports[next++ % ports.length] ?? 0, host: '127.0.0.1', noDelay: true })
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}
