import { describe, expect, test } from "vitest";
import type { Transport } from "../../src/client/transport/transport.ts";
import { createEmbeddedServer } from "../../src/embedded-server/server.ts";
import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { cli } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { payouts, receiver } from "../helpers/payouts.ts";
import { seedState } from "../helpers/seed-state.ts";
import { type BalancerOptions, openBalancer } from "../helpers/service/balancer.ts";
import { SERVER, TOKEN } from "../helpers/test-app.ts";

const FLEET = JSON.stringify({
  relayers: [
    { id: "base-hot", name: "Hot wallet of Base", network: "base", network_type: "evm", signer_id: "signer-3" },
  ],
});

function worldOver(open: (clock: ReturnType<typeof manualClock>) => Transport) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const journal = memoryJournal();
  const service = open(clock);
  const config = { version: 1 as const, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN } } };
  const files = { "payouts.csv": payouts(3), "fleet.json": FLEET };
  return { clock, run: (line: string) => cli(line, { env: {}, config, journal, clock, interrupt, files, service }) };
}

function alone() {
  return worldOver((clock) => {
    let ids = 0;
    const random = { uuid: () => `70000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };
    return createEmbeddedServer({ token: TOKEN, store: memoryStore(seedState("demo")), clock, random });
  });
}

function balanced(options: Omit<BalancerOptions, "clock">) {
  let received: ReturnType<typeof openBalancer>["received"] = [];
  const world = worldOver((clock) => {
    const balancer = openBalancer({ clock, ...options });
    received = balancer.received;
    return balancer.service;
  });
  return { ...world, received };
}

const PAY = `tx send base-hot --to ${receiver(3)} --value 1gwei --gas-limit 21000 --speed fast --yes`;
const LINES: readonly (readonly string[])[] = [
  ["relayers status base-hot -o json"],
  ["networks list -o json", "signers list -o json", "plugins list -o json", "networks get evm:base -o json"],
  ["relayers update base-hot --name a --diff", "undo --yes"],
  [PAY, "tx bump base-hot 70000000-0000-4000-8000-000000000001 --yes --dry-run"],
  ["tx send-many base-hot -f payouts.csv --speed fast --confirm 6000000000000 --wait -o json"],
  ["relayers unstick eth-main-1 --dry-run -o json"],
  ["find base-hot -o json"],
  ["apply -f fleet.json --yes -o json", "plan -f fleet.json -o json"],
  [
    "notifications create --url https://hooks.example.org/x --id hook-new -o json",
    "notifications get hook-new -o json",
  ],
];

describe.each(sampled(LINES, 2).map((lines) => [lines.join(", then "), lines] as const))("%s", (_, lines) => {
  test.each([0, 1] as const)("ends as with one instance if instance %i of two responds first", async (first) => {
    const one = alone();
    const lacks = /GET .*\/(networks|plugins|signers)\b/;
    const many = balanced({ first, lag: 3_000, lacks, hides: ["is_canceled"] });
    for (const line of lines) {
      const [expected, found] = [await one.run(line), await many.run(line)];
      expect([line, found.exitCode, found.stdout]).toEqual([line, expected.exitCode, expected.stdout]);
      expect(found.requests.length).toBeLessThanOrEqual(3 * expected.requests.length);
    }
  });
});

test("a change is sent even if an instance that lags shows the requested value", async () => {
  for (const first of [0, 1] as const) {
    const { run } = balanced({ first, lag: 3_000 });
    for (const verb of ["pause", "resume", "pause"]) {
      const ran = await run(`relayers ${verb} base-hot --diff`);
      expect([verb, ran.exitCode, ran.writes.length]).toEqual([verb, 0, 1]);
    }
  }
});

test.each([0, 1] as const)(
  "a wait ends although an instance that lags did not have the record at first",
  async (first) => {
    const { run } = balanced({ first, lag: 3_000, hides: ["is_canceled"] });
    const ran = await run(`${PAY} --wait`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(await run("tx wait base-hot 70000000-0000-4000-8000-000000000001")).toMatchObject({ exitCode: 0 });
  },
);
