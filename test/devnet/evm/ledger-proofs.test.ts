// Proofs for history, from a chain whose last blocks are still reversible.
import t from 'tap'
import { LedgerProofs } from '../../../devnet/evm/ledger-proofs.ts'
import { Telos } from '../../proofs/telos.ts'

const address = (byte: string) => `0x${byte.repeat(20)}`
const ROUTE = { domain: 1, vault: address('11'), token: address('22'), symbol: 'USDC', scale: 1n } as const
const DESTINATION = {
  ...{ releaseTo: address('33'), vault: address('11'), lightClient: address('44') },
  ...{ roots: [], generation: 1, newest: 1 },
}

t.test('a burn is proved even if another proof was requested while its block was reversible', async (t) => {
  const telos = new Telos([ROUTE])
  const proofs = new LedgerProofs(telos.chain)
  const first = telos.withdraw('USDC', 10_000_000n, 1, address('55'))
  t.equal(await proofs.of(first, DESTINATION), null, 'not certified yet')
  telos.idle(6)
  const second = telos.withdraw('USDC', 20_000_000n, 1, address('66'))
  const third = telos.withdraw('USDC', 30_000_000n, 1, address('77'))
  t.match(await proofs.of(first, DESTINATION), { hard: { release: { amount: '10000000' } } })
  t.equal(await proofs.of(second, DESTINATION), null)
  telos.idle(6)
  t.match(await proofs.of(second, DESTINATION), { hard: { release: { amount: '20000000' } } })
  t.match(await proofs.of(third, DESTINATION), { hard: { release: { amount: '30000000' } } })
})
