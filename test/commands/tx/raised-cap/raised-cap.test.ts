import { TransportFailure } from "../../../../src/client/transport/transport.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import type { Entry, Journal } from "../../../../src/journal/journal.ts";
import { hash, record, THIRD, TRANSFER } from "../../../chain/verdict/records.ts";
import { exited, exitedSaying, printedError } from "../../../helpers/exited.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { SERVER, TOKEN } from "../../../helpers/test-app.ts";
import { BUMPED, type CappedStory, cappedRelayer, OLD, RAISED, RESPONSE, SENT } from "./capped-relayer.ts";

const BUMP = "tx bump evm-1 tx-1 --raise-cap --yes";
const RESTORE = "relayctl relayers update evm-1 --policy gas_price_cap=11500000000wei";

const sent = ({ writes }: { writes: readonly { method: string; target: string }[] }) =>
  writes.filter(({ target }) => !target.endsWith("/rpc")).map(({ method }) => method);

test("the cap is raised, the bump is sent, and the cap is back once the bump is on its way", async () => {
  const { run, relayer, patches } = cappedRelayer();
  const ran = await exited(0, run(BUMP));
  expect(sent(ran)).toEqual(["PATCH", "PUT", "PATCH"]);
  expect([patches, relayer.cap]).toEqual([[RAISED, OLD], OLD]);
  const lines = ran.stderr.split("\n");
  const at = (words: string) => lines.findIndex((line) => line.includes(words));
  const steps = [
    "gas_price_cap of evm-1 is 13.31 gwei until the bump is on its way",
    "replacement accepted",
    `on its way as ${THIRD} at 12.1 gwei`,
    "gas_price_cap of evm-1 is 11.5 gwei again",
  ].map(at);
  expect(steps).not.toContain(-1);
  expect(steps).toEqual([...steps].sort((one, other) => one - other));
});

test("the old cap is on the disk before the first request", async () => {
  const journal = memoryJournal();
  const synced: number[] = [];
  const before = ({ method }: { method: string }) => void (method === "PATCH" && synced.push(journal.synced.length));
  await cappedRelayer({ before }, journal).run(BUMP);
  expect(synced[0]).toBe(1);
  const [raise] = journal.synced;
  expect(raise).toMatchObject({
    type: "intent",
    operation: "relayers.update",
    temporary: `gas_price_cap of evm-1 at ${SERVER}`,
    before: { policies: { gas_price_cap: String(OLD) } },
    body: { policies: { gas_price_cap: RAISED } },
  });
  expect(journal.entries.filter(({ type }) => type === "intent")).toMatchObject([
    { temporary: expect.any(String) },
    { operation: "tx.replace" },
    { restores: `gas_price_cap of evm-1 at ${SERVER}` },
  ]);
});

test("nothing is sent if the old cap cannot be recorded", async () => {
  const fault = () => new RelayctlError("io", "the disk is full");
  const ran = await exited(74, cappedRelayer({}, memoryJournal({ fault })).run(BUMP));
  expect(sent(ran)).toEqual([]);
});

test.each([
  ["no cap", null],
  ["a cap that suffices", 10n ** 11n],
])("%s is left as it is", async (_, cap) => {
  const { run, patches } = cappedRelayer({ cap });
  const ran = await run(BUMP);
  expect([ran.exitCode, sent(ran), patches]).toEqual([0, ["PUT"], []]);
});

test("with --keep-raised the cap stays raised, with the command that restores it", async () => {
  const { run, relayer, journal } = cappedRelayer();
  const ran = await exited(0, run(`${BUMP} --keep-raised`));
  expect([sent(ran), relayer.cap]).toEqual([["PATCH", "PUT"], RAISED]);
  expect(ran.stderr).toContain(`undo: ${RESTORE}\n`);
  expect(journal.entries.some((entry) => "temporary" in entry)).toBe(false);
  expect(await run("history settle -o json")).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  expect(relayer.cap).toBe(RAISED);
  expect((await run(`${BUMP} --keep-raised`)).stderr).not.toContain("may have left");
});

test("with --keep-raised a refused bump exits with 12, since the cap was raised", async () => {
  const { run, relayer } = cappedRelayer({
    written: () => reply(400, { success: false, data: null, error: "insufficient balance" }),
  });
  const ran = await run(`${BUMP} --keep-raised`);
  expect([ran.exitCode, relayer.cap]).toEqual([12, RAISED]);
  expect(ran.stderr).toContain("error: insufficient balance\n");
  expect(ran.stderr).toContain("gas_price_cap of evm-1 remains 13.31 gwei\n");
  expect(ran.stderr).toContain(`hint: ${RESTORE}\n`);
});

test.each(["PATCH", "POST"])("with --keep-raised, Ctrl-C after the cap was raised says so, at a %s", async (method) => {
  const interrupt = new AbortController();
  let isRaised = false;
  const before = (request: { method: string }) => {
    isRaised ||= request.method === "PATCH";
    if (isRaised && request.method === method) interrupt.abort("interrupted");
  };
  const { run, relayer } = cappedRelayer({ before });
  const ran = await exited(130, run(`${BUMP} --keep-raised -o json`, { interrupt: interrupt.signal }));
  expect([sent(ran), relayer.cap]).toEqual([["PATCH"], RAISED]);
  const { message, ...said } = printedError(ran.stderr);
  expect(message).toBe("interrupted; gas_price_cap of evm-1 remains 13.31 gwei");
  expect(said).toMatchObject({ applied: "yes", hint: RESTORE });
});

test("with --keep-raised, a later bump that would pay more than --max-price is not sent", async () => {
  const other = { id: "tx-2", nonce: 5, hash: hash("e") };
  let isBumped = false;
  const { run } = cappedRelayer({
    record: (second, id) => {
      if (id === "tx-2") return record(other);
      return !isBumped ? record() : second < 2 ? RESPONSE : SENT;
    },
    chain: (second) => ({
      transactions: [isBumped && second >= 2 ? BUMPED : TRANSFER, { ...TRANSFER, nonce: 5, hash: hash("e") }],
      market: { baseFee: isBumped ? 10n ** 12n : 10n ** 10n, tip: 10n ** 8n },
      balance: 10n ** 18n,
    }),
    written: (id) => {
      isBumped = true;
      return id === "tx-1" ? RESPONSE : { ...RESPONSE, ...other, hash: hash("9") };
    },
  });
  const ran = await exited(12, run("tx bump evm-1 tx-1 tx-2 --raise-cap --keep-raised --max-price 14gwei --yes"));
  expect(sent(ran)).toEqual(["PATCH", "PUT"]);
});

test("Ctrl-C in a later round does not say that nothing was changed, since an earlier bump was accepted", async () => {
  const interrupt = new AbortController();
  let patches = 0;
  const before = ({ method }: { method: string }) => {
    if (method === "PATCH" && ++patches === 3) interrupt.abort("interrupted");
  };
  const ran = await cappedRelayer({ before }).run(`${BUMP} --until mined --every 10s --times 2 -o json`, {
    ...{ interrupt: interrupt.signal, clock: manualClock(undefined, interrupt.signal) },
  });
  expect(sent(ran).slice(0, 4)).toEqual(["PATCH", "PUT", "PATCH", "PATCH"]);
  expect(printedError(ran.stderr)).toMatchObject({ exit_code: 130, applied: "yes" });
  expect(ran.stderr).not.toContain("nothing was changed");
});

describe.each(["lost", "applied, response lost"] as const)(
  "with --keep-raised, a request to raise it is %s",
  (fate) => {
    test("and the command that restores the cap is shown, since the cap may be raised", async () => {
      const ran = await cappedRelayer({ fates: [fate], isUnreadable: true }).run(`${BUMP} --keep-raised`);
      expect([ran.exitCode, sent(ran)]).toEqual([11, ["PATCH"]]);
      expect(ran.stderr).toContain("may still arrive; it was 11.5 gwei before\n");
      expect(ran.stderr).toContain(`hint: ${RESTORE}\n`);
    });
  },
);

describe("with --keep-raised and --until mined", () => {
  const UNTIL = `${BUMP} --keep-raised --until mined --every 10s --times 2`;

  test("the cap is raised again for a further bump", async () => {
    const { run, patches } = cappedRelayer();
    const ran = await run(UNTIL);
    expect([sent(ran), patches.length], ran.stderr).toEqual([["PATCH", "PUT", "PATCH", "PUT"], 2]);
  });

  test.each([12_000_000_000n, OLD])("a cap that somebody else set to %d wei is left so", async (cap) => {
    let puts = 0;
    const before: CappedStory["before"] = ({ method }, relayer) => {
      if (method === "PUT") puts++;
      else if (puts === 1) relayer.cap = cap;
    };
    const { run, relayer } = cappedRelayer({ before });
    const ran = await run(UNTIL);
    expect([sent(ran), relayer.cap], ran.stderr).toEqual([["PATCH", "PUT"], cap]);
    expect(ran.stderr).toContain("after this run raised it, and was kept");
  });
});

test("--keep-raised needs --raise-cap", async () => {
  const ran = await cappedRelayer().run("tx bump evm-1 tx-1 --keep-raised --yes");
  expect([ran.exitCode, ran.requests]).toEqual([2, []]);
});

test("a dry run shows every request", async () => {
  const ran = await cappedRelayer().run("tx bump evm-1 tx-1 --raise-cap --dry-run -o json");
  expect(sent(ran)).toEqual([]);
  expect(ran.stdout.match(/PATCH|PUT/g)).toEqual(["PATCH", "PUT", "PATCH"]);
});

test("the cap is not raised above --max-fee", async () => {
  const { run, patches } = cappedRelayer();
  expect((await run(`${BUMP} --max-fee 13gwei`)).exitCode).toBe(0);
  expect(patches).toEqual([13_000_000_000n, OLD]);
});

test("no --force raises the cap above --max-fee", async () => {
  const { run, patches } = cappedRelayer();
  const ran = await run(`${BUMP} --max-fee 12gwei --force`);
  expect(patches, ran.stderr).toEqual([]);
});

describe("the cap is restored", () => {
  const restored = { patches: [RAISED, OLD], cap: OLD };

  test("if the bump is refused", async () => {
    const { run, relayer, patches } = cappedRelayer({
      written: () => reply(400, { success: false, data: null, error: "insufficient balance" }),
    });
    const ran = await exited(7, run(BUMP));
    expect({ patches, cap: relayer.cap }).toEqual(restored);
    expect(ran.stderr).toContain("gas_price_cap of evm-1 is 11.5 gwei again\n");
  });

  test("if it is not known whether the bump is on its way", async () => {
    const { run, relayer, patches } = cappedRelayer({ record: (second) => (second === 0 ? record() : RESPONSE) });
    await exited(15, run(BUMP));
    expect({ patches, cap: relayer.cap }).toEqual(restored);
  });

  test("if Ctrl-C ends the wait", async () => {
    const interrupt = new AbortController();
    const before = ({ method }: { method: string }) => void (method === "PUT" && interrupt.abort("interrupted"));
    const { run, relayer, patches } = cappedRelayer({ before });
    const ran = await run(BUMP, { interrupt: interrupt.signal });
    expect([11, 130]).toContain(ran.exitCode);
    expect({ patches, cap: relayer.cap }).toEqual(restored);
    expect(ran.stderr).toContain("gas_price_cap of evm-1 is 11.5 gwei again\n");
  });

  test("if the deadline passes", async () => {
    const { run, relayer, patches } = cappedRelayer({ record: (second) => (second === 0 ? record() : RESPONSE) });
    const ran = await run(`${BUMP} --deadline 3s`);
    expect(ran.exitCode, ran.stderr).not.toBe(0);
    expect({ patches, cap: relayer.cap }).toEqual(restored);
  });

  test("if the market has risen above the raised cap by then", async () => {
    let isRaised = false;
    const { run, relayer, patches } = cappedRelayer({
      before: ({ method }) => {
        if (method === "PATCH") isRaised = true;
      },
      chain: () => ({
        transactions: [],
        market: { baseFee: isRaised ? 10n ** 12n : 10n ** 10n, tip: 10n ** 8n },
        balance: 10n ** 18n,
      }),
    });
    const ran = await run(BUMP);
    expect([ran.exitCode, sent(ran)]).toEqual([6, ["PATCH", "PATCH"]]);
    expect(ran.stderr).toContain("the bump was not sent\n");
    expect({ patches, cap: relayer.cap }).toEqual(restored);
  });

  test.each([new RelayctlError("io", "the pipe is closed"), new Error("a bug")])("after %s", async (stderrFault) => {
    const { run, relayer, patches } = cappedRelayer();
    await run(BUMP, { stderrFault }).catch(() => undefined);
    expect({ patches, cap: relayer.cap }).toEqual(restored);
  });

  test("after lost responses, which reads settle", async () => {
    const { run, relayer, patches } = cappedRelayer({ fates: ["applied, response lost", "applied, response lost"] });
    await exited(0, run(BUMP));
    expect({ patches, cap: relayer.cap }).toEqual(restored);
  });
});

test("a request to raise the cap that was lost stays open, and the next run is refused", async () => {
  const { run, journal } = cappedRelayer({ fates: ["lost"] });
  const ran = await run(BUMP);
  expect([ran.exitCode, sent(ran)]).toEqual([11, ["PATCH"]]);
  expect(ran.stderr).toContain(
    "the request to raise gas_price_cap of evm-1 may still arrive; it was 11.5 gwei before\n",
  );
  expect(ran.stderr).toContain("hint: relayctl history settle\n");
  const again = await cappedRelayer({}, journal).run(BUMP);
  expect([again.exitCode, sent(again)]).toEqual([6, []]);
  expect(again.stderr).toContain("may have left gas_price_cap of evm-1 raised\n");
  expect(again.stderr).toContain("hint: relayctl history settle\n");
  const inJson = await cappedRelayer({}, journal).run(`${BUMP} -o json`);
  expect(printedError(inJson.stderr)).toMatchObject({ retryable: false });
});

test("a lost request to raise the cap is not called applied if nothing can be read anymore", async () => {
  const ran = await exited(11, cappedRelayer({ fates: ["lost"], isUnreadable: true }).run(`${BUMP} -o json`));
  expect(printedError(ran.stderr)).toMatchObject({ applied: "unknown", hint: "relayctl history settle" });
});

test("a request to raise the cap that was refused leaves nothing to restore", async () => {
  const { run, journal } = cappedRelayer({ fates: ["refused"] });
  expect(sent(await run(BUMP))).toEqual(["PATCH"]);
  expect((await cappedRelayer({}, journal).run(BUMP)).exitCode).toBe(0);
});

describe("exit 12 with the command that restores the cap", () => {
  test("if somebody else changed the cap meanwhile, which is left so", async () => {
    const { run, relayer, patches, journal } = cappedRelayer({
      before: ({ method }, found) => {
        if (method === "PUT") found.cap = 7n * 10n ** 10n;
      },
    });
    const ran = await exited(12, run(BUMP));
    expect([patches, relayer.cap]).toEqual([[RAISED], 7n * 10n ** 10n]);
    expect(ran.stderr).toContain("gas_price_cap of evm-1 was changed to 70 gwei meanwhile, and was kept");
    expect(ran.stderr).toMatch(/the bump of \S+ was accepted/);
    expect(ran.stderr).toContain(`hint: ${RESTORE}\n`);
    expect((await cappedRelayer({}, journal).run(BUMP)).exitCode).toBe(0);
  });

  test.each(["lost", "refused"] as const)("if the request that restores it is %s", async (fate) => {
    const { run, relayer, patches } = cappedRelayer({ fates: ["applied", fate, fate, fate] });
    const ran = await exited(12, run(BUMP));
    expect(relayer.cap).toBe(RAISED);
    expect(patches, ran.stderr).toHaveLength(fate === "lost" ? 2 : 4);
    expect(ran.stderr).toContain("gas_price_cap of evm-1 may still be 13.31 gwei; it was 11.5 gwei before\n");
    expect(ran.stderr).toContain(`hint: ${RESTORE}\n`);
  });

  test("if the service does not respond anymore", () =>
    exitedSaying(12, cappedRelayer({ isUnreadable: true }).run(BUMP), `hint: ${RESTORE}\n`));
});

test("nothing is sent if the cap has changed since the question", async () => {
  let reads = 0;
  const { run } = cappedRelayer({
    before: ({ method, target }, found) => {
      if (method === "GET" && target.endsWith("/relayers/evm-1") && ++reads === 2) found.cap = 12n * 10n ** 9n;
    },
  });
  const ran = await run(BUMP);
  expect([ran.exitCode, sent(ran)]).toEqual([6, []]);
  expect(ran.stderr).toContain("gas_price_cap of evm-1 is 12 gwei now, not 11.5 gwei\n");
});

test("a second run at the same time is refused", async () => {
  const journal = memoryJournal();
  const exclusively = () => Promise.reject(new RelayctlError("conflict", "another process holds its lock"));
  const ran = await cappedRelayer({}, { ...journal, exclusively }).run(BUMP);
  expect([ran.exitCode, sent(ran)]).toEqual([6, []]);
  expect(ran.stderr).toContain("another run is raising gas_price_cap of evm-1\n  nothing was sent\n");
  const inJson = await cappedRelayer({}, { ...journal, exclusively }).run(`${BUMP} -o json`);
  expect(printedError(inJson.stderr)).toMatchObject({ retryable: true });
});

test("a journal that cannot be locked for another reason stops the run before anything is sent", async () => {
  const journal = memoryJournal();
  const exclusively = () => Promise.reject(new RelayctlError("io", "no space left on device"));
  const ran = await cappedRelayer({}, { ...journal, exclusively }).run(BUMP);
  expect([ran.exitCode, sent(ran)]).toEqual([74, []]);
  expect(ran.stderr).toContain("no space left on device\n  nothing was sent\n");
  expect(ran.stderr).not.toContain("note: other runs");
});

test("two runs one after the other leave the cap as it was", async () => {
  const world = cappedRelayer();
  expect((await world.run(BUMP)).exitCode).toBe(0);
  expect(world.relayer.cap).toBe(OLD);
});

describe("--raise-cap asks for what it needs, also where the cap suffices", () => {
  const ENOUGH = { cap: 10n ** 11n };

  test.each([
    ["another run is raising a cap", new RelayctlError("conflict", "another process holds its lock"), 6],
    ["the folder of the journal cannot be written", new RelayctlError("io", "the disk is read-only"), 74],
  ])("%s", async (_, fault, code) => {
    const kept = memoryJournal();
    const exclusively: Journal["exclusively"] = async (key, work) => {
      if (key.startsWith("gas_price_cap")) throw fault;
      return await work();
    };
    const journal = { ...kept, exclusively };
    for (const line of [BUMP, "relayers unstick evm-1 --raise-cap --yes"]) {
      const ran = await cappedRelayer(ENOUGH, journal).run(line);
      expect([ran.exitCode, sent(ran)], ran.stderr).toEqual([code, []]);
      expect(ran.stderr).toContain("nothing was sent\n");
    }
    const without = await cappedRelayer(ENOUGH, journal).run("tx bump evm-1 tx-1 --yes");
    expect(sent(without), without.stderr).toEqual(["PUT"]);
  });

  test("a journal that lost no line, unless the user knows what was lost", async () => {
    const fault = { file: "2026-10.ndjson", line: 2, what: "removed", words: "line 2 was removed" } as const;
    const journal = { ...memoryJournal(), verify: async () => ({ files: 1, lines: 3, fault }) };
    for (const line of [BUMP, `${BUMP} --dry-run`, "relayers unstick evm-1 --raise-cap --yes"]) {
      const ran = await cappedRelayer({}, journal).run(line);
      expect([ran.exitCode, sent(ran)], ran.stderr).toEqual([74, []]);
      expect(ran.stderr).toContain("line 2 was removed");
      expect(ran.stderr).toContain("--even-if-journal-lost-lines");
    }
    const known = await cappedRelayer({}, journal).run(`${BUMP} --even-if-journal-lost-lines`);
    expect([known.exitCode, sent(known)], known.stderr).toEqual([3, []]);
    expect(sent(await cappedRelayer({}, journal).run("tx cancel evm-1 tx-1 --yes"))).toEqual(["DELETE"]);
  });

  test("without a journal, a second run is refused, and a folder that cannot be written does not matter", async () => {
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
    const busy = () => Promise.reject(new RelayctlError("conflict", "another process holds its lock"));
    const locked = await cappedRelayer(ENOUGH, { ...memoryJournal(), exclusively: busy }).run(BUMP, { env });
    expect([locked.exitCode, sent(locked)]).toEqual([6, []]);
    const full = () => Promise.reject(new RelayctlError("io", "the disk is read-only"));
    const ran = await cappedRelayer(ENOUGH, { ...memoryJournal(), exclusively: full }).run(BUMP, { env });
    expect([ran.exitCode, sent(ran)], ran.stderr).toEqual([0, ["PUT"]]);
    expect(ran.stderr).not.toContain("note: other runs");
  });
});

describe("the question", () => {
  const ask = async (line: string, env?: Record<string, string>) => {
    const ran = await cappedRelayer().run(line, { terminal: true, answers: [false], ...(env && { env }) });
    expect(sent(ran)).toEqual([]);
    return ran.stderr;
  };

  test("says what others may pay meanwhile", async () => {
    const shown = await ask("tx bump evm-1 tx-1 --raise-cap");
    expect(shown).toMatch(/^ {2}cap +11.5 gwei, raised to 13.31 gwei$/m);
    expect(shown).toContain(
      "gas_price_cap of evm-1 is raised from 11.5 gwei to 13.31 gwei until the bump is on its way\n",
    );
    expect(shown).toContain("other transactions of evm-1 may pay up to 13.31 gwei meanwhile\n");
    expect(shown).not.toContain("no journal");
    const repeated = await ask("tx bump evm-1 tx-1 --raise-cap --until mined --max-price 20gwei");
    expect(repeated).toContain("further bumps raise it as far as they need, to 20 gwei at most\n");
  });

  test("says that a cap that is kept stays raised", async () => {
    const shown = await ask("tx bump evm-1 tx-1 --raise-cap --keep-raised");
    expect(shown).toContain("from 11.5 gwei to 13.31 gwei, and stays raised\n");
    expect(shown).toContain("other transactions of evm-1 may pay up to 13.31 gwei\n");
  });

  test("without a journal, says what a kill leaves behind", async () => {
    const shown = await ask("tx bump evm-1 tx-1 --raise-cap", { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN });
    expect(shown).toContain(
      `no journal is kept: if this process is killed, the cap stays raised; restore it with: ${RESTORE}\n`,
    );
  });
});

describe("a cap that a killed run left raised", () => {
  /** The world of a run that was killed after its request to raise the cap, with or without its outcome. */
  async function killed({ hasOutcome = true, cap = RAISED as bigint | null, ago = 0 } = {}) {
    const whole = cappedRelayer();
    await whole.run(BUMP);
    const [intent, outcome] = whole.journal.entries;
    if (!intent || !outcome) throw new Error("the cap was not raised");
    const time = new Date(Date.parse(intent.time) - ago).toISOString();
    const ids = { id: "40000000-0000-4000-8000-000000000001", run: "50000000-0000-4000-8000-000000000001" };
    const entries = [{ ...intent, ...ids, time }, ...(hasOutcome ? [{ ...outcome, ...ids }] : [])];
    const journal = memoryJournal({ entries });
    return cappedRelayer({ cap }, journal);
  }

  test("is listed as not restored, and restored by history settle", async () => {
    const { run, relayer, patches } = await killed();
    const listed = await run("history list -o json");
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { operation: "relayers.update", applied: "yes", restored: false },
    ]);
    const table = await run("history list", { terminal: true });
    expect(table.stdout).toContain("yes, not restored");
    const settled = await exited(0, run("history settle -o json"));
    expect(JSON.parse(settled.stdout)).toMatchObject([{ restored: true, why: null, next: null }]);
    expect([patches, relayer.cap]).toEqual([[OLD], OLD]);
    expect(settled.stderr).toContain("gas_price_cap of evm-1 is 11.5 gwei again\n");
    const later = await run("history list -o json");
    expect(JSON.parse(later.stdout).map(({ restored }: { restored: unknown }) => restored)).toEqual([null, true]);
    const shown = await run(`history show ${JSON.parse(listed.stdout)[0].run} -o json`);
    expect(JSON.parse(shown.stdout).writes).toMatchObject([{ restored: true }]);
    expect(JSON.parse((await run("history settle -o json")).stdout)).toEqual([]);
  });

  test("is restored if the outcome of the request that raised it is unknown", async () => {
    const { run, relayer } = await killed({ hasOutcome: false });
    await exited(0, run("history settle -o json"));
    expect(relayer.cap).toBe(OLD);
  });

  test("is waited for if the request that raises it may still arrive, but not forever", async () => {
    const soon = await killed({ hasOutcome: false, cap: OLD });
    const settled = await soon.run("history settle -o json");
    expect([settled.exitCode, soon.patches]).toEqual([13, []]);
    expect(JSON.parse(settled.stdout)).toMatchObject([
      { restored: false, why: "the request that raises it may still arrive", next: RESTORE },
    ]);
    expect(settled.stderr).toContain("1 cap may yet be raised");
    expect((await soon.run(BUMP)).exitCode).toBe(6);
    const later = await killed({ hasOutcome: false, cap: OLD, ago: 600_000 });
    expect((await later.run("history settle")).exitCode).toBe(13);
    expect((await later.run(BUMP)).exitCode).toBe(0);
  });

  test("is left as it is if somebody changed it, and the next run may raise it", async () => {
    const { run, patches } = await killed({ cap: 12n * 10n ** 9n });
    const settled = await run("history settle");
    expect([settled.exitCode, patches]).toEqual([0, []]);
    expect(settled.stderr).toContain("note: gas_price_cap of evm-1 was changed to 12 gwei in the meantime");
    expect((await run(BUMP)).exitCode).toBe(0);
  });

  test("is reported with the command that restores it if that fails", async () => {
    const { journal } = await killed();
    const failing = cappedRelayer({ cap: RAISED, fates: ["lost"] }, journal);
    const settled = await exited(13, failing.run("history settle -o json"));
    expect(JSON.parse(settled.stdout)).toMatchObject([{ restored: false, next: RESTORE }]);
    expect(settled.stderr).toContain("1 cap is still raised");
    expect((await cappedRelayer({}, journal).run(BUMP)).exitCode).toBe(6);
  });

  test("is not called raised where it could not be read", async () => {
    const { journal } = await killed();
    const service = () => Promise.reject(new TransportFailure("connect", "refused", { sent: false }));
    const settled = await exited(13, cappedRelayer({}, journal).run("history settle", { service }));
    expect(settled.stderr).toContain("1 cap may still be raised");
    expect(settled.stderr).toContain(RESTORE);
  });

  test.each([RAISED, OLD, 12n * 10n ** 9n])(
    "is read, and not restored, in a protected context: %d wei",
    async (cap) => {
      const { journal } = await killed();
      const prod = { server: SERVER, token: TOKEN, protected: true };
      const world = { env: {}, config: { version: 1 as const, contexts: { prod } } };
      const { run, patches } = cappedRelayer({ cap }, journal);
      const settled = await run("history settle -c prod", world);
      expect([settled.exitCode, patches], settled.stderr).toEqual([cap === RAISED ? 13 : 0, []]);
      expect(settled.stderr.includes("1 cap is still raised")).toBe(cap === RAISED);
    },
  );

  test("is named by every command that sends a transaction again, and by doctor, unless its process runs", async () => {
    const { journal, run } = await killed();
    const words = /^warning: run 50000000-.* may have left gas_price_cap of evm-1 raised; it was 11.5 gwei before; /m;
    for (const line of [
      "bump evm-1 tx-1",
      "cancel evm-1 tx-1",
      "cancel-pending evm-1",
      "replace evm-1 tx-1 --inherit --speed fast",
    ]) {
      const { stderr } = await run(`tx ${line} --yes`);
      expect(stderr, line).toMatch(words);
      expect(stderr, line).toContain("restore it: relayctl history settle\n");
    }
    expect((await run("relayers unstick evm-1 --yes")).stderr).toMatch(words);
    expect((await run("relayers unstick evm-1 --raise-cap --yes")).exitCode).toBe(6);
    expect((await run("doctor")).stdout).toMatch(/JOURNAL-UNKNOWN.*may have left gas_price_cap of evm-1 raised/);
    journal.running.add(4711);
    const [raise] = journal.entries;
    if (raise?.type === "intent") raise.pid = 4711;
    expect((await run("tx cancel evm-1 tx-1 --yes")).stderr).not.toMatch(words);
  });

  test.each([
    ["outcome", (entry: Entry) => entry.type === "outcome"],
    ["line", () => true],
  ])("is restored although no %s can be recorded, and the next run finds that out", async (_, isLost) => {
    const { journal } = await killed({ hasOutcome: false });
    const fault = (entry: Entry) => (isLost(entry) ? new RelayctlError("io", "the disk is full") : undefined);
    const full = cappedRelayer({ cap: RAISED }, memoryJournal({ entries: journal.entries, fault }));
    const settled = await exited(74, full.run("history settle -o json"));
    expect([full.patches, full.relayer.cap]).toEqual([[OLD], OLD]);
    expect(JSON.parse(settled.stdout)).toMatchObject([{ applied: "yes", restored: true }]);
    expect(settled.stderr).toMatch(/^warning: the outcome of run .* is not recorded: the disk is full$/m);
    const later = cappedRelayer({ cap: OLD }, memoryJournal({ entries: full.journal.entries }));
    await later.run("history settle");
    expect(later.patches).toEqual([]);
  });

  test("is left to a command that is running", async () => {
    const { journal } = await killed();
    const exclusively = () => Promise.reject(new RelayctlError("conflict", "another process holds its lock"));
    const busy = cappedRelayer({ cap: RAISED }, { ...journal, exclusively });
    const settled = await busy.run("history settle -o json");
    expect([settled.exitCode, busy.patches]).toEqual([13, []]);
    expect(JSON.parse(settled.stdout)).toMatchObject([{ why: "a running command may have raised it" }]);
  });
});
