import { type StrkeyKind, strkeyProblem } from "../../../src/contract/encoding/strkey.ts";

/** The examples of SEP-23, and the account of the recorded exchanges. */
const ADDRESSES: readonly [StrkeyKind, string][] = [
  ["G", "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ"],
  ["G", "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7"],
  ["M", "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ"],
  ["C", "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE"],
];

test.each(ADDRESSES)("%s: %s is valid", (kind, address) => {
  expect(strkeyProblem(address, ["G", "M", "C"])).toBeUndefined();
  expect(strkeyProblem(address, [kind])).toBeUndefined();
});

test.each(ADDRESSES)("%s: a mistyped character anywhere in %s is found", (kind, address) => {
  for (let index = 1; index < address.length; index++) {
    for (const other of ["A", "B", "7"].filter((each) => each !== address[index]))
      expect(strkeyProblem(address.slice(0, index) + other + address.slice(index + 1), [kind])).toMatch(/checksum/);
  }
});

test.each([
  ["GA7QYNF7", ["G"], "has 8 characters; an address that begins with G has 56"],
  ["", ["G"], "needs an account (G…)"],
  [
    "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE",
    ["G", "M"],
    "needs an account (G…) or a muxed account (M…)",
  ],
  ["GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJV1GZ", ["G"], "has characters other than A to Z and 2 to 7"],
] as const)("%s is not one of %j", (text, kinds, problem) => expect(strkeyProblem(text, kinds)).toBe(problem));
