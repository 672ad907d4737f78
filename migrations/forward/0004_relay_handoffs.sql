-- Hand-offs of finalizer policies that no withdrawal needs yet are transactions of the relayer too.
comment on column relay.intents.action is 'release, expire, pay, credit, forward, bounce, settle, refund, recover; learn: a finalizer policy that is handed over before a withdrawal needs it; cancel: a transfer of nothing that frees a nonce.';
comment on column relay.intents.leg is 'Key of the transfer or journey; of a hand-off h:<light client>:<generation>.';
