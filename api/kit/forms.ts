// Forms of ids and names in requests, each with its pattern and the words for a person.
import type { Form } from '../http/schema-problem.ts'

export const ACCOUNT_NAME: Form = {
  pattern: '^([a-z1-5.]{0,11}[a-z1-5]|[a-z1-5.]{12}[a-j1-5])$',
  expect: 'an account name: 1 to 12 of a-z, 1-5 and dots, or 13 with a last one of a-j and 1-5; no dot at the end',
}

export const TRANSACTION_ID: Form = {
  pattern: '^[0-9a-fA-F]{64}$',
  expect: 'a transaction id: 64 hexadecimal digits',
}

export const TOKEN_ID: Form = {
  pattern: '^[a-z0-9]{1,12}-[a-z1-5.]{1,13}$',
  expect: 'a token id: symbol, hyphen and contract in lower case, such as usdt-usdt.svc',
}

/** For the patterns of all cursors. */
export const EXPECT_CURSOR = 'a cursor: take it from the answer of the previous page, unchanged'
