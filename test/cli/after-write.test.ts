import { describe, expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import type { WireReply } from "../../src/contract/wire.ts";
import { seedState } from "../../src/embedded-server/seed.ts";
import { createEmbeddedServer } from "../../src/embedded-server/server.ts";
import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { SERVER, TOKEN, testApp } from "../helpers/test-app.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const SEND = `tx send base-hot --to ${TO} --value 1wei --gas-limit 21000 --speed fast --yes`;
const PENDING = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const LINES = [
  SEND,
  `${SEND} -o json`,
  `${SEND} --once payout-7`,
  `tx replace eth-main-1 ${PENDING} --to ${TO} --value 1wei --gas-limit 21000 --speed fast --yes`,
  `tx cancel eth-main-1 ${PENDING} --yes`,
  "relayers pause base-hot",
  "notifications create --url https://hooks.example.org/ops",
];

/** Runs a command whose n-th call to its world fails after a write has left, as no defect that is known would. */
async function failingAt(line: string, n: number, isAllowed: (name: string) => boolean) {
  const clock = manualClock();
  let ids = 0;
  const random = { uuid: () => `20000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`, fraction: () => 0.5 };
  const server = createEmbeddedServer({ token: TOKEN, store: memoryStore(seedState("demo")), clock, random });
  const accepted: string[] = [];
  let calls = 0;
  const failing = <T extends object>(world: T): T =>
    new Proxy(world, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          if (accepted.length > 0 && isAllowed(String(name)) && ++calls === n) throw new TypeError("a defect");
          return Reflect.apply(value, target, given);
        };
      },
    });
  const made = testApp({
    env: {},
    config: { version: 1, contexts: { prod: { server: SERVER, token: TOKEN } } },
    clock,
    journal: failing(memoryJournal()),
    service: async (request): Promise<WireReply> => {
      const reply = await server(request);
      const isWrite = request.method !== "GET" && !request.target.endsWith("/rpc");
      if (isWrite && reply.status < 300) accepted.push(JSON.parse(new TextDecoder().decode(reply.body)).data?.id ?? "");
      return reply;
    },
  });
  const app = { ...made.app, stdout: failing(made.app.stdout), stderr: made.app.stderr, clock: failing(clock) };
  const code = await run(app, [...line.split(" "), "-c", "prod"]);
  return { code, accepted, text: `${made.stdout.text()}${made.stderr.text()}`, wasReached: calls >= n };
}

describe("a defect after a write has left never looks as if the write could be sent again", () => {
  test.each(LINES)("%s", async (line) => {
    let n = 1;
    for (; n < 200; n++) {
      const { code, accepted, text, wasReached } = await failingAt(line, n, () => true);
      if (!wasReached) break;
      const at = `call ${n}: ${text}`;
      expect(accepted, at).toHaveLength(1);
      expect([0, 11, 74], at).toContain(code);
      if (code === 74) expect(text, at).toContain("applied, but the result could not be written");
      if (code !== 11) continue;
      expect(text, at).toMatch(/unknown whether the request was applied|the request was applied/);
      expect(text, at).toContain("a bug in relayctl: TypeError");
      expect(text, at).toContain("check the outcome before you send the request again");
    }
    expect(n).toBeGreaterThan(3);
    expect(n).toBeLessThan(200);
  });

  test.each(LINES)(
    "%s says what was accepted, and the command that shows it, if the result cannot be printed",
    async (line) => {
      const { code, accepted, text } = await failingAt(line, 1, (name) => name === "write");
      const [id = ""] = accepted;
      expect([11, 74], text).toContain(code);
      expect(text).toContain(id);
      if (line.startsWith("tx")) expect(text).toMatch(new RegExp(`relayctl -c prod tx get \\S+ ${id}`));
    },
  );
});
