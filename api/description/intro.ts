// The first page of the reference.

export const ABOUT = `Read-only data of an exchange on several chains and of its bridge: tokens, pools, order books, swap routes, candles, analytics, account history, an aggregator feed, bridge transfers and their proofs, and a market stream.

## Requests

- **The host chooses the chain**: \`wax.example.org\`, \`telos.example.org\`. A path that begins with a chain does so on every host: \`/telos/api/v2/tokens\`. The bridge and the cross-chain feed are of all chains and answer on every host.
- Everything is a \`GET\`, to any site, without a key, except the sponsorship of CPU.
- A **token id** is \`<symbol>-<contract>\`, a **ticker id** \`<base token id>_<target token id>\`, both in any case.
- Booleans are \`true\`, \`1\`, \`false\`, \`0\`. Unknown parameters are ignored; an empty one is as if it were not there; of a repeated one the last counts.
- Units are in the description of each parameter and member. Amounts that a double cannot hold are texts.

## Answers

- An answer is of one block: \`x-block-num\` and \`x-block-time\`.
- Ask again with \`If-None-Match\` and the \`ETag\` of the last answer: **304** without a body says that it still holds.
- Lists of history are paged: a full page has a \`Link\` header with \`rel="next"\`, which neither repeats nor loses a row while blocks arrive.

## Errors

Most are JSON with \`statusCode\`, \`error\` and \`message\`. Those with a fixed text have it in their examples. **429** and **503** have \`Retry-After\`: wait for so many seconds.`
