// Whether a transfer needs its user again after the page is closed. Pure.
import type { JourneyView } from '../core/types.ts'
import { moment } from './format.ts'

/** A sentence on what happens after the user has left. */
export function leavingText({ stages, safeToLeave }: Pick<JourneyView, 'stages' | 'safeToLeave'>): string {
  if (!safeToLeave) return 'A wallet may still be asking. What you sign there is sent all the same.'
  const yours = stages.find(({ actor, state }) => actor === 'you' && (state === 'active' || state === 'waiting'))
  if (yours === undefined) return 'You may leave: the transfer continues without this page.'
  const until = yours.deadline === null ? '' : ` before ${moment(yours.deadline)}`
  if (yours.state === 'active')
    return `The next step is yours: “${yours.title}”${until}. It does not go on without you.`
  return `You may leave for now. A step of yours is still to come: “${yours.title}”${until}. Come back for it.`
}
