-- A fetch of version 0.1.0 stored the publisher's word that a certificate was verified. Proofs verify these again.
update ledger.certificates c set verified = false from meta.fetches f where f.chain = c.chain and c.verified;
