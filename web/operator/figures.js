// Computes the page's figures from responses of the bridge API. Pure.

/** States in the order in which a leg passes through them. */
export const STATES = [
  ['deposit', 'seen'],
  ['deposit', 'provable'],
  ['deposit', 'parked'],
  ['deposit', 'credited'],
  ['deposit', 'forwarded'],
  ['deposit', 'bounced'],
  ['withdrawal', 'burned'],
  ['withdrawal', 'provable'],
  ['withdrawal', 'released'],
  ['withdrawal', 'expired'],
  ['withdrawal', 'refunded'],
]

/** States in which a leg waits. */
export const OPEN = ['seen', 'provable', 'parked', 'burned', 'expired']

/**
 * Counts legs by direction and state.
 *
 * @param legs  newest first
 * @param now   Unix seconds
 * @returns a row for each state: the count, and the age of the oldest leg in seconds
 */
export function byState(legs, now) {
  return STATES.map(([direction, status]) => {
    const those = legs.filter((leg) => leg.direction === direction && leg.status === status)
    const began = those.map(({ src_time }) => src_time)
    return { direction, status, count: those.length, oldest: those.length > 0 ? now - Math.min(...began) : null }
  })
}

/** Smallest units as a decimal text, without trailing zeros. */
export function decimal(amount, precision) {
  if (precision === null) return `${amount} units`
  const digits = amount.padStart(precision + 1, '0')
  const at = digits.length - precision
  const fraction = digits.slice(at).replace(/0+$/, '')
  const whole = digits.slice(0, at).replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Seconds in the largest unit that fits, and the next one: `2 h 5 min`. */
export function span(seconds) {
  const rounded = Math.max(0, Math.round(seconds))
  if (rounded < 60) return `${rounded} s`
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${rounded % 60} s`
  if (rounded < 86_400) return `${Math.floor(rounded / 3600)} h ${Math.floor((rounded % 3600) / 60)} min`
  return `${Math.floor(rounded / 86_400)} d ${Math.floor((rounded % 86_400) / 3600)} h`
}

/** Shortens a long text to its two ends. */
export function shortened(text) {
  return text.length <= 20 ? text : `${text.slice(0, 10)}…${text.slice(-6)}`
}

const OBSTACLES = {
  no_account: 'no such account',
  overtaken: 'younger ones got through',
  paused: 'the vault is paused',
  allowance: 'over the allowance of today',
  no_proof: 'no proof yet',
  no_contract: 'no contract is known',
}

/** All that waits, in one list: releases and expiries, deposits, journeys that came back. */
export function waiting({ pending, deposits, hops }, now) {
  const releases = pending.map((one) => {
    const { key, action, chain, amount, precision, symbol, fee, track, estimatedGas, obstacle, deadline } = one
    const gas = estimatedGas === null ? null : (estimatedGas[track] ?? estimatedGas.hard)
    const remarks = remarksOn(obstacle)
    if (fee !== '0') remarks.push(`fee ${decimal(fee, precision)}`)
    if (track !== null) remarks.push(`${track} track${gas === null ? '' : `, ${gas.toLocaleString('en')} gas`}`)
    const until = action === 'release' ? `${span(deadline - now)} left` : `late by ${span(now - deadline)}`
    return {
      key,
      action,
      chain,
      what: `${decimal(amount, precision)} ${symbol ?? ''}`,
      until,
      remarks,
      since: one.src_time,
    }
  })
  const arrivals = deposits.map(
    ({ key, actions, chain, amount, precision, symbol, bounceFrom, src_time, obstacle }) => {
      const until = bounceFrom !== null && bounceFrom > now ? `may bounce in ${span(bounceFrom - now)}` : ''
      const what = `${decimal(amount, precision)} ${symbol ?? ''}`
      return { key, action: actions.join(' or '), chain, what, until, remarks: remarksOn(obstacle), since: src_time }
    },
  )
  const returns = hops.map(({ key, action, back, id }) => {
    return {
      key,
      action,
      chain: back.chain,
      what: `hop ${id} to ${back.recipient ?? ''}`,
      until: '',
      remarks: [],
      since: null,
    }
  })
  return [...releases, ...arrivals, ...returns]
}

function remarksOn(obstacle) {
  return obstacle === null ? [] : [OBSTACLES[obstacle] ?? obstacle]
}
