import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { newFolder, relayctl } from "../../e2e/relayctl.ts";
import { type EmbeddedService, serve } from "../../e2e/services/embedded.ts";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";

const KILL_AT = `--require ${join(import.meta.dirname, "kill-at.cjs")}`;
/** Kills at every step would take minutes. */
const EACH = DEEP ? 1 : 30;

/** Sends with a key; each place has a receiver, so that its transactions can be counted. */
function sender(served: EmbeddedService, receiver: string) {
  const folder = newFolder();
  const state = join(folder, "keys");
  const to = ["--to", receiver, "--value", "1wei", "--gas-limit", "21000", "--speed", "fast"];
  const line = ["tx", "send", "base-hot", ...to, "--yes", "--once", "payout-7", "--state", state, "-o", "json"];
  return {
    state,
    send: (env: Record<string, string> = {}) =>
      relayctl(line, { folder, env: { ...served.env, CONFIG_FOLDER: state, ...env } }),
    async accepted(): Promise<string[]> {
      const all = (await served.read("/relayers/base-hot/transactions?per_page=1000")) as { id: string; to: string }[];
      return all.filter(({ to: found }) => found === receiver).map(({ id }) => id);
    },
  };
}

/** The lock of a process that was killed is as good as old. */
function expireLocks(folder: string): void {
  const locks = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".lock")) : [];
  for (const lock of locks) utimesSync(join(folder, lock), new Date(0), new Date(0));
}

const receiverOf = (step: number) => `0x${step.toString(16).padStart(40, "0")}`;

test("after kill -9 at any step of tx send --once, later runs send at most once in all, and report only what was sent", async () => {
  const served = await serve();
  const counted = sender(served, receiverOf(0x1000));
  const report = join(newFolder(), "count");
  expect(await counted.send({ NODE_OPTIONS: KILL_AT, COUNT_INTO: report })).toMatchObject({ exitCode: 0 });
  const steps = Number(readFileSync(report, "utf8"));
  expect(steps).toBeGreaterThan(10);
  let kills = 0;
  let most = 0;
  const ends = new Set<number | undefined>();
  for (let step = 1; step <= steps; step += EACH) {
    const { state, send, accepted } = sender(served, receiverOf(step));
    await send({ NODE_OPTIONS: KILL_AT, KILL_AT: String(step) });
    kills++;
    expireLocks(state);
    const { exitCode, stdout } = await send();
    ends.add(exitCode);
    const ids = await accepted();
    most = Math.max(most, ids.length);
    if (exitCode === 0) expect(ids, `step ${step}`).toEqual([JSON.parse(stdout).id]);
    else expect([exitCode, ids], `step ${step}`).toEqual([11, []]);
  }
  figure("kills with SIGKILL during tx send --once", kills);
  figure("transactions with one key after them, at most", most);
  expect(most).toBe(1);
});

test("two processes with one key at once send one transaction", async () => {
  const served = await serve();
  const { send, accepted } = sender(served, receiverOf(0x2000));
  const runs = await Promise.all([send(), send()]);
  const ids = await accepted();
  expect(ids).toHaveLength(1);
  for (const { exitCode, stdout } of runs)
    expect(exitCode === 0 ? JSON.parse(stdout).id : exitCode).toBe(exitCode === 0 ? ids[0] : 6);
});
