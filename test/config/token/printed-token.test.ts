import { printedToken } from "../../../src/config/token/printed-token.ts";

const NOON = Date.parse("2026-11-23T12:00:00Z");

test.each([
  ["plain text", "abc\n", "abc"],
  ["plain text after a byte order mark", "\uFEFFabc", "abc"],
  ["JSON", '{"token":"abc"}', "abc"],
  ["JSON on several lines", '{\n  "token": "abc"\n}\n', "abc"],
  ["JSON after a byte order mark", '\uFEFF{"token":"abc"}', "abc"],
  ["JSON with null as the time", '{"token":"abc","expires_at":null}', "abc"],
  ["JSON with other members", '{"kind":"x","token":"abc","status":{"token":"y"}}', "abc"],
])("reads a token that does not expire from %s", (_, output, token) => expect(printedToken(output)).toEqual({ token }));

test.each([
  ['"2026-11-23T12:00:00Z"', NOON],
  ['"2026-11-23t12:00:00.5z"', NOON + 500],
  ['"2026-11-23 13:00:00+01:00"', NOON],
  [String(NOON / 1_000), NOON],
  [`${NOON / 1_000}.25`, NOON + 250],
  [`${NOON / 1_000}.0`, NOON],
  ["0", 0],
])("reads the time %s", (time, expiresAt) => {
  expect(printedToken(`{"token":"abc","expires_at":${time}}`)).toEqual({ token: "abc", expiresAt });
});

test.each([
  ['"2026-11-23T12:00:00"', "without a zone"],
  ['"2026-11-23"', "without a time"],
  ['"2026-13-23T12:00:00Z"', "of the 13th month"],
  [String(NOON), "in milliseconds"],
  ["-1", "before 1970"],
  ["1e400", "that is too large"],
  ['"1795435200"', "that is a number in quotes"],
  ["true", "that is not a time"],
])("refuses the time %s %s", (time) => {
  expect(printedToken(`{"token":"abc","expires_at":${time}}`)).toEqual({
    rule: 'has an "expires_at" that is neither RFC 3339 with a zone nor seconds since 1970',
  });
});

test("refuses two tokens in one object", () =>
  expect(printedToken('{"token":"abc","token":"def"}')).toEqual({ rule: "begins with { and is not valid JSON" }));
