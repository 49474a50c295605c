import { CANARY_TOKEN } from "../../helpers/scan.ts";
import { FLAGS, WORDS } from "../properties/random-argv.ts";
import type { Chance } from "./chance.ts";
import { randomContent, randomJson } from "./values.ts";

export interface RandomCommand {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** By their names in the folder in which it runs. */
  files: Readonly<Record<string, string>>;
  stdin: string;
}

const COMMANDS = [
  ["relayers", "list"],
  ["relayers", "get", "eth-main-1"],
  ["relayers", "update", "eth-main-1", "--paused"],
  ["relayers", "update", "eth-main-1", "-f", "body.json"],
  ["relayers", "update", "eth-main-1", "-f", "-"],
  ["relayers", "pause", "eth-main-1"],
  ["notifications", "list"],
  ["notifications", "create", "--url", "https://h.example", "--signing-key-file", "key"],
  ["notifications", "update", "h1", "-f", "body.json"],
  ["tx", "replace", "eth-main-1", "t1", "--value", "1", "--yes"],
  ["tx", "replace", "eth-main-1", "t1", "-f", "body.json", "--yes"],
  ["tx", "list", "eth-main-1", "--status", "submitted"],
  ["tx", "get", "eth-main-1", "t1", "--on-chain"],
  ["tx", "cancel", "eth-main-1", "t1", "--yes"],
  ["tx", "cancel-pending", "eth-main-1", "--yes"],
  ["api", "GET", "/relayers"],
  ["api", "PATCH", "/relayers/eth-main-1", "-f", "body.json", "--yes"],
  ["auth", "status"],
  ["auth", "login", "--token-file", "token"],
  ["context", "list"],
  ["context", "set", "work", "--server", "https://x.example"],
  ["help"],
];

const VALUES = [
  ...["json", "ndjson", "csv", "raw", "30s", "0", "-1", "1.5eth", "body.json", "key", "token", "nowhere", "id", "id=x"],
  ...["name~a", "-name", "[*].id", "length(@)", "always", "https://u:p@h.example", "gas_price_cap=80gwei", "text:x"],
];

/** Mostly what a user could type, with a few things wrong. */
export function randomCommand(chance: Chance, origin: string): RandomCommand {
  return {
    args: [...mutated(chance, chance.pick(COMMANDS)), ...limits(chance)],
    env: randomEnvironment(chance, origin),
    files: {
      "body.json": randomContent(chance),
      key: randomContent(chance),
      token: randomContent(chance),
      ...(chance.once(2) && { "config/config.json": randomConfig(chance) }),
    },
    stdin: randomContent(chance),
  };
}

function mutated(chance: Chance, command: readonly string[]): string[] {
  const words = [...command];
  for (let change = chance.once(2) ? 0 : chance.below(4); change > 0; change--) {
    const at = chance.below(words.length + 1);
    words.splice(at, chance.once(4) ? 1 : 0, ...added(chance));
  }
  return words.map((word) => word.replaceAll("\0", ""));
}

function added(chance: Chance): string[] {
  const flag = chance.pick(FLAGS);
  return chance.pick([
    () => [flag],
    () => [flag, chance.pick(VALUES)],
    () => [`${flag}=${chance.pick(VALUES)}`],
    () => [flag, chance.text(12)],
    () => [`--token=${CANARY_TOKEN}`],
    () => [chance.pick(WORDS)],
  ])();
}

/** A peer that hangs must not cost the whole minute. */
function limits(chance: Chance): string[] {
  return chance.once(8) ? [] : ["--timeout", "400ms", "--retries", chance.pick(["0", "1"])];
}

function randomEnvironment(chance: Chance, origin: string): Record<string, string> {
  const all = {
    RELAYCTL_SERVER: chance.once(12) ? chance.text(12) : origin,
    RELAYCTL_TOKEN: CANARY_TOKEN,
    RELAYCTL_TIMEOUT: chance.once(20) ? "x" : "500ms",
    ...Object.fromEntries(chance.some(Object.entries(ODD), 1)),
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value.replaceAll("\0", "")]));
}

const ODD = {
  RELAYCTL_OUTPUT: "json",
  RELAYCTL_CONTEXT: "work",
  RELAYCTL_NO_INPUT: "1",
  RELAYCTL_PROXY: `http://u:${CANARY_TOKEN}@127.0.0.1:9`,
  RELAYCTL_CA_FILE: "body.json",
  RELAYCTL_RETRIES: "99",
  RELAYCTL_COLOR: "always",
  RELAYCTL_ALLOW_HTTP: "maybe",
  RELAYCTL_TOKEN_FILE: "token",
  HTTP_PROXY: "::",
  FORCE_COLOR: "3",
  NO_COLOR: "1",
  COLUMNS: "1",
  TERM: "dumb",
  CI: "true",
  TZ: "Asia/Kathmandu",
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  HOME: "/nowhere",
};

function randomConfig(chance: Chance): string {
  const context = `{"server":"https://x.example","token":"${CANARY_TOKEN}"}`;
  if (chance.once(3)) return randomContent(chance);
  return `{"version":1,"current":"work","contexts":{"work":${chance.once(3) ? randomJson(chance) : context}}}`;
}
