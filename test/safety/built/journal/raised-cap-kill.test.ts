import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder, relayctl } from "../../../e2e/relayctl.ts";
import { serve } from "../../../e2e/services/embedded.ts";
import { DEEP } from "../../../helpers/deep.ts";

/** A transaction of the embedded server that its relayer's cap keeps from being bumped. */
const BUMP = ["tx", "bump", "eth-main-1", "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a", "--raise-cap", "--yes"];
const CAP = 80_000_000_000;
const PRELOAD = `--require ${join(import.meta.dirname, "kill-at-step.cjs")}`;
/** Kills at every step would take minutes. */
const KILLS = DEEP ? 30 : 1;

/** A new service, and a context for it with a journal. */
async function world() {
  const served = await serve({ dialect: "openzeppelin", speed: 10 });
  const folder = newFolder();
  const config = join(folder, "config");
  mkdirSync(config, { mode: 0o700 });
  const { RELAYCTL_SERVER: server, RELAYCTL_TOKEN: token } = served.env;
  const contexts = { prod: { server, token } };
  writeFileSync(join(config, "config.json"), JSON.stringify({ version: 1, contexts }), { mode: 0o600 });
  const journal = join(config, "journal");
  const run = (words: readonly string[], env: Record<string, string> = {}) =>
    relayctl([...words, "-c", "prod"], { folder, env: { STATE_FOLDER: journal, ...env } });
  return {
    run,
    end: served.close,
    /** The lock of a process that was killed is as good as old. */
    expireLocks() {
      const locks = existsSync(journal) ? readdirSync(journal).filter((name) => name.endsWith(".lock")) : [];
      for (const lock of locks) utimesSync(join(journal, lock), new Date(0), new Date(0));
    },
    async cap(): Promise<number> {
      const relayer = (await served.read("/relayers/eth-main-1")) as { policies: { gas_price_cap: number } };
      return relayer.policies.gas_price_cap;
    },
  };
}

test("after kill -9 at any step of tx bump --raise-cap, history lists a cap that is still raised, and settle restores it", async () => {
  const report = join(newFolder(), "count");
  const whole = await world();
  expect(await whole.run(BUMP, { NODE_OPTIONS: PRELOAD, COUNT_INTO: report })).toMatchObject({ exitCode: 0 });
  expect(await whole.cap()).toBe(CAP);
  const steps = Number(readFileSync(report, "utf8"));
  expect(steps).toBeGreaterThan(20);
  let leftRaised = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const step = Math.round((kill * steps) / (KILLS + 1));
    const { run, cap, expireLocks, end } = await world();
    expect(
      (await run(BUMP, { NODE_OPTIONS: PRELOAD, KILL_AT: String(step) })).exitCode,
      `step ${step}`,
    ).toBeUndefined();
    expireLocks();
    const isRaised = (await cap()) !== CAP;
    const listed = await run(["history", "list", "--applied", "yes", "-o", "json"]);
    const unknown = await run(["history", "list", "--applied", "unknown", "-o", "json"]);
    const writes: { restored: boolean | null }[] = [...JSON.parse(listed.stdout), ...JSON.parse(unknown.stdout)];
    if (isRaised)
      expect(
        writes.some(({ restored }) => restored === false),
        `step ${step}`,
      ).toBe(true);
    const { exitCode, stderr } = await run(["history", "settle"]);
    expect([0, 13], `step ${step}: ${stderr}`).toContain(exitCode);
    expect(await cap(), `step ${step}: ${stderr}`).toBe(CAP);
    if (isRaised) leftRaised++;
    await end();
  }
  if (DEEP) expect(leftRaised).toBeGreaterThan(0);
});
