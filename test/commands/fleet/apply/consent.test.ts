import type { JsonObject } from "../../../../src/contract/json.ts";
import type { Entry } from "../../../../src/journal/journal.ts";
import { cli, ends, exited, exits, SERVER, TOKEN, type World } from "../../../helpers/cli.ts";
import { sampled } from "../../../helpers/deep.ts";
import {
  apply,
  type FleetWorld,
  fleetWorld,
  HOOK,
  listsOf,
  outcomesOf,
  patchRelayer,
  relayerIn,
  writesOf,
} from "./world.ts";

const CAP = { policies: { gas_price_cap: 5_000_000_000 } };
const RESTRICTED = { policies: { whitelist_receivers: [`0x${"2".repeat(40)}`] } };

/** A world in which relayers lose the list of their receivers, which requires their ID. */
async function opening(...ids: readonly string[]): Promise<FleetWorld> {
  const world = fleetWorld({ lists: listsOf({ r9: CAP }) });
  for (const id of ids) await patchRelayer(world, id, RESTRICTED);
  return world;
}

function protectedWorld(world: FleetWorld): World {
  const contexts = { prod: { server: SERVER, token: TOKEN, protected: true } };
  return { ...world, env: {}, config: { version: 1, current: "prod", contexts } };
}

describe("on a terminal", () => {
  test.each([
    { ids: [], answer: true, question: "Apply 1 change in http://127.0.0.1:8080?" },
    { ids: ["r1"], answer: "r1", question: 'Apply 2 changes in http://127.0.0.1:8080? Type "r1" to confirm:' },
    {
      ids: ["r1", "r2"],
      answer: "3 changes",
      question: 'Apply 3 changes in http://127.0.0.1:8080? Type "3 changes" to confirm:',
    },
  ])("one question confirms all: $question", async ({ ids, answer, question }) => {
    const ran = await cli("apply -f config.json", { ...(await opening(...ids)), terminal: true, answers: [answer] });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, questions: [question] });
    expect(ran.writes).toHaveLength(ids.length + 1);
  });

  test("shows the plan above the question", async () => {
    const ran = await cli("apply -f config.json", { ...(await opening()), terminal: true, answers: [false] });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain("~ relayer r9\n    gas_price_cap  not set → 5 gwei\n");
  });

  test.each(["r2", "yes", ""])("%j does not confirm the ID r1", async (answer) => {
    const ran = await cli("apply -f config.json", { ...(await opening("r1")), terminal: true, answers: [answer] });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("a protected context requires its name", async () => {
    const world = protectedWorld(await opening("r1", "r2"));
    const ran = await cli("apply -f config.json", { ...world, terminal: true, answers: ["prod"] });
    expect(ran.questions).toEqual(['Apply 3 changes in prod? Type "prod" to confirm:']);
    expect(ran.exitCode).toBe(0);
  });

  test("nothing to apply asks nothing", () =>
    ends({ exitCode: 0, questions: [] }, "apply -f config.json", { ...fleetWorld(), terminal: true }));
});

describe("without a terminal", () => {
  test.each([
    { lists: { r9: CAP }, consent: "--confirm prod" },
    { lists: { r9: { paused: true } }, consent: "--yes" },
  ])("the hint in a protected context has the consent that suffices: $consent", async ({ lists, consent }) => {
    const world = protectedWorld(fleetWorld({ lists: listsOf(lists) }));
    const ran = await ends({ exitCode: 3, writes: [] }, "apply -f config.json", world);
    expect(ran.stderr).toContain(`hint: relayctl apply -f config.json ${consent}\n`);
    await ends({ exitCode: 0 }, `apply -f config.json ${consent}`, world);
  });

  test.each([
    { ids: ["r1"], confirm: "r1" },
    { ids: ["r1", "r2"], confirm: "3 changes" },
  ])("--yes does not suffice if $confirm has to be typed", async ({ ids, confirm }) => {
    const world = await opening(...ids);
    const ran = await ends({ exitCode: 3, writes: [] }, "apply -f config.json --yes", world);
    expect(ran.stderr).toContain(`--confirm ${confirm.includes(" ") ? `'${confirm}'` : confirm}\n`);
    expect(await cli(["apply", "-f", "config.json", "--confirm", "other"], world)).toMatchObject({
      exitCode: 3,
      writes: [],
    });
    await exits(0, ["apply", "-f", "config.json", "--confirm", confirm], world);
  });

  test("a saved plan is refused before anything is read, with the word that it requires", async () => {
    const world = await opening("r1", "r2");
    expect(await cli("plan -f config.json --out plan.json", world)).toMatchObject({ exitCode: 20 });
    const ran = await ends({ exitCode: 3, requests: [] }, "apply plan.json --yes", world);
    expect(ran.stderr).toContain("hint: relayctl apply plan.json --yes --confirm '3 changes'\n");
  });

  test("a protected context requires its name", async () => {
    const world = protectedWorld(await opening());
    expect(await cli("apply -f config.json --yes", world)).toMatchObject({ exitCode: 3, writes: [] });
    expect(await cli("apply -f config.json --confirm prod", world)).toMatchObject({ exitCode: 0 });
  });
});

describe("deletions", () => {
  /** A file without two of ten relayers, which leave signers that stay. */
  async function without(...ids: readonly string[]): Promise<FleetWorld> {
    const world = fleetWorld();
    const { relayers = [], ...others } = listsOf();
    const kept = relayers.filter(({ id }) => !ids.includes(String(id)));
    world.files["config.json"] = JSON.stringify({ ...others, relayers: kept });
    return world;
  }
  const FLAGS = ["apply", "-f", "config.json", "--prune"];

  test("what the files do not describe stays without --prune", async () =>
    ends({ exitCode: 0, writes: [] }, "apply -f config.json --yes", await without("r1", "r2")));

  test("a terminal requires their number, and each ID", async () => {
    const answers = [true, "2 deletions", "r1", "r2"];
    const ran = await exits(0, FLAGS, { ...(await without("r1", "r2")), terminal: true, answers });
    expect(ran.questions).toEqual([
      "Apply 2 changes in http://127.0.0.1:8080?",
      'Delete 2 resources? Type "2 deletions" to confirm:',
      'Delete relayer r1? Type "r1" to confirm:',
      'Delete relayer r2? Type "r2" to confirm:',
    ]);
    expect(writesOf(ran)).toEqual(["DELETE relayers/r1", "DELETE relayers/r2"]);
  });

  test.each([[true, "2 changes"], [true, "2 deletions", "r1", "r1"], [false]])(
    "%j deletes nothing",
    async (...answers) => {
      await ends({ exitCode: 3, writes: [] }, FLAGS, { ...(await without("r1", "r2")), terminal: true, answers });
    },
  );

  test.each([
    { flags: ["--yes"] },
    { flags: ["--confirm", "2 deletions"] },
    { flags: ["--yes", "--confirm", "1 deletion"] },
  ])("without a terminal, $flags does not suffice", async ({ flags }) => {
    const ran = await ends({ exitCode: 3, writes: [] }, [...FLAGS, ...flags], await without("r1", "r2"));
    expect(ran.stderr).toMatch(/--confirm '2 deletions'( --yes)?\n/);
  });

  test("without a terminal, --yes and their number delete them", async () => {
    const ran = await cli([...FLAGS, "--yes", "--confirm", "2 deletions", "-o", "json"], await without("r1", "r2"));
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(outcomesOf(ran)).toEqual(["relayers/r1 delete applied", "relayers/r2 delete applied"]);
  });

  test("together with changes that require an ID, both words are typed", async () => {
    const world = await without("r1");
    await patchRelayer(world, "r3", RESTRICTED);
    const ran = await exits(0, [...FLAGS, "--yes", "--confirm", "r3, 1 deletion"], world);
    expect(writesOf(ran)).toEqual(["PATCH relayers/r3", "DELETE relayers/r1"]);
  });

  test("more than a fifth of the relayers are refused, with nothing sent", async () => {
    const world = await without("r1", "r2", "r3");
    const ran = await ends({ exitCode: 2, writes: [] }, [...FLAGS, "--yes", "--confirm", "3 deletions"], world);
    expect(ran.stderr).toContain("--prune: would delete 3 of 10 relayers, more than a fifth");
    expect(await relayerIn(world, "r1")).toBeDefined();
  });

  test("a saved plan with deletions requires --prune", async () => {
    const world = await without("r1");
    expect(await cli("plan -f config.json --prune --out plan.json", world)).toMatchObject({ exitCode: 20 });
    expect(await cli("apply plan.json --yes --confirm '1 deletion'", world)).toMatchObject({
      exitCode: 2,
      requests: [],
    });
    await exits(0, "apply plan.json --prune --yes --confirm '1 deletion'", world);
    expect(await cli("apply plan.json --prune --yes --confirm '1 deletion'", world)).toMatchObject({
      exitCode: 0,
      writes: [],
    });
  });

  test("a relayer that changed since the plan was created is not deleted", async () => {
    const world = await without("r1");
    await cli("plan -f config.json --prune --out plan.json", world);
    await patchRelayer(world, "r1", { paused: true });
    expect(await cli("apply plan.json --prune --yes --confirm '1 deletion'", world)).toMatchObject({
      exitCode: 6,
      writes: [],
    });
  });
});

const HOOKS = `{"notifications": [
  {"id": "new-hook", "type": "webhook", "url": "https://new.example.org", "signing_key": {"type": "env", "value": "HOOK_KEY"}},
  {"id": "open-hook", "type": "webhook", "url": "https://your-host.example.org"},
  {"id": "audit-log", "type": "webhook", "url": "https://audit.example.org/moved"},
  {"id": "ops-hook", "type": "webhook", "url": "https://hooks.example.org/relayers/ops", "signing_key": "\${env:OPS_KEY}"}
], "networks": "./gone"}`;
const REASONS = [
  ["new-hook", "cannot create notification new-hook: set HOOK_KEY"],
  ["open-hook", "cannot create notification open-hook: fill in url"],
  ["./gone", "networks not compared; looked in gone, ../gone"],
];

function world(more: object = {}) {
  return { env: {}, files: { "c.json": HOOKS }, ...more };
}

test("a plan has a row for what is unfinished, and the rest", async () => {
  const { stdout, exitCode, stderr } = await cli("--demo plan -f c.json -o json", world());
  const { changes, cannot, not_compared } = JSON.parse(stdout);
  expect(exitCode).toBe(20);
  expect(cannot.map(({ id, reason }: Record<string, string>) => [id, reason])).toEqual(REASONS);
  expect(changes).toMatchObject([{ action: "update", id: "audit-log" }]);
  expect(not_compared).toContainEqual(
    expect.objectContaining({ id: "ops-hook", path: "signing_key", reason: "OPS_KEY is not set" }),
  );
  expect(stderr).toContain("3 cannot be changed");
});

test.each(["drift", "plan"])("%s prints the rows in a pipe", async (verb) => {
  const { stdout } = await cli(`--demo ${verb} -f c.json --fields action,id,path,reason`, world());
  expect(stdout).toContain(`cannot\tnew-hook\t\t${REASONS[0]?.[1]}\n`);
});

test("a URL with a variable that is not set is compared by its origin, and shows no credentials", async () => {
  const relayer = '"id": "base-hot", "name": "Base hot", "network": "base", "network_type": "evm", "paused": false';
  const rest =
    '"signer_id": "signer-base", "notification_id": "ops-hook", "policies": {"gas_price_cap": 5000000000, "min_balance": 50000000000000000}';
  const fileWith = (url: string) => `{"relayers": [{${relayer}, ${rest}, "custom_rpc_urls": ["${url}"]}]}`;
  const planned = async (url: string) => {
    const { stdout, exitCode } = await cli(
      "--demo plan -f c.json -o json",
      world({ files: { "c.json": fileWith(url) } }),
    );
    expect(stdout).not.toContain("canary");
    return { exitCode, ...(JSON.parse(stdout) as { not_compared: object[]; cannot: object[] }) };
  };
  for (const url of [`https://base.rpc.example.org/v2/$\{env:RPC_KEY}`, `$\{env:RPC_KEY}`])
    expect(await planned(url)).toMatchObject({ exitCode: 0, not_compared: [{ reason: "RPC_KEY is not set" }] });
  expect(await planned(`https://user:canary-word@other.example.org/v2/$\{env:RPC_KEY}`)).toMatchObject({
    exitCode: 20,
    cannot: [{ path: "custom_rpc_urls", reason: "set RPC_KEY" }],
  });
});

test("--send-hidden needs the value that it sends", async () => {
  const { stdout } = await cli("--demo plan -f c.json --send-hidden --fields action,id,path,reason", world());
  expect(stdout).toContain("cannot\tops-hook\tsigning_key\tset OPS_KEY\n");
});

test("apply does the rest and exits with 12, and with 6 if there is none", async () => {
  const { exitCode, stdout, writes } = await cli("--demo apply -f c.json --yes --fields id,outcome,reason", world());
  expect({ exitCode, writes: writes.length }).toEqual({ exitCode: 12, writes: 1 });
  for (const [id, reason] of REASONS) expect(stdout).toContain(`${id}\tcannot\t${reason}\n`);
  const files = { "c.json": '{"notifications": [{"id": "open-hook", "type": "webhook", "url": ""}]}' };
  expect(await cli("--demo apply -f c.json --yes", world({ files }))).toMatchObject({ exitCode: 6, writes: [] });
});

test("a newer service is compared, and what it has more is named", async () => {
  const files = {
    "c.json":
      '{"notifications": [{"id": "audit-log", "type": "webhook", "url": "https://audit.example.org/relayer-events", "retries": 3}]}',
  };
  const refused = await cli("--demo plan -f c.json", world({ files }));
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--allow-unknown") });
  const allowed = await exits(0, "--demo plan -f c.json --allow-unknown", world({ files }));
  expect(allowed.stderr).toContain(
    "note: c.json:1:110: not compared: notifications.0.retries is unknown to relayctl 0.1\n",
  );
});

const KEY = `\${env:KEY}`;
const URL = "https://rpc.example.org/v3/key-of-a-provider-0001";
const CASES: Readonly<Record<string, { changes: JsonObject; hook: JsonObject; write: string }>> = {
  "a signing key": { changes: {}, hook: { ...HOOK, signing_key: KEY }, write: "PATCH notifications/ops" },
  "a name": { changes: { r1: { name: "other" } }, hook: HOOK, write: "PATCH relayers/r1" },
  "a pause": { changes: { r1: { paused: true } }, hook: HOOK, write: "PATCH relayers/r1" },
  "a policy": { changes: { r1: { policies: { gas_price_cap: 7 } } }, hook: HOOK, write: "PATCH relayers/r1" },
  "a whitelist": {
    changes: { r1: { policies: { whitelist_receivers: ["0x1111111111111111111111111111111111111111"] } } },
    hook: HOOK,
    write: "PATCH relayers/r1",
  },
  "the URL of a notification": {
    changes: {},
    hook: { ...HOOK, url: "https://other.example.org" },
    write: "PATCH notifications/ops",
  },
  "RPC URLs": { changes: { r1: { custom_rpc_urls: [URL] } }, hook: HOOK, write: "PATCH relayers/r1" },
};

test.each(sampled(Object.entries(CASES), 2))(
  "%s whose last write has no known outcome are sent again",
  async (name, each) => {
    const lists = listsOf(each.changes as Record<string, JsonObject>, { notifications: [each.hook as JsonObject] });
    for (const isKilled of [true, false]) {
      const world = fleetWorld({ lists, isJournaled: true, isReal: true });
      expect(writesOf(await apply(world))).toEqual([each.write]);
      const { entries } = world.journal;
      const found = entries.flatMap((entry, index) => (entry.type === "outcome" ? [index] : []));
      for (const index of found.reverse())
        entries.splice(index, 1, ...(isKilled ? [] : [{ ...entries[index], applied: "unknown" } as Entry]));
      const plan = await exits(20, "plan -f config.json -o json", world);
      const [change] = JSON.parse(plan.stdout).changes;
      // What the service returns looks equal; a key and a URL never do.
      const looksEqual = name !== "a signing key" && name !== "RPC URLs";
      expect(change.effects.some((effect: string) => effect.includes("is sent again"))).toBe(looksEqual);
      expect(await cli("drift -f config.json", world)).toMatchObject({ exitCode: 20 });
      const again = await exited({ exitCode: 0 }, apply(world));
      expect(writesOf(again)).toEqual([each.write]);
      expect(await cli("plan -f config.json", world)).toMatchObject({ exitCode: 0 });
      expect(writesOf(await apply(world))).toEqual([]);
    }
  },
);

test("an apply without changes says what was not compared", async () => {
  const lists = listsOf({}, { notifications: [{ ...HOOK, signing_key: KEY }] });
  const world = fleetWorld({ lists, isJournaled: true, isReal: true });
  await apply(world);
  world.journal.entries.length = 0;
  const ran = await exited({ exitCode: 0, writes: [] }, apply(world));
  expect(ran.stderr).toContain(
    "config.json matches the service: 21 resources (1 hidden value not compared; plan -v lists them)",
  );
});
