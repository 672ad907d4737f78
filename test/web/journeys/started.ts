// Starts a test's transfers with the fakes.
import type { Test } from 'tap'
import type { Journey, JourneyEvent, JourneyView, Wallet } from '../../../web/bridge/core/types.ts'
import { type Answers, FakeEvm, openClient } from './fakes.ts'
import { answerOf } from './scene.ts'

/** The request for a journey, as a key of the fake answers. */
export const hops = (key: string) => `GET hops/${encodeURIComponent(key)}`
export const draft = { from: 'mainnet', to: 'wax', token: 'USDC', amount: '10', recipient: 'alice' }

/** Waits for a view. @throws Error with the last one */
export async function seen(journey: Journey, good: (view: JourneyView) => boolean): Promise<JourneyView> {
  for (let i = 0; i < 10_000; i++) {
    if (good(journey.view)) return journey.view
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(JSON.stringify(journey.view, null, 1))
}

export const phase = (journey: Journey, ...phases: string[]) => seen(journey, (view) => phases.includes(view.phase))

/** A wallet whose chain has the vault. */
export const ready = (change: Partial<FakeEvm> = {}) => Object.assign(new FakeEvm(), { vaultScale: 1n }, change)

/** A transfer in progress, closed at the end of the test. */
export async function started(t: Test, wallet: Wallet, answers: Answers = {}, change: Partial<typeof draft> = {}) {
  const opened = await openClient({ [hops('d:1:42')]: answerOf(), ...answers })
  const journey = opened.client.start({ ...draft, ...change }, wallet)
  const events: JourneyEvent[] = []
  journey.listen((event) => void events.push(event))
  t.teardown(() => journey.close())
  return { ...opened, journey, events }
}
