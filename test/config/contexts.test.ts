import type { Config } from "../../src/config/config.ts";
import { chooseContext, contextNamed, contextNameProblem } from "../../src/config/contexts.ts";

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
