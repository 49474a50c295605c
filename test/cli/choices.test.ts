import { validChoice } from "../../src/cli/choices.ts";

const NAME = "RELAYCTL_COLOR";
const WORDS = ["auto", "always", "never"] as const;

test("returns a known value", () => expect(validChoice({ [NAME]: "never" }, NAME, WORDS)).toBe("never"));

test("returns nothing if the variable is unset or empty", () => {
  expect(validChoice({}, NAME, WORDS)).toBeUndefined();
  expect(validChoice({ [NAME]: "" }, NAME, WORDS)).toBeUndefined();
});

test("rejects another value, and lists the known ones", () =>
  expect(() => validChoice({ [NAME]: "sometimes" }, NAME, WORDS)).toThrow(
    "RELAYCTL_COLOR sometimes: one of auto, always, never",
  ));
