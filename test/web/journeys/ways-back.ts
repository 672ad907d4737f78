// A visitor of the page sends undelivered transfers back: expired on the EVM chain, recovered from the hop contract,
// bounced.
import type { Test } from 'tap'
import type { Journey } from '../../../devnet/relayer/bridge-api.ts'
import type { LiveBridge } from '../../devnet/bridge/live-bridge.ts'
import { EXPIRIES } from './calls.ts'
import type { Person, Wish } from './person.ts'

interface Around {
  bridge: LiveBridge
  open(wish: Partial<Wish>): Promise<Person>
  journeyOf(person: Person): Promise<Journey>
}

export function waysBack(t: Test, { bridge, open, journeyOf }: Around): Promise<void> {
  const { work, until } = bridge
  const pending = () => work.pending()
  const at = (key: string) => open({ key } as Partial<Wish>)
  t.jobs = 3

  t.test('any user can expire a withdrawal that was not released, which is then refunded', async (t) => {
    const late = ({ action, domain }: { action: string; domain: string }) => action === 'expire' && domain === '1'
    const { pending: all } = await until('one that is late', pending, (answer) => answer.pending.some(late))
    const person = await at(all.find(late)!.key)
    await person.phase('waiting')
    t.match(await person.text('[data-stage=release]'), /not released before its deadline/)
    await person.press('[data-action=expire]')
    await person.choose('mainnet')
    await person.confirmUntil('returned')
    t.ok(EXPIRIES.includes(person.asked.at(-1)!))
    t.equal(await person.step('refund'), 'done')
    t.match(await journeyOf(person), { status: 'returned', legs: [{ status: 'refunded' }] })
  })

  t.test('any user can send on a journey that returned to the hop contract', async (t) => {
    const { hops } = await until('one that came back', pending, (answer) => answer.hops.length > 0)
    const person = await at(hops[0]!.key)
    await person.phase('waiting')
    t.equal(await person.step('recover'), 'active')
    await person.press('[data-action=recover]')
    await person.choose('telos')
    await person.confirmUntil('returned')
    const { status, legs } = await journeyOf(person)
    t.equal(status, 'returned')
    t.same(
      legs.map((leg) => leg.status),
      ['forwarded', 'refunded', 'released'],
    )
  })

  t.test('any user can return a deposit that its receiver refuses', async (t) => {
    const refused = ({ actions }: { actions: string[] }) => actions.includes('bounce')
    const { deposits } = await until('one that is refused', pending, (answer) => answer.deposits.some(refused))
    const person = await at(deposits.find(refused)!.key)
    await person.press('[data-action=bounce]')
    await person.choose('telos')
    await person.confirmUntil('returned')
    t.match(await journeyOf(person), { status: 'returned', legs: [{ status: 'bounced' }, { status: 'released' }] })
  })
  return Promise.resolve()
}
