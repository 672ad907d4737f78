// Whether a transfer needs its user again after the page is closed. Pure.
import type { JourneyView, Stage } from '../core/types.ts'
import { moment } from './format.ts'

/** Steps that are signed once it is safe to leave. */
const START: readonly string[] = ['approve', 'send']

/** A sentence on what happens after the user has left. */
export function leavingText({ stages, safeToLeave }: Pick<JourneyView, 'stages' | 'safeToLeave'>): string {
  if (!safeToLeave) return 'A wallet may still be asking. What you sign there is sent all the same.'
  if (stages.length === 0) return 'The steps of this transfer are not known yet. One of them may be yours.'
  const now = openStep(stages, 'you', 'active')
  if (now !== undefined) return `The next step is yours: ${named(now)}. It does not go on without you.`
  if (openStep(stages, 'anyone', 'active') !== undefined)
    return 'Anyone may take the next step. Until someone does, the transfer does not go on.'
  const later = openStep(stages, 'you', 'waiting')
  if (later === undefined) return 'You may leave: the transfer continues without this page.'
  return `You may leave for now. A step of yours is still to come: ${named(later)}. Come back for it.`
}

function openStep(stages: readonly Stage[], actor: Stage['actor'], state: Stage['state']): Stage | undefined {
  return stages.find((one) => one.actor === actor && one.state === state && !START.includes(one.id))
}

/** Title of a step, and the time by which it must be done. */
function named({ title, deadline }: Stage): string {
  return `“${title}”${deadline === null ? '' : ` before ${moment(deadline)}`}`
}
