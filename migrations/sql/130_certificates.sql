-- Proofs verify the certificates that they use; the indexer verifies those that confirm a policy.
comment on column ledger.certificates.verified is 'Whether its signatures were checked when it was indexed: the first certificate over a new policy. Proofs check the others when they use them.';
