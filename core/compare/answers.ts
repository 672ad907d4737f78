// Answers of the API about digests. The API documents and writes them by these schemas, and a client checks them.
import { type TSchema, Type } from 'typebox'

/** Above every block number: an Antelope block has 32 bits for it. */
export const MAX_BLOCK = 2 ** 32

const BlockNumber = (description: string) => Type.Integer({ description, minimum: 0, maximum: MAX_BLOCK })
const described = <T extends Record<string, TSchema>>(description: string, members: T) =>
  Type.Object(members, { description })

export const DigestSummary = described('The part of a chain that can be compared.', {
  chain: Type.String({ description: 'Chain name.' }),
  chainId: Type.Union([Type.String(), Type.Null()], { description: 'Chain id; null when it is not known.' }),
  firstBlock: BlockNumber('First indexed block.'),
  lastBlock: BlockNumber('Last final block that can be compared.'),
  leaf: Type.Integer({ description: 'Length of the ranges whose digests are stored, blocks.', minimum: 1 }),
  contracts: Type.Array(Type.String(), { description: 'Watched contracts: role, space, account.' }),
  tables: Type.Array(
    described('A table of the ledger.', {
      name: Type.String({ description: 'Name.' }),
      columns: Type.String({
        description: 'SHA-256 of the names of its columns; versions of the program may have other columns.',
      }),
    }),
    { description: 'Tables with digests.' },
  ),
})

export const Digests = Type.Array(
  described('A part of the range.', {
    from: BlockNumber('First block.'),
    to: BlockNumber('Last block.'),
    tables: Type.Array(
      described('The rows of a table.', {
        name: Type.String({ description: 'Table.' }),
        rows: Type.Integer({ description: 'Rows in these blocks.', minimum: 0 }),
        sha256: Type.String({ description: 'Their digest.' }),
      }),
      { description: 'Tables with rows in these blocks.' },
    ),
  }),
)

export const Rows = described('Rows of a table in one block.', {
  columns: Type.Array(Type.String(), { description: 'Columns that the blocks determine.' }),
  key: Type.Array(Type.String(), { description: 'Columns of the primary key.' }),
  rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Null()])), {
    description: 'Values as text, in the order of the columns; a long one as `sha256:` and its digest.',
  }),
  more: Type.Boolean({ description: 'Whether there are more rows than were sent.' }),
})
