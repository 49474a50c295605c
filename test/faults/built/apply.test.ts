import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder, relayctl, said, start } from "../../e2e/relayctl.ts";
import { chosen, DEEP } from "../../helpers/deep.ts";
import { appliedKeys, falseClaims } from "../apply/claims.ts";
import { EXPECTED_WRITES, type ExpectedWrite, serviceBefore, THIRTY_CHANGES } from "../apply/thirty-changes.ts";
import { openFaultServer } from "../server/fault-server.ts";
import type { Script, Step } from "../server/script.ts";
import { TOKEN } from "../world.ts";

const KEYS = EXPECTED_WRITES.map(({ key }) => key);
const FLAGS = ["--yes", "-o", "json", "--retries", "0", "--concurrency", "1"];
/** A create; each write in a deep run. */
const STEPS = DEEP ? KEYS.map((_, at) => at) : [5];

/** What the program prints after the first Ctrl-C during a write. */
const AGAIN = "interrupt again to stop waiting";
const READ: Step = { do: "read", bytes: "all" };
const APPLY: Step = { do: "apply" };
const HANG: Step = { do: "hang" };

function scriptAt(at: number, steps: readonly Step[]): Script {
  const { method, path } = EXPECTED_WRITES[at] as ExpectedWrite;
  const nth = EXPECTED_WRITES.slice(0, at + 1).filter((each) => each.method === method && each.path === path).length;
  return { match: { method, path, nth }, steps };
}

type World = Awaited<ReturnType<typeof world>>;

async function world(at: number, steps: readonly Step[], isJournaled = true) {
  const server = await openFaultServer({ service: serviceBefore(), scripts: [scriptAt(at, steps)] });
  onTestFinished(() => server.close());
  const folder = newFolder();
  writeFileSync(join(folder, "config.json"), THIRTY_CHANGES);
  const journal = isJournaled ? { RELAYCTL_JOURNAL: join(folder, "journal") } : {};
  const env = { RELAYCTL_SERVER: server.origin, RELAYCTL_TOKEN: TOKEN, ...journal };
  return { server, folder, env };
}

/** @param again a change that may have been sent again, with the same values */
async function problemsAfter({ server, folder, env }: World, again?: string): Promise<string[]> {
  const next = await relayctl(["apply", "-f", "config.json", ...FLAGS], { folder, env });
  const all = appliedKeys(server.ledger);
  const plan = await relayctl(["plan", "-f", "config.json", "-o", "json"], { folder, env });
  return [
    ...(next.exitCode === 0 ? [] : [`the next apply ends with ${next.exitCode}: ${next.stderr}`]),
    ...(plan.exitCode === 0 ? [] : [`then a plan ends with ${plan.exitCode}: ${plan.stdout}`]),
    ...all.filter((key, index) => all.indexOf(key) < index && key !== again).map((key) => `${key} was applied twice`),
    ...KEYS.filter((key) => !all.includes(key)).map((key) => `${key} was never applied`),
  ];
}

/** A process that a signal ended has no exit code. */
function withCode({ exitCode = -1, stdout, stderr }: { exitCode: number | undefined; stdout: string; stderr: string }) {
  return { exitCode, stdout, stderr };
}

function startApply({ folder, env }: { folder: string; env: Record<string, string> }) {
  return start(["apply", "-f", "config.json", ...FLAGS], { folder, env });
}

describe.each(STEPS.map((at) => [KEYS[at], at] as const))("at the write of %s", (_, at) => {
  const kills: readonly (readonly [string, readonly Step[]])[] = [
    ["before it is applied", [READ, HANG]],
    ["after it is applied", [READ, APPLY, HANG]],
  ];

  const { method, key } = EXPECTED_WRITES[at] as ExpectedWrite;
  // A change that may still arrive is sent again, whatever the service shows.
  const again = method === "PATCH" ? key : undefined;

  test.each(chosen(kills, 1))(
    "after kill -9 %s, the next apply does the rest, and creates nothing twice",
    async (_, steps) => {
      const there = await world(at, steps);
      const { child, ended } = startApply(there);
      await there.server.stalled();
      child.kill("SIGKILL");
      expect((await ended).exitCode).toBeUndefined();
      expect(await problemsAfter(there, again)).toEqual([]);
    },
  );

  test("after Ctrl-C, the write is finished, the rest is not started, and the report is true", async () => {
    const there = await world(at, [READ, { do: "wait", until: "asked again" }, { do: "answer" }]);
    const { child, ended } = startApply(there);
    await there.server.stalled();
    child.kill("SIGINT");
    if (child.stderr) await said(child.stderr, AGAIN);
    await fetch(`${there.server.origin}/again`);
    const first = await ended;
    expect(first.exitCode).toBe(at === KEYS.length - 1 ? 0 : 130);
    expect(falseClaims(withCode(first), appliedKeys(there.server.ledger), KEYS, [130])).toEqual([]);
    expect(appliedKeys(there.server.ledger)).toEqual(KEYS.slice(0, at + 1));
    expect(await problemsAfter(there)).toEqual([]);
  });

  test("after Ctrl-C twice, the write is unknown, and the report is true", async () => {
    const there = await world(at, [READ, APPLY, HANG], false);
    const { child, ended } = startApply(there);
    await there.server.stalled();
    child.kill("SIGINT");
    if (child.stderr) await said(child.stderr, AGAIN);
    child.kill("SIGINT");
    const first = await ended;
    expect(first.exitCode).toBe(130);
    expect(falseClaims(withCode(first), appliedKeys(there.server.ledger), KEYS, [130])).toEqual([]);
    expect(JSON.parse(first.stdout)[at]).toMatchObject({ outcome: "unknown", applied: "unknown" });
    expect(await problemsAfter(there)).toEqual([]);
  });
});
