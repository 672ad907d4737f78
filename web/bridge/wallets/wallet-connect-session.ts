// Opens a WalletConnect session: shows a code to scan and waits for a wallet.
import { Fault } from '../core/faults.ts'
import { showPrompt } from './prompt.ts'
import { type Approved, type Library, type Place, SessionProvider, SIGNING } from './session-provider.ts'

const EVENTS = ['accountsChanged', 'chainChanged']
/** Timeout for connecting to the relay, milliseconds. */
const RELAY_MS = 15_000
/**
 * Shows a code to scan and waits until a wallet approves.
 *
 * @param methods  requested methods
 * @throws Fault when the user closes it or the code expires unscanned; any error of the library
 */
export async function openSession(
  { init }: Library['SignClient'],
  projectId: string,
  places: readonly Place[],
  methods: readonly string[],
): Promise<SessionProvider> {
  const { origin } = location
  const metadata = { name: 'Bridge', description: 'Moves tokens between chains', url: origin, icons: [] }
  const client = await init({ projectId, metadata, telemetryEnabled: false, logger: 'silent' })
  const chains = places.map(({ chainId }) => `eip155:${chainId}`)
  const eip155 = { chains, methods: SIGNING, events: EVENTS }
  const { uri = '', approval } = await withTimeout(client.connect({ optionalNamespaces: { eip155 } }))
  const approved = await showCode(uri, approval())
  return new SessionProvider(client, approved, places, methods)
}

/** Adds a timeout: the library retries its relay without end. */
async function withTimeout<T>(answer: Promise<T>): Promise<T> {
  let timer = 0
  const late = new Promise<never>((_, reject) => {
    const fault = new Fault('WALLET_DISCONNECTED', 'WalletConnect cannot be reached. Choose another wallet.')
    timer = window.setTimeout(() => reject(fault), RELAY_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
    answer.catch(() => {})
  }
}

/** Shows the code until the wallet answers. */
async function showCode(uri: string, answer: Promise<Approved>): Promise<Approved> {
  let close = () => {}
  const closed = new Promise<never>((_, reject) => {
    const cancel = () => reject(new Fault('WALLET_REJECTED', 'You have closed the wallet’s request. Nothing was sent.'))
    const elements = [
      { type: 'qr', data: uri },
      { type: 'link', label: 'Open a wallet on this device', data: { href: uri } },
    ]
    const body = 'Scan the code with a wallet on your phone.'
    close = showPrompt({ title: 'WalletConnect', body, elements }, { accept: cancel, cancel }).close
  })
  try {
    return await Promise.race([answer, closed])
  } catch (error) {
    if (!/expired/i.test(String((error as Error)?.message))) throw error
    throw new Fault('WALLET_TIMEOUT', 'Nobody has scanned the code in time. Try again.')
  } finally {
    close()
    answer.catch(() => {})
  }
}
