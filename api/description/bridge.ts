// Operations of the bridge and of CPU sponsorship.
import { errorOnly, type Failure, failure, type Operations } from './operation.ts'

const bridge = '/api/bridge/v1'
const AMOUNTS = 'Amounts are integers in the asset’s smallest unit, as text.'
const NO_KEY = 'The key is neither `d:<domain>:<nonce>` nor `w:<id>`.'
const keyFailures = (path: string): Failure[] => [
  failure(400, NO_KEY, `${bridge}/${path}/x`),
  failure(404, 'No leg has this key.', `${bridge}/${path}/w:4000000000`),
]
const BAD_PAGE = 'A parameter is invalid: a transaction, a direction, a status or a number.'

export const BRIDGE: Operations = {
  [`GET ${bridge}/routes`]: {
    id: 'getBridgeRoutes',
    about: `\`max\` is what fits through now; a route that nothing fits through is not \`open\`. \`how\` says how a transfer begins. ${AMOUNTS}`,
    ask: `${bridge}/routes`,
  },
  [`GET ${bridge}/chains`]: {
    id: 'getBridgeChains',
    about: 'Read contract addresses from here. Times are measured on recent transfers.',
    ask: `${bridge}/chains`,
  },
  [`GET ${bridge}/hops`]: {
    id: 'getJourneys',
    about:
      'Tracks transfers: journeys over the ledger’s chain, newest first; with `direct=true` also those of one leg. Poll every 10 to 15 seconds. Page with `before`.',
    ask: `${bridge}/hops?limit=2`,
    failures: [failure(400, BAD_PAGE, `${bridge}/hops?tx=x`)],
  },
  [`GET ${bridge}/hops/{key}`]: {
    id: 'getJourney',
    about:
      'Where a transfer is, by the key of any of its legs, and who acts next when it is stuck. `delivered` and `returned` are the ends; an empty `etaSeconds` means that the time is unknown.',
    ask: `${bridge}/hops/{journey}`,
    failures: keyFailures('hops'),
  },
  [`GET ${bridge}/transfers`]: {
    id: 'getLegs',
    about: `Single legs, newest first. Page with \`before\`. ${AMOUNTS}`,
    ask: `${bridge}/transfers?direction=withdrawal&limit=2`,
    failures: [failure(400, BAD_PAGE, `${bridge}/transfers?status=x`)],
  },
  [`GET ${bridge}/transfers/{key}`]: {
    id: 'getLeg',
    about: 'A withdrawal with `hasProof` can be released.',
    ask: `${bridge}/transfers/{withdrawal}`,
    failures: keyFailures('transfers'),
  },
  [`GET ${bridge}/proofs/{key}`]: {
    id: 'getProof',
    about:
      'Of a withdrawal: what `release` or `submitAndRelease` of the withdrawals contract take, in struct order; pass it through unchanged, after what `handoffs` names. Of a deposit: the actions that credit it.',
    ask: `${bridge}/proofs/{withdrawal}`,
    failures: [
      failure(400, NO_KEY, `${bridge}/proofs/x`),
      failure(404, 'There is no such leg, or no proof of it yet.', `${bridge}/proofs/w:4000000000`),
      {
        status: 503,
        when: 'The proof should be there and cannot be made now.',
        body: {
          statusCode: 503,
          error: 'Service Unavailable',
          message: 'there is no proof of w:7 at this moment: SHIP_UNREACHABLE',
        },
      },
    ],
  },
  [`GET ${bridge}/handoffs/{domain}`]: {
    id: 'getHandoffs',
    about:
      'Send each with `submitAndLearn(...submitRoot, learn)`, in this order, so that no withdrawal has to wait for them or pay for them.',
    ask: `${bridge}/handoffs/1`,
    failures: [
      failure(400, 'The domain is not a number.', `${bridge}/handoffs/x`),
      failure(404, 'No light client of this domain is known.', `${bridge}/handoffs/4000000000`),
    ],
  },
  [`GET ${bridge}/pending`]: {
    id: 'getPending',
    about:
      'What a relayer can do now: release, expire, credit, forward, bounce, settle, refund, recover; each with the action that does it.',
    ask: `${bridge}/pending`,
  },
}

const cpu = '/api/v2/cpu'
const PROVIDER = '/v1/resource_provider/request_transaction'
const providerFailure = (status: number, when: string, text: string): Failure => ({
  ...errorOnly(status, when),
  body: { code: status, message: text, error: text, data: {} },
})
const refused = (when: string, error: string): Failure => ({ ...errorOnly(400, when), body: { error } })

export const CPU: Operations = {
  [`POST ${cpu}/status`]: {
    id: 'getCpuStatus',
    about: 'Ask for signatures while `signing` is true. Takes no body.',
    ask: `${cpu}/status`,
  },
  [`POST ${cpu}/cosign`]: {
    id: 'cosign',
    about:
      'The first action of the transaction must be `liquid.svc::noop`, authorised by `liquid.svc@bw`; every other one an action of an allowed contract, or a transfer to one. The user is the first authoriser of the second action. Push the transaction with the user’s signature and the one that is answered.',
    ask: `${cpu}/cosign`,
    send: { serializedTransaction: '{sponsored}' },
    failures: [
      refused('The first action is another one.', 'First action must be noop from payer'),
      refused('An action is of another contract.', 'Contract gambling.dev is not allowed'),
      refused('A transfer goes elsewhere.', 'Transfer recipient mallory is not allowed'),
      refused('The address has asked as often as it may in an hour.', 'Hourly IP limit exceeded'),
      refused('The address has asked as often as it may in a day.', 'Daily IP limit exceeded'),
      refused('The account has asked as often as it may in an hour.', 'Hourly account limit exceeded'),
      refused('The account has asked as often as it may in a day.', 'Daily account limit exceeded'),
      {
        ...errorOnly(503, 'Nobody signs at present.'),
        body: { error: 'CPU is not sponsored at present: try again in a moment' },
      },
    ],
  },
  [`POST ${PROVIDER}`]: {
    id: 'requestSponsoredTransaction',
    about:
      'The same for the resource-provider plugins of wallets. The answer’s transaction has the noop as its first action, and an expiration and a reference block where the request left them out. Errors are those of `cosign`, in the form of the interface.',
    ask: PROVIDER,
    send: { signer: { actor: 'trent.lp', permission: 'active' }, packedTransaction: '{sponsored}' },
    failures: [
      providerFailure(400, 'The body names no signer.', 'signer must be {actor, permission}'),
      providerFailure(400, 'The request is for another chain.', 'The request is for another chain'),
      providerFailure(400, 'An action is of another contract.', 'Contract gambling.dev is not allowed'),
      {
        ...errorOnly(503, 'Nobody signs at present.'),
        body: { error: 'CPU is not sponsored at present: try again in a moment' },
      },
    ],
  },
}
