import { unknownVariableNotes, VARIABLES } from "../../src/config/variables.ts";

test("reports a misspelled variable with the nearest known name", () => {
  const env = { RELAYCTL_SEVER: "x", RELAYCTL_DEADLINE: "1m", RELAYCTL_BASE_URL: undefined, PATH: "/bin" };
  expect(unknownVariableNotes(env)).toEqual([
    "RELAYCTL_DEADLINE has no effect; run relayctl help environment for all variables",
    "RELAYCTL_SEVER has no effect; did you mean RELAYCTL_SERVER?",
  ]);
});

test("reports no known variable", () => expect(unknownVariableNotes({ ...VARIABLES })).toEqual([]));
