import { sinceFlag } from "../../src/config/since.ts";
import { printedToken } from "../../src/config/token/printed-token.ts";
import { Problems } from "../../src/contract/problems.ts";
import { evmValidUntil, solanaValidUntil, stellarValidUntil } from "../../src/contract/requests/schema-parts.ts";
import { rfc3339Time } from "../../src/contract/rfc3339.ts";

const READERS: [string, (time: string) => boolean][] = [
  ["an EVM valid_until", (time) => evmValidUntil.safeParse(time).success],
  ["a Solana valid_until", (time) => solanaValidUntil.safeParse(time).success],
  ["a Stellar valid_until", (time) => stellarValidUntil.safeParse(time).success],
  ["the expiry of a token", (time) => !("rule" in printedToken(JSON.stringify({ token: "t", expires_at: time })))],
  ["--since", (time) => sinceFlag(new Problems(), time, 0) !== undefined],
];

describe.each(READERS)("%s", (_, accepts) => {
  test.each(["2028-02-29T00:00:00Z", "2030-12-31T23:59:59.5+14:00"])("can be %s", (time) => {
    expect(accepts(time)).toBe(true);
  });

  test.each(["2030-02-29", "2030-02-30", "2030-04-31", "2030-00-10", "2030-13-01", "2030-01-32"])(
    "can't be on %s, a day that doesn't exist",
    (day) => expect(accepts(`${day}T00:00:00Z`)).toBe(false),
  );

  test.each([
    "2030-01-01T24:00:00Z",
    "2030-01-01T25:00:00Z",
    "2030-01-01T00:60:00Z",
    "2030-01-01T00:00:00",
    "٢٠٣٠-01-01T00:00:00Z",
  ])("can't be %s", (time) => expect(accepts(time)).toBe(false));
});

test("Unix seconds after the year 9999 cannot be a Stellar valid_until: the service would ignore them", () => {
  expect(stellarValidUntil.safeParse("253402300799").success).toBe(true);
  for (const seconds of ["253402300800", "1893456000000", "99999999999999999999"])
    expect(stellarValidUntil.safeParse(seconds).success).toBe(false);
});

test("a day that another zone begins is the day as it is written", () =>
  expect(rfc3339Time("2030-03-01T00:00:00+14:00")).toBe(Date.UTC(2030, 1, 28, 10)));
