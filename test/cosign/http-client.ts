// Requests over persistent connections with the client's address, as the API forwards them.
import { Agent, request } from 'node:http'

export class HttpClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 })
  private readonly url: string

  constructor(url: string) {
    this.url = url
  }

  post(path: string, body: string, address: string): Promise<{ status: number; body: string }> {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-forwarded-for': address,
    }
    return new Promise((resolve, reject) => {
      const sent = request(`${this.url}${path}`, { method: 'POST', agent: this.agent, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }),
        )
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}
