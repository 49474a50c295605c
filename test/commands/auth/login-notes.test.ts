import { expect, test } from "vitest";
import { loginNotes } from "../../../src/commands/auth/login.ts";
import { testApp } from "../../helpers/test-app.ts";

const LOGIN = { name: "prod", server: "https://prod.example", total: 1, current: "prod" };

function notes(login: Partial<typeof LOGIN> | { total: undefined }, env: Record<string, string> = {}): string[] {
  const { app } = testApp();
  return loginNotes(
    { config: { ...app.config, path: "/home/ada/.config/relayctl/config.json" }, env },
    { ...LOGIN, ...login },
  );
}

test("show the token's file relative to the home folder", () => {
  expect(notes({}, { HOME: "/home/ada" })[1]).toBe(
    "the token is in ~/.config/relayctl/config.json, readable by you alone",
  );
  expect(notes({}, { HOME: "/home/a" })[1]).toBe(
    "the token is in /home/ada/.config/relayctl/config.json, readable by you alone",
  );
});

test.each([
  [0, " (0 relayers seen)"],
  [1, " (1 relayer seen)"],
  [undefined, ""],
])("show the number of relayers: %j", (total, words) => {
  expect(notes({ total } as { total: undefined })[0]).toBe(`signed in to https://prod.example as context prod${words}`);
});

test("mention another current context and each variable that overrides this one", () => {
  expect(notes({ current: "dev" }, { RELAYCTL_TOKEN: "t", RELAYCTL_SERVER: "" }).slice(2)).toEqual([
    "note: the current context is still dev; run relayctl context use prod to switch",
    "note: RELAYCTL_TOKEN is set and overrides this context unless you specify --context",
  ]);
});
