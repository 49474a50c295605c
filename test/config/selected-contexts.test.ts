import { selectedContexts } from "../../src/config/selected-contexts.ts";
import { RelayctlError } from "../../src/errors.ts";

const config = (...names: readonly string[]) => ({
  version: 1 as const,
  contexts: Object.fromEntries(names.map((name) => [name, { server: "https://relayer.example.org" }])),
});

const fleet = config("prod-us", "prod-eu", "staging", "prod.old", "dev");

test.each([
  ["staging,dev", ["staging", "dev"]],
  ["dev, staging", ["dev", "staging"]],
  ["dev,dev", ["dev"]],
  ["prod-*", ["prod-eu", "prod-us"]],
  ["prod-us,prod-*", ["prod-us", "prod-eu"]],
  ["prod-?u,d*", ["prod-eu", "dev"]],
  ["*", ["dev", "prod-eu", "prod-us", "prod.old", "staging"]],
  ["prod.*", ["prod.old"]],
  ["prod-eu,", undefined],
  [",", undefined],
  ["Prod-*", undefined],
  ["prod-eu,prdo-us", undefined],
  ["prod-[eu]*", undefined],
] as const)("%s selects each context once, in order, or none", (text, names) => {
  if (names) expect(selectedContexts(fleet, text)).toEqual(names);
  else expect(() => selectedContexts(fleet, text)).toThrow(RelayctlError);
});

test("reports every part that selects no context, with the nearest names", () => {
  const rules = () => {
    try {
      return selectedContexts(fleet, "stagin,prd-*,,dev");
    } catch (error) {
      return (error as RelayctlError).details.map(({ where, rule }) => `${where}: ${rule}`);
    }
  };
  expect(rules()).toEqual([
    '--context: unknown context "stagin" (did you mean staging?); known: dev, prod-eu, prod-us, prod.old, staging',
    '--context: no context matches "prd-*" (did you mean prod-eu?); known: dev, prod-eu, prod-us, prod.old, staging',
    "--context: contains an empty name",
  ]);
});

test("says how to store a context if there is none", () =>
  expect(() => selectedContexts(config(), "eu,us")).toThrow(
    expect.objectContaining({ message: "--context eu,us: there are no contexts yet", hint: "relayctl auth login" }),
  ));

test("ends for a pattern of many stars in no time", () => {
  const names = config("a".repeat(64));
  expect(() => selectedContexts(names, `${"*a".repeat(30)}*b`)).toThrow(RelayctlError);
});

test("finds a context whose name was edited into something odd", () =>
  expect(selectedContexts(config("a(b", "__proto__x", "c+"), "a(b,c+,__proto__x")).toEqual([
    "a(b",
    "c+",
    "__proto__x",
  ]));
