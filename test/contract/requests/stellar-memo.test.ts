import { memoSchema } from "../../../src/contract/requests/transaction/stellar/fields.ts";
import { issuesOf } from "../issues.ts";

const INT64 = 2n ** 63n - 1n;
const bytes = (length: number, byte = 255) => JSON.stringify(Array(length).fill(byte));

test.each([
  '{"type":"none"}',
  '{"type":"text","value":""}',
  `{"type":"text","value":"${"a".repeat(28)}"}`,
  `{"type":"text","value":"${"é".repeat(14)}"}`,
  '{"type":"id","value":0}',
  `{"type":"id","value":${INT64}}`,
  `{"type":"hash","value":${bytes(32)}}`,
  `{"type":"return","value":${bytes(32, 0)}}`,
])("%s is accepted", (memo) => expect(issuesOf(memoSchema, memo)).toEqual([]));

test.each([
  ['{"type":"text","value":5}', /^value: /],
  [`{"type":"text","value":"${"a".repeat(29)}"}`, /at most 28 bytes of UTF-8/],
  [`{"type":"text","value":"${"é".repeat(15)}"}`, /at most 28 bytes of UTF-8/],
  ['{"type":"id","value":-1}', /a whole number from 0 to 9223372036854775807/],
  [`{"type":"id","value":${INT64 + 1n}}`, /a whole number from 0 to/],
  ['{"type":"id","value":"5"}', /a whole number from 0 to/],
  ['{"type":"id"}', /^value: /],
  [`{"type":"hash","value":${bytes(31)}}`, /32 integers from 0 to 255/],
  [`{"type":"hash","value":${bytes(33)}}`, /32 integers from 0 to 255/],
  [`{"type":"return","value":${bytes(32, 256)}}`, /a whole number from 0 to 255/],
  [`{"type":"hash","value":"${"ab".repeat(32)}"}`, /^value: /],
  ['{"type":"none","value":1}', /unknown value$/],
  ['{"type":"colour","value":1}', /one of none, text, id, hash, return/],
  ["{}", /one of none, text, id, hash, return/],
  ['"none"', /one of none/],
])("%s is refused", (memo, issue) => expect(issuesOf(memoSchema, memo)[0]).toMatch(issue));
