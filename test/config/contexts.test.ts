import type { Config } from "../../src/config/config.ts";
import { chooseContext, contextNamed, contextNameProblem } from "../../src/config/contexts.ts";
import { parseDuration } from "../../src/config/duration.ts";
import { selectedContexts } from "../../src/config/selected-contexts.ts";
import { RuleError } from "../../src/config/sourced.ts";
import { unknownVariableNotes, VARIABLES } from "../../src/config/variables.ts";
import { RelayctlError } from "../../src/errors.ts";

const PROD = { server: "https://prod.example" };
const CONFIG: Config = {
  version: 1,
  current: "prod",
  contexts: { prod: PROD, dev: { server: "https://dev.example" } },
};

test("finds a context by its name", () => expect(contextNamed(CONFIG, "prod")).toBe(PROD));

test.each(["staging", "constructor", "__proto__"])(
  "the error for an unknown name lists the known names: %s",
  (name) => {
    expect(() => contextNamed(CONFIG, name)).toThrow(
      expect.objectContaining({
        failure: "not_found",
        message: `unknown context "${name}"`,
        because: ["known contexts: dev, prod"],
      }),
    );
  },
);

test("the hint is to log in if there are no contexts", () =>
  expect(() => contextNamed({ version: 1, contexts: {} }, "prod")).toThrow(
    expect.objectContaining({ because: ["there are no contexts yet"], hint: "relayctl auth login" }),
  ));

test("a given context is selected before the current one", () => {
  expect(chooseContext(CONFIG, { value: "dev", from: "--context" })).toMatchObject({ name: "dev", from: "--context" });
  expect(chooseContext(CONFIG, undefined)).toMatchObject({ name: "prod", from: "config.json" });
  expect(chooseContext({ version: 1, contexts: {} }, undefined)).toBeUndefined();
});

test.each([
  ["prod", true],
  ["eu-1.prod_a", true],
  ["", false],
  ["-c", false],
  ["_x", false],
  ["a b", false],
  ["a/b", false],
  ["prod\n", false],
  ["x".repeat(65), false],
])("%j is a valid context name: %s", (name, answer) => expect(contextNameProblem(name) === undefined).toBe(answer));

describe("the selected contexts", () => {
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
});

describe("variables", () => {
  test("reports a misspelled variable with the nearest known name", () => {
    const env = { RELAYCTL_SEVER: "x", RELAYCTL_DEADLINE: "1m", RELAYCTL_BASE_URL: undefined, PATH: "/bin" };
    expect(unknownVariableNotes(env)).toEqual([
      "RELAYCTL_DEADLINE has no effect; run relayctl help environment for all variables",
      "RELAYCTL_SEVER has no effect; did you mean RELAYCTL_SERVER?",
    ]);
  });

  test("reports no known variable", () => expect(unknownVariableNotes({ ...VARIABLES })).toEqual([]));
});

describe("a duration", () => {
  test.each([
    ["20ms", 20],
    ["30s", 30_000],
    ["1.5s", 1_500],
    ["2m", 120_000],
    ["1h", 3_600_000],
    ["0.4ms", undefined],
    ["596h", 2_145_600_000],
  ])("reads %s", (text, milliseconds) => {
    if (milliseconds === undefined) expect(() => parseDuration(text)).toThrow("more than zero");
    else expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each([
    ["30", "needs a unit, e.g. 30s"],
    ["0", "needs a unit, e.g. 30s"],
    ["", "must be a number with a unit, e.g. 30s"],
    ["-1s", "must be a number with a unit, e.g. 30s"],
    ["1e3s", "must be a number with a unit, e.g. 30s"],
    ["1 s", "must be a number with a unit, e.g. 30s"],
    [".5s", "must be a number with a unit, e.g. 30s"],
    ["30S", "must be a number with a unit, e.g. 30s"],
    ["3d", "has an unknown unit; known: ms, s, m, h"],
    ["1constructor", "has an unknown unit; known: ms, s, m, h"],
    ["Infinity", "must be a number with a unit, e.g. 30s"],
    ["0s", "must be more than zero"],
    ["597h", "is too long; at most 596h"],
    ["99999999999999999999h", "is too long; at most 596h"],
  ])("rejects %j", (text, rule) => {
    expect(() => parseDuration(text)).toThrow(rule);
    expect(() => parseDuration(text)).toThrow(RuleError);
  });

  test("accepts zero on request", () => expect(parseDuration("0ms", { zero: true })).toBe(0));
});
