-- Pure functions of the views and of indexes.

-- Destination domain, recipient, way-back domain and way-back recipient in the memo of a journey; null for any other
-- memo. Non-ASCII bytes are escaped, so that none causes an error.
create or replace function meta.hop_route(memo bytea) returns text[]
language sql immutable parallel safe as $$
  select regexp_match(encode(memo, 'escape'), '^([0-9]{1,20}):([^|:\\]+)\|([0-9]{1,20}):([^|:\\]+)$')
$$;

-- The same for a text memo. A memo with non-ASCII characters is not a journey's.
create or replace function meta.hop_route(memo text) returns text[]
language sql immutable parallel safe as $$
  select regexp_match(memo, '^([0-9]{1,20}):([^|:\\\u0080-\U0010FFFF]+)\|([0-9]{1,20}):([^|:\\\u0080-\U0010FFFF]+)$')
$$;

-- The first 8 bytes of an Antelope chain id of 64 hex digits, big-endian; null for null.
create or replace function meta.id_domain(chain_id text) returns numeric
language sql immutable parallel safe as $$
  select ('x' || left(chain_id, 8))::bit(32)::int8::numeric * 4294967296 + ('x' || substr(chain_id, 9, 8))::bit(32)::int8
$$;

-- Raw units as an exact decimal number.
create or replace function meta.quantity(amount numeric, decimals int4) returns numeric
language sql immutable parallel safe as $$ select amount * ('1e-' || decimals)::numeric $$;

-- An address of the bridge: an account name as text if it is one, else 0x and hex digits.
create or replace function meta.address(raw bytea) returns text
language sql immutable parallel safe as $$
  select case when length(raw) <> 20 and encode(raw, 'escape') ~ '^[a-z1-5.]{1,13}$' then encode(raw, 'escape') else '0x' || encode(raw, 'hex') end
$$;

-- Price of A in B from a square-root price.
create or replace function meta.pool_price(sqrt_price_x64 numeric, decimals_a int4, decimals_b int4) returns numeric
language sql immutable parallel safe as $$
  select (sqrt_price_x64 * sqrt_price_x64 * power(10::numeric, 20 + decimals_a) / 340282366920938463463374607431768211456)
    * ('1e-' || (20 + decimals_b))::numeric
$$;

-- Square-root price Q64.64 of a tick, with the contract's rounding (docs/develop/amm.md, "Ticks").
create or replace function meta.tick_price(tick int4) returns numeric
language plpgsql immutable strict parallel safe as $$
declare
  -- 1.0001^(-2^i / 2) in Q128, for the bits i = 0..18.
  ratios constant numeric[] := array[340265354078544963557816517032075149313, 340248342086729790484326174814286782778, 340214320654664324051920982716015181260,
    340146287995602323631171512101879684304, 340010263488231146823593991679159461444, 339738377640345403697157401104375502016,
    339195258003219555707034227454543997025, 338111622100601834656805679988414885971, 335954724994790223023589805789778977700,
    331682121138379247127172139078559817300, 323299236684853023288211250268160618739, 307163716377032989948697243942600083929,
    277268403626896220162999269216087595045, 225923453940442621947126027127485391333, 149997214084966997727330242082538205943,
    66119101136024775622716233608466517926, 12847376061809297530290974190478138313, 485053260817066172746253684029974020,
    691415978906521570653435304214168];
  one constant numeric := 340282366920938463463374607431768211456;
  ratio numeric := one;
begin
  for i in 0..18 loop
    if abs(tick) & (1 << i) <> 0 then
      ratio := div(ratio * ratios[i + 1], one);
    end if;
  end loop;
  if tick > 0 then
    ratio := div(one * one - 1, ratio);
  end if;
  return div(ratio + 18446744073709551615, 18446744073709551616);
end $$;

-- Start of the bucket that contains a time. Weeks start on Monday, months are calendar months, all in UTC. This function
-- and the next contain only immutable functions: then the planner inlines them. A call for every traded minute and
-- resolution would take longer than the rest of a candle's computation.
create or replace function meta.bucket_start(resolution text, at timestamptz) returns timestamptz
language sql immutable parallel safe as $$
  select case resolution
    when '1D' then date_bin('24 hours', at, timestamptz '1970-01-01 00:00:00+00')
    when '1W' then date_bin('168 hours', at, timestamptz '1970-01-05 00:00:00+00')
    when '1M' then date_trunc('month', at at time zone 'UTC') at time zone 'UTC'
    else date_bin(make_interval(mins => resolution::int4), at, timestamptz '1970-01-01 00:00:00+00')
  end
$$;

create or replace function meta.bucket_end(resolution text, bucket timestamptz) returns timestamptz
language sql immutable parallel safe as $$
  select ((bucket at time zone 'UTC') + case resolution
    when '1D' then interval '24 hours'
    when '1W' then interval '168 hours'
    when '1M' then interval '1 month'
    else make_interval(mins => resolution::int4)
  end) at time zone 'UTC'
$$;
