import type { Config } from "../../../src/config/config.ts";
import { RelayctlError } from "../../../src/errors.ts";
import type { Intent, WriteOutcome } from "../../../src/journal/journal.ts";
import { cli, ends, exits, SERVER, says, TOKEN, type World } from "../../helpers/cli.ts";
import { type MemoryJournal, memoryJournal } from "../../helpers/memory/journal.ts";
import { writtenService } from "../../helpers/service/written.ts";
import { intent, outcome } from "../../journal/entries.ts";

const RECEIVER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const PAUSE = "relayers pause eth-main-1 -c prod";

function configWith(more: Partial<Config["contexts"][string]> = {}): Config {
  return { version: 1, contexts: { prod: { server: SERVER, token: TOKEN, ...more } } };
}

function worldWith(more: World = {}): World & { journal: MemoryJournal } {
  return { env: {}, config: configWith(), journal: memoryJournal(), ...more } as World & { journal: MemoryJournal };
}

function linesOf({ journal }: { journal: MemoryJournal }): [Intent, WriteOutcome] {
  return journal.entries as [Intent, WriteOutcome];
}

function fullJournal(): MemoryJournal {
  return memoryJournal({ fault: () => new RelayctlError("io", "journal: no space is left on the device") });
}

describe("a write", () => {
  test("leaves its intent and its outcome", async () => {
    const world = worldWith();
    await exits(0, "relayers update eth-main-1 --name treasury -c prod --diff --reason 'new owner'", world);
    const [intent, outcome] = linesOf(world);
    expect(world.journal.entries).toHaveLength(2);
    expect(intent).toMatchObject({
      type: "intent",
      user: "ada",
      host: "console",
      context: "prod",
      server: SERVER,
      command: "relayctl relayers update eth-main-1 --name treasury -c prod --diff --reason 'new owner'",
      operation: "relayers.update",
      kind: "patch",
      method: "PATCH",
      target: "/api/v1/relayers/eth-main-1",
      ids: { relayer_id: "eth-main-1" },
      body: { name: "treasury" },
      before: { id: "eth-main-1" },
      reason: "new owner",
    });
    expect(outcome).toMatchObject({ id: intent.id, run: intent.run, applied: "yes", after: { name: "treasury" } });
  });

  test("that is refused leaves the failure", async () => {
    const world = worldWith();
    const ran = await cli("relayers update base-hot --name x -c prod", { ...world, seed: "demo" });
    const missing = await cli("tx cancel eth-main-1 00000000-0000-4000-8000-999999999999 -c prod --yes", world);
    expect([ran.exitCode, missing.exitCode]).toEqual([0, 5]);
    const outcomes = world.journal.entries.filter((entry) => entry.type === "outcome");
    for (const outcome of outcomes) expect(outcome.applied).toMatch(/^(?:yes|no)$/);
  });

  test("of a transaction leaves its ID, and the hash from before a replacement", async () => {
    const world = worldWith();
    await cli(`tx send base-hot --to ${RECEIVER} --value 1wei --gas-limit 21000 --speed fast -c prod --yes`, world);
    const [intent, outcome] = linesOf(world);
    expect(intent).toMatchObject({ operation: "tx.send", kind: "once", body: { to: RECEIVER } });
    expect(world.journal.synced).toEqual([intent]);
    expect(outcome.after).toMatchObject({ id: expect.any(String), status: "pending" });
  });

  test("shows whether the ID of a new resource was generated for it", async () => {
    const world = worldWith();
    await cli("notifications create --url https://hooks.example.org/a -c prod", world);
    await cli("notifications create --id typed --url https://hooks.example.org/a -c prod", world);
    const intents = world.journal.entries.filter(({ type }) => type === "intent");
    expect(intents).toMatchObject([{ ownId: true, body: { id: expect.any(String) } }, { body: { id: "typed" } }]);
    expect(intents[1]).not.toHaveProperty("ownId");
  });

  test("in a pause of many shares one run", async () => {
    const world = worldWith();
    await cli("relayers pause --all -c prod --yes --confirm 6", world);
    const runs = new Set(world.journal.entries.map(({ run }) => run));
    expect(runs.size).toBeLessThanOrEqual(1);
    const intents = world.journal.entries.filter(({ type }) => type === "intent");
    expect(world.journal.entries).toHaveLength(2 * intents.length);
  });
});

describe("no line of the journal", () => {
  test("contains a signing key, neither of the body nor of the command", async () => {
    const key = "k3y-".repeat(12);
    const world = worldWith({ files: { "key.txt": key } });
    await cli(
      "notifications create --id ops --url https://hooks.example.org/T0/secret-path --signing-key-file key.txt -c prod",
      world,
    );
    expect(world.journal.entries).toHaveLength(2);
    expect(JSON.stringify(world.journal.entries)).not.toContain(key);
    expect(linesOf(world)[0].body).toMatchObject({ signing_key: expect.stringMatching(/^hmac:[0-9a-f]{16}$/) });
    expect(linesOf(world)[0].command).toContain("https://hooks.example.org/***");
  });

  test("contains the path of an RPC URL", async () => {
    const world = worldWith();
    await cli(
      "relayers update eth-main-1 --rpc-url https://rpc.example.org/v3/0123456789abcdef0123 -c prod --yes",
      world,
    );
    expect(world.journal.entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(world.journal.entries)).not.toContain("0123456789abcdef0123");
  });

  test("contains a secret in a plugin's config, or the config before", async () => {
    const files = { "config.json": '{"api_key":"plugin-secret-1"}' };
    const world = worldWith({ files, service: writtenService("plugins") });
    await cli("plugins update rebalance --config config.json --emit-logs -c prod --diff", world);
    const [{ body, before }] = linesOf(world);
    expect(body).toEqual({ config: { api_key: expect.stringMatching(/^hmac:/) }, emit_logs: true });
    expect(before).toEqual({ id: "rebalance", emit_logs: false });
    expect(JSON.stringify(world.journal.entries)).not.toContain("plugin-secret");
  });

  test("contains what a plugin calls a secret", async () => {
    const world = worldWith({
      files: { "body.json": '{"apiKey":"plugin-secret-1","options":{"token":"plugin-secret-2"}}' },
    });
    await cli("plugins call sweeper -f body.json -c prod --yes", world);
    expect(world.journal.entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(world.journal.entries)).not.toContain("plugin-secret");
  });
});

describe("a journal that cannot be written", () => {
  test("leads to a warning, and the write is sent", async () => {
    const world = worldWith({ journal: fullJournal() });
    const ran = await ends({ exitCode: 0, writes: [{ method: "PATCH" }] }, PAUSE, world);
    expect(ran.stderr).toContain("warning: this write is not recorded: journal: no space is left on the device");
  });

  test("leads to a warning for each thing that is missing", async () => {
    let appended = 0;
    const full = new RelayctlError("io", "journal: no space is left on the device");
    const journal = memoryJournal({ fault: () => (++appended > 1 ? full : undefined) });
    const ran = await cli(
      "relayers pause eth-main-1 polygon-bulk --concurrency 1 -c prod --yes",
      worldWith({ journal }),
    );
    expect(ran.writes).toHaveLength(2);
    expect(ran.stderr).toContain("warning: its outcome is not recorded");
    expect(ran.stderr).toContain("warning: this write is not recorded");
  });

  test("of many whose outcome is not recorded is warned of, even if a later one is recorded first", async () => {
    const journal = memoryJournal();
    const failing = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new RelayctlError("io", "journal: no space is left on the device");
    };
    let outcomes = 0;
    const slow: MemoryJournal = {
      ...journal,
      append: (entry, options) =>
        entry.type === "outcome" && ++outcomes === 1 ? failing() : journal.append(entry, options),
    };
    const world = worldWith({ journal: slow });
    const { stderr } = await exits(0, "relayers update eth-main-1 base-hot --name x -c prod --yes", world);
    expect(stderr).toContain("warning: its outcome is not recorded: journal: no space is left on the device");
  });

  test("refuses the write if the context requires it", async () => {
    const world = worldWith({ config: configWith({ journal: "required" }), journal: fullJournal() });
    await says({ exitCode: 74, writes: [] }, PAUSE, "nothing was sent", world);
  });

  test("refuses the write if it is turned off while the context requires it", async () => {
    const world = worldWith({ config: configWith({ journal: "required" }), env: { RELAYCTL_JOURNAL: "off" } });
    await cli(PAUSE, world);
    expect(world.journal.entries).toHaveLength(2);
  });
});

describe("the journal", () => {
  test("is off if server and token come from variables", async () => {
    const journal = memoryJournal();
    await cli("relayers pause eth-main-1", { journal });
    expect(journal.entries).toEqual([]);
  });

  test("is in the folder of a variable, and contains the CI job", async () => {
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "/srv/journal" };
    const world = worldWith({ env: { ...env, CI_JOB_URL: "https://ci.example.org/jobs/7" } });
    await cli("relayers pause eth-main-1", world);
    expect(linesOf(world)[0]).toMatchObject({ ci: "https://ci.example.org/jobs/7" });
    expect(linesOf(world)[0].context).toBeUndefined();
  });

  test("can be turned off", async () => {
    const world = worldWith({ env: { RELAYCTL_JOURNAL: "off" } });
    await cli(PAUSE, world);
    expect(world.journal.entries).toEqual([]);
  });

  test("of the demo is its own", async () => {
    const world = worldWith({ env: {} });
    await cli("relayers pause eth-main-1 --demo", world);
    expect(linesOf(world)[0]).toMatchObject({ context: "demo" });
  });
});

describe("a context that requires reasons", () => {
  const config = configWith({ require_reason: true });

  test("refuses a write without one before anything is read", () =>
    says({ exitCode: 2, requests: [] }, PAUSE, "--reason", worldWith({ config })));

  test("refuses any other request that writes too", async () => {
    const world = worldWith({ config, files: { "body.json": '{"paused":true}' } });
    await ends({ exitCode: 2, writes: [] }, "api PATCH /relayers/eth-main-1 -f body.json -c prod --yes", world);
  });

  test("refuses a reason of blanks", () =>
    ends({ exitCode: 2, requests: [] }, [...PAUSE.split(" "), "--reason", " "], worldWith({ config })));

  test("prompts for the reason on a terminal, before the confirmation", async () => {
    const world = worldWith({ config, terminal: true, answers: ["night drill", true] });
    const ran = await cli(`tx send base-hot --to ${RECEIVER} --value 1wei --speed fast -c prod`, world);
    expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "POST" }] });
    expect(ran.questions[0]).toBe("Reason for this change in prod:");
    expect(ran.questions).toHaveLength(2);
    expect(linesOf(world)[0]).toMatchObject({ reason: "night drill" });
  });

  test("prompts for the reason of any other request that writes", async () => {
    const files = { "body.json": '{"paused":true}' };
    const world = worldWith({ config, files, terminal: true, answers: ["drill", true] });
    const ran = await cli("api PATCH /relayers/eth-main-1 -f body.json -c prod", world);
    expect([ran.exitCode, ran.questions[0]]).toEqual([0, "Reason for this change in prod:"]);
    expect(linesOf(world)[0]).toMatchObject({ reason: "drill" });
    const read = await cli("api GET /relayers/eth-main-1 -c prod", worldWith({ config, terminal: true }));
    expect(read).toMatchObject({ exitCode: 0, questions: [] });
  });

  test("requires no reason in a dry run", () =>
    ends({ exitCode: 0, requests: [] }, `${PAUSE} --dry-run`, worldWith({ config })));

  test("reads and writes with a reason", async () => {
    expect(await cli("relayers list -c prod", worldWith({ config }))).toMatchObject({ exitCode: 0 });
    expect(await cli([...PAUSE.split(" "), "--reason", "drill"], worldWith({ config }))).toMatchObject({ exitCode: 0 });
  });
});

test("a command that writes nothing takes no reason", () => exits(2, "relayers list --reason x", {}));

const TX = "7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f";
const WAS = `0x${"ab".repeat(32)}`;
const config = { version: 1 as const, contexts: { prod: { server: SERVER, token: TOKEN } } };

async function journalWith(...applied: ("yes" | "no" | "unknown")[]): Promise<MemoryJournal> {
  const journal = memoryJournal();
  for (const [index, word] of applied.entries()) {
    const id = `write-${index}`;
    const before = { id: TX, hash: index === 0 ? WAS : `0x${String(index).repeat(64)}` };
    const ids = { relayer_id: "eth-main-1", transaction_id: TX };
    await journal.append(intent(id, { operation: "tx.replace", kind: "once", ids, before }));
    await journal.append(outcome(id, { applied: word }));
  }
  return journal;
}

async function lookedUp(line: string, journal: MemoryJournal): Promise<string[]> {
  const { requests } = await cli(line, { env: {}, config, journal });
  return requests.flatMap(
    ({ body = "" }) => /"eth_getTransactionByHash","params":\["(0x[0-9a-f]+)"/.exec(body)?.[1] ?? [],
  );
}

describe("the hash from before a replacement in the journal", () => {
  test("is looked up on the chain without --was", async () => {
    expect(await lookedUp(`tx get eth-main-1 ${TX} --on-chain -c prod`, await journalWith("yes"))).toContain(WAS);
    expect(await lookedUp(`tx wait eth-main-1 ${TX} -c prod --deadline 1s`, await journalWith("yes"))).toContain(WAS);
  });

  test("of a replacement that was refused is not the previous one", async () => {
    const journal = await journalWith("yes", "no");
    const ran = await cli(`tx get eth-main-1 ${TX} -c prod --on-chain`, { env: {}, config, journal });
    expect(ran.stderr).toContain("the hash changed");
    expect(await lookedUp(`tx get eth-main-1 ${TX} -c prod --on-chain`, await journalWith("no"))).toContain(WAS);
  });
});

test("a journal that cannot be read does not keep a transaction from being shown", async () => {
  const journal = memoryJournal();
  journal.find = () => Promise.reject(new RelayctlError("io", "journal: cannot be read"));
  expect(await cli(`tx get eth-main-1 ${TX} -c prod`, { env: {}, config, journal })).toMatchObject({ exitCode: 0 });
});

test("the receipt of a replacement says that the journal has the hash from before", async () => {
  const replace = `tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 1wei --gas-limit 21000 --speed fast -c prod --yes`;
  const kept = await cli(replace, { env: {}, config });
  const off = await cli(replace, { env: { RELAYCTL_JOURNAL: "off" }, config });
  expect([kept.exitCode, off.exitCode]).toEqual([0, 0]);
  expect(kept.stderr).toContain("previous hash saved in the journal");
  expect(off.stderr).not.toContain("journal");
});
