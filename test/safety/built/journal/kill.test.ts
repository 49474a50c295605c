import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonValue, parseJson, writeJson } from "../../../../src/contract/json.ts";
import { markMasked } from "../../../../src/contract/secret-fields.ts";
import type { WireRequest } from "../../../../src/contract/wire.ts";
import { type RecordedWrite, walkWrites } from "../../../../src/journal/journal.ts";
import { relayctl } from "../../../e2e/relayctl.ts";
import { chosen, DEEP } from "../../../helpers/deep.ts";
import { figure } from "../../../helpers/figure.ts";
import { intent } from "../../../journal/entries.ts";
import { journalIn, ledgerServer } from "./ledger.ts";

const RECEIVER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const PENDING = "eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

const LINES = [
  `tx send base-hot --to ${RECEIVER} --value 1wei --gas-limit 21000 --speed fast --yes`,
  `tx send base-hot --to ${RECEIVER} --value 1wei --gas-limit 21000 --speed fast --yes --once invoice-7`,
  `tx replace ${PENDING} --inherit --speed fastest --yes`,
  `tx cancel ${PENDING} --yes`,
  "relayers update eth-main-1 --name treasury --yes",
  "relayers pause eth-main-1 eth-main-2 base-hot xlm-pay --yes",
];

/** Kills of each line; at every step they would take minutes. */
const KILLS = DEEP ? 25 : 2;

async function ran(line: string, variables: Record<string, string>) {
  const world = await ledgerServer();
  const preload = `--require ${join(import.meta.dirname, "kill-at-step.cjs")}`;
  const env = { ...variables, STATE_FOLDER: join(world.config, "journal"), NODE_OPTIONS: preload };
  const { exitCode } = await relayctl([...line.split(" "), "-c", "prod"], { folder: world.folder, env });
  world.end();
  const path = join(world.config, "journal");
  const writes: RecordedWrite[] = [];
  for await (const write of walkWrites(journalIn(path))) writes.push(write);
  return { ...world, path, exitCode, writes };
}

function parsed(body: string | undefined): JsonValue | undefined {
  return body === undefined || body === "" ? undefined : parseJson(body);
}

function isIntentOf({ intent: { method, target, body } }: RecordedWrite, request: WireRequest): boolean {
  if (method !== request.method || target !== request.target) return false;
  const sent = parsed(request.body);
  return isJsonObject(sent) ? writeJson(sent) === writeJson(body ?? null) : body === undefined;
}

test.each(chosen(LINES, 1, 5))("kill -9 at any step leaves an intent of each applied write: %s", async (line) => {
  const report = join((await ledgerServer()).folder, "count");
  const whole = await ran(line, { COUNT_INTO: report });
  expect(whole.exitCode).toBe(0);
  expect(whole.applied.length).toBeGreaterThan(0);
  expect(whole.writes).toHaveLength(whole.applied.length);
  const steps = Number(readFileSync(report, "utf8"));
  expect(steps).toBeGreaterThan(20);
  let applications = 0;
  let killed = 0;
  const unexplained: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    // The last step comes first: by then everything was sent.
    const step = Math.max(1, Math.round(steps - (kill * steps) / KILLS));
    const { applied, writes, exitCode, path } = await ran(line, { KILL_AT: String(step) });
    // A run that writes several lines at once can have fewer steps, and then ends before its last one.
    if (exitCode === undefined) killed++;
    else expect([step, exitCode]).toEqual([steps, 0]);
    for (const request of applied) {
      const own = writes.find((write) => isIntentOf(write, request));
      if (!own) unexplained.push(`step ${step}: ${request.method} ${request.target}`);
      expect(own?.outcome?.applied, `step ${step}`).not.toBe("no");
    }
    for (const { intent: sent, outcome } of writes) {
      const isApplied = applied.some(({ target }) => target === sent.target);
      if (outcome) expect(outcome.applied === "yes", `step ${step}`).toBe(isApplied);
    }
    applications += applied.length;
    await expectWritable(path, `step ${step}`);
  }
  figure("kills with SIGKILL at a step of a write with a journal", KILLS);
  figure("applied writes without an intent in the journal after them", unexplained.length);
  expect(unexplained).toEqual([]);
  expect(applications).toBeGreaterThan(0);
  expect(killed).toBeGreaterThanOrEqual(KILLS - 1);
});

/** A journal that a killed process left takes the next entry, and no line of it is damaged. */
async function expectWritable(path: string, message: string): Promise<void> {
  const lock = join(path, "journal.lock");
  if (existsSync(lock)) utimesSync(lock, new Date(0), new Date(0));
  const journal = journalIn(path);
  await journal.append(markMasked(intent("after")));
  const { fault } = await journal.verify();
  expect(fault, message).toBeUndefined();
}
