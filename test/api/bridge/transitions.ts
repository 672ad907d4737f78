// What each status of a leg may become, as the documents have it, while no fork takes anything back.
export const TRANSITIONS: Readonly<Record<'deposit' | 'withdrawal', Readonly<Record<string, readonly string[]>>>> = {
  deposit: {
    seen: ['provable'],
    provable: ['credited', 'parked'],
    credited: [],
    parked: ['forwarded', 'bounced'],
    forwarded: [],
    bounced: [],
  },
  withdrawal: {
    burned: ['provable'],
    provable: ['released', 'expired'],
    released: [],
    expired: ['refunded'],
    refunded: [],
  },
}
