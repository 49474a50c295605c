import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/contract/json.ts";
import { createState } from "../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { cli } from "../helpers/cli.ts";
import { CANNOT_UNDO, UNDO } from "../helpers/receipts.ts";
import { SERVER, TOKEN } from "../helpers/test-app.ts";

/** What stderr says of the way back after a change of this relayer's name. */
async function undoOf(
  before: { id?: string; name?: string; [field: string]: unknown },
  env = {},
  flags = ["--name", "new"],
) {
  const relayer = { id: "r1", network_type: "evm", network: "mainnet", paused: false, policies: {}, ...before };
  const store = memoryStore(createState({ relayers: [relayer] }));
  const world = { store, env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, ...env } };
  const { stderr } = await cli(["relayers", "update", "--diff", ...flags, "--", relayer.id], world);
  return stderr.split("\n").find((line) => [UNDO, CANNOT_UNDO].some((words) => line.startsWith(words)));
}

describe("an undo line", () => {
  const HIDDEN = { name: "pay\u202eroll\u200b" };

  test.each([
    ["/bin/zsh", String.raw`${UNDO}relayctl relayers update r1 --name $'pay\342\200\256roll\342\200\213'`],
    ["/usr/bin/fish", String.raw`${UNDO}relayctl relayers update r1 --name pay\u202eroll\u200b`],
    ["/bin/dash", `${CANNOT_UNDO}: an old value cannot be typed in sh; use bash or zsh`],
    ["/bin/tcsh", `${CANNOT_UNDO}: an old value cannot be typed in this shell; use bash or zsh`],
  ])("is written for the user's shell: %s", async (shell, line) => {
    expect(await undoOf(HIDDEN, { SHELL: shell })).toBe(line);
  });

  test("has an ID that looks like a flag after the flags", async () => {
    expect(await undoOf({ id: "-y", name: "old" })).toBe(`${UNDO}relayctl relayers update --name old -- -y`);
  });

  test("has a name that looks like a flag as part of the flag", async () => {
    expect(await undoOf({ name: "--paused" })).toBe(`${UNDO}relayctl relayers update r1 --name=--paused`);
  });

  test.each([
    ["contains a secret", { name: `x ${TOKEN}` }, "an old value holds a secret"],
    ["is too long for a command", { name: "x".repeat(40_000) }, "the command would be 40035 characters long"],
    ["contains NUL", { name: "a\0b" }, "an old value cannot be part of a command"],
  ])("is missing if an old value %s", async (_, before, because) => {
    expect(await undoOf(before)).toBe(`${CANNOT_UNDO}: ${because}`);
  });

  test.each<[string, JsonObject, string[], string]>([
    ["an unknown pause state", { paused: null }, ["--paused"], "unknown whether the relayer was paused"],
    [
      "an empty list of URLs",
      { custom_rpc_urls: [] },
      ["--rpc-url", "https://a.example"],
      "no flag sets custom_rpc_urls to an empty list",
    ],
    [
      "an ambiguous URL",
      { custom_rpc_urls: [{ url: "https://a,weight=3", weight: 1 }] },
      ["--no-rpc-urls"],
      "the service masks the previous custom_rpc_urls",
    ],
    [
      "fields without a flag",
      { custom_rpc_urls: [{ url: "https://a.example", weight: 1, more: 1 }] },
      ["--no-rpc-urls"],
      "the service masks the previous custom_rpc_urls",
    ],
    [
      "an invalid notification ID",
      { notification_id: "true" },
      ["--no-notification-id"],
      "notification_id was true: is not an ID; a flag such as --paused takes no value (its opposite is --no-paused)",
    ],
  ])("is missing for %s", async (_, before, flags, because) => {
    expect(await undoOf(before, {}, flags)).toBe(`${CANNOT_UNDO}: ${because}`);
  });
});
