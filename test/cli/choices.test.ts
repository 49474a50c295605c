import { choiceOf } from "../../src/cli/choices.ts";

const NAME = "RELAYCTL_COLOR";
const WORDS = ["auto", "always", "never"] as const;

test("returns a known value", () => expect(choiceOf({ [NAME]: "never" }, NAME, WORDS)).toBe("never"));

test("returns nothing if the variable is unset or empty", () => {
  expect(choiceOf({}, NAME, WORDS)).toBeUndefined();
  expect(choiceOf({ [NAME]: "" }, NAME, WORDS)).toBeUndefined();
});

test("rejects another value, and lists the known ones", () =>
  expect(() => choiceOf({ [NAME]: "sometimes" }, NAME, WORDS)).toThrow(
    "RELAYCTL_COLOR sometimes: one of auto, always, never",
  ));
