// Documented changes of a leg's status while there is no fork.
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
