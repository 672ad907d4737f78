// The decoder of deposit events, compared with the vault's published ABI.
import { readFileSync } from 'node:fs'
import { Interface } from 'ethers'
import t from 'tap'
import { fromPrefixedHex } from '../../../core/evm/bytes.ts'
import { DEPOSIT_TOPIC, readDepositEvent } from '../../../core/evm/deposit-event.ts'
import { toHex } from '../../../core/hex.ts'

const abi = new Interface(readFileSync(new URL('../../../abis/SvcVault.abi.json', import.meta.url), 'utf8'))
const WIDEST = (1n << 64n) - 1n
const values = (memo: string) => [
  ...[`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`, (1n << 256n) - 1n, WIDEST, 5n, WIDEST - 1n],
  ...[`0x${'cc'.repeat(20)}`, 6n, 7n, memo],
]
const logOf = (memo: string) => {
  const { topics, data } = abi.encodeEventLog('Deposit', values(memo))
  return { topics: topics.map((topic) => fromPrefixedHex(topic)), data: fromPrefixedHex(data) }
}

t.test('members equal the values that the ABI encodes', async (t) => {
  t.equal(`0x${toHex(DEPOSIT_TOPIC)}`, abi.getEvent('Deposit')?.topicHash)
  for (const memo of ['0x', '0x01', `0x${'ef'.repeat(32)}`, `0x${'12'.repeat(256)}`]) {
    const event = readDepositEvent(logOf(memo))
    const hex = (bytes: Uint8Array) => `0x${toHex(bytes)}`
    const { token, from, amount, canonical, telosTo, nonce, refundTo, fillFee, filler } = event
    const found = [
      hex(token),
      hex(from),
      amount,
      canonical,
      telosTo,
      nonce,
      hex(refundTo),
      fillFee,
      filler,
      hex(event.memo),
    ]
    t.same(found, values(memo))
  }
})

t.test('other logs are refused', async (t) => {
  const { topics, data } = logOf('0x1234')
  const refused = (log: Parameters<typeof readDepositEvent>[0], what: string) =>
    t.throws(() => readDepositEvent(log), { code: 'DEPOSIT_EVENT' }, what)
  const changed = (at: number, value: number) => {
    const copy = data.slice()
    copy[at] = value
    return copy
  }
  refused({ topics: [topics[1]!, ...topics.slice(1)], data }, 'another event')
  refused({ topics: topics.slice(0, 2), data }, 'a topic less')
  refused({ topics: [topics[0]!, new Uint8Array(32).fill(1), topics[2]!], data }, 'an address of 32 bytes')
  refused({ topics, data: data.subarray(0, 200) }, 'cut off')
  refused({ topics, data: data.subarray(0, 9 * 32) }, 'a memo that is not there')
  refused({ topics, data: changed(1 * 32, 1) }, 'an amount above 64 bits')
  refused({ topics, data: changed(7 * 32 + 31, 32) }, 'a memo elsewhere')
  refused({ topics, data: changed(8 * 32, 1) }, 'a memo of any length')
})
