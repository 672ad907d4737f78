-- A chain with a known id has the domain of its id: a test net that uses the name of a real chain does not get that
-- chain's domain.
create or replace view meta.chain_domains as
  select d.chain, d.domain, true as named from meta.domains d
    where d.evm and not exists (select from meta.position p where p.chain = d.chain)
  union all
  select p.chain, x.domain::numeric(20), d.domain is not null and d.domain = x.domain
  from meta.position p left join meta.domains d on d.chain = p.chain
  cross join lateral (select case when p.chain_id like 'eip155:%' then substr(p.chain_id, 8)::numeric
    else coalesce(meta.id_domain(p.chain_id), d.domain) end as domain) x;
comment on column meta.chain_domains.domain is 'Domain: of a chain with a known id, by that id; else by the name of the chain; null when neither tells.';
comment on column meta.chain_domains.named is 'Whether the name tells the same domain.';
