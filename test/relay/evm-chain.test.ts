// What nodes say about a transaction that they have, or whose nonce is used.
import { HDNodeWallet } from 'ethers'
import t from 'tap'
import { EvmChain } from '../../relay/evm/chain.ts'
import { startFakeEvmNode } from './evm-node.ts'

/** Texts of geth, Erigon, Nethermind (of two years), Besu and Parity. */
const HAVE_IT = [
  'already known',
  'AlreadyKnown',
  'Known transaction',
  'Transaction with the same hash was already imported.',
  'nonce too low: address 0x01, tx: 1 state: 2',
  'OldNonce, Current nonce: 2, nonce of rejected tx: 1',
  'OwnNonceAlreadyUsed',
  'replacement transaction underpriced',
  'ReplacementNotAllowed, some requirements are not fulfilled',
]

t.test('a node that has a transaction does not refuse it', async (t) => {
  const node = await startFakeEvmNode(t)
  const chain = new EvmChain(
    { name: 'mainnet', chainId: 1, urls: [node.url], timeoutMs: 5000 },
    new AbortController().signal,
  )
  const signed = await HDNodeWallet.createRandom().signTransaction({ to: null, data: '0x00', chainId: 1, gasLimit: 1 })
  const raw = Buffer.from(signed.slice(2), 'hex')
  for (const text of HAVE_IT) {
    node.sendError = text
    await t.resolves(chain.send(raw), text)
  }
  for (const text of [
    'exceeds block gas limit',
    'insufficient funds for gas * price + value',
    'transaction underpriced',
  ]) {
    node.sendError = text
    await t.rejects(chain.send(raw), { message: /eth_sendRawTransaction is refused/ }, text)
  }
})
