import { cli, ends, exited, printedError } from "../../../helpers/cli.ts";
import {
  apply,
  described,
  fleetWorld,
  HOOK,
  listsOf,
  outcomesOf,
  patchRelayer,
  RELAYER_IDS,
  refusing,
  relayer,
  relayerIn,
  SIGNERS,
  signer,
  writesOf,
} from "./world.ts";

const CAP = { policies: { gas_price_cap: 5_000_000_000 } };

describe("the order", () => {
  const lists = listsOf(
    { r1: CAP, r0: { notification_id: "new-hook" } },
    {
      notifications: [HOOK, { id: "new-hook", type: "webhook", url: "https://new.example.org" }],
      signers: [...SIGNERS, signer("kms-2")],
      plugins: [{ id: "sweep", path: "sweep.ts", timeout: 30 }],
    },
  );
  lists.relayers?.push(described("a-new", { signer_id: "kms-2", notification_id: "new-hook" }));

  test("what others refer to is written first, each resource once", async () => {
    const ran = await exited({ exitCode: 0 }, apply(fleetWorld({ lists }), "-f config.json --yes --concurrency 1"));
    expect(writesOf(ran)).toEqual([
      "POST notifications",
      "POST signers",
      "PATCH plugins/sweep",
      "POST relayers",
      "PATCH relayers/r0",
      "PATCH relayers/r1",
    ]);
    expect(outcomesOf(ran)).toEqual([
      "notifications/new-hook create applied",
      "signers/kms-2 create applied",
      "plugins/sweep update applied",
      "relayers/a-new create applied",
      "relayers/r0 update applied",
      "relayers/r1 update applied",
    ]);
    expect(ran.stderr).toMatch(/^applied in \S+: 3 created, 3 changed$/m);
  });

  test.each([1, 8, 100])("waits for the nouns before, with %d requests at once", async (concurrency) => {
    const ran = await apply(fleetWorld({ lists, isReal: true }), `-f config.json --yes --concurrency ${concurrency}`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    const nouns = writesOf(ran).map((write) => write.split(/[ /]/)[1]);
    expect(nouns).toEqual(["notifications", "signers", "plugins", "relayers", "relayers", "relayers"]);
  });

  test("what depends on a failed change is skipped and named, and the next run does the rest", async () => {
    const world = fleetWorld({ lists, isReal: true });
    const ran = await exited(12, apply(world, undefined, { service: refusing(world, "POST", "/api/v1/signers") }));
    expect(outcomesOf(ran)).toEqual([
      "notifications/new-hook create applied",
      "signers/kms-2 create failed",
      "plugins/sweep update applied",
      "relayers/a-new create skipped",
      "relayers/r0 update applied",
      "relayers/r1 update applied",
    ]);
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({ applied: "yes", message: "4 of 6 changes applied, 1 failed, 1 skipped" });
    expect(error.details[1]).toEqual({
      ...{ where: "relayers/a-new", given: "skipped", rule: "needs signers/kms-2, which was not applied" },
    });
    expect(writesOf(await apply(world))).toEqual(["POST signers", "POST relayers"]);
  });
});

test("a file that is as the service needs no write, and says so", async () => {
  const ran = await ends({ exitCode: 0, stdout: "", writes: [] }, "apply -f config.json --yes", fleetWorld());
  expect(ran.stderr).toContain("config.json matches the service: 21 resources\n");
});

test.each([
  { isReal: false, isJournaled: false },
  { isReal: true, isJournaled: true },
])("a second run sends no write (%o)", async (options) => {
  const world = fleetWorld({ ...options, lists: listsOf({ r1: CAP, r2: { name: "Other", paused: true } }) });
  await exited({ exitCode: 0 }, apply(world));
  expect(await relayerIn(world, "r2")).toMatchObject({ name: "Other", paused: true });
  await exited({ exitCode: 0, stdout: "[]\n", writes: [] }, apply(world));
  expect((await cli("plan -f config.json", world)).exitCode).toBe(0);
});

describe("disabled relayers", () => {
  const lists = listsOf({ r1: CAP, r2: CAP });

  test("are skipped, and the others changed", async () => {
    const world = fleetWorld({ lists });
    await patchRelayer(world, "r1", { system_disabled: true });
    const ran = await exited({ exitCode: 12 }, apply(world));
    expect(outcomesOf(ran)).toEqual(["relayers/r1 update disabled", "relayers/r2 update applied"]);
    expect(writesOf(ran)).toEqual(["PATCH relayers/r2"]);
    expect(ran.stderr).toMatch(/^applied in \S+: 1 changed, 1 skipped \(disabled\)$/m);
  });

  test("are a conflict if nothing else changes", async () => {
    const world = fleetWorld({ lists: listsOf({ r1: CAP }) });
    await patchRelayer(world, "r1", { system_disabled: true });
    const ran = await exited({ exitCode: 6, writes: [] }, apply(world));
    expect(outcomesOf(ran)).toEqual(["relayers/r1 update disabled"]);
  });
});

test("what no request can change is named, and the rest is applied", async () => {
  const world = fleetWorld({ lists: listsOf({ r1: { network: "mainnet" }, r2: CAP }) });
  const ran = await exited({ exitCode: 12 }, apply(world));
  expect(outcomesOf(ran)).toEqual(["relayers/r2 update applied", "relayers/r1 null cannot"]);
  expect(printedError(ran.stderr).details).toEqual([
    {
      where: "relayers/r1",
      given: "cannot",
      rule: "network: the service cannot change it: delete and create the relayer",
    },
  ]);
  const again = await exited({ exitCode: 6, writes: [] }, apply(world));
  expect(printedError(again.stderr).hint).toBeNull();
});

test("a dry run shows the requests, and sends none", async () => {
  const ran = await cli("apply -f config.json --dry-run", fleetWorld({ lists: listsOf({ r1: CAP }) }));
  expect(ran).toMatchObject({ exitCode: 0, writes: [] });
  expect(ran.stdout).toContain("PATCH /api/v1/relayers/r1\n");
  expect(ran.stdout).toContain('{"policies":{"gas_price_cap":5000000000}}\n');
});

test("the undo of changed relayers is printed if the journal has the run", async () => {
  const world = fleetWorld({ lists: listsOf({ r1: CAP, r2: CAP }), isJournaled: true });
  const ran = await apply(world, "-f config.json --yes --reason 'raise the caps'");
  expect(ran.stderr).toMatch(/^undo: relayctl undo 10000000-0000-4000-8000-\d+$/m);
  const intents = world.journal.entries.filter((entry) => entry.type === "intent");
  expect(intents).toMatchObject([{ reason: "raise the caps" }, { reason: "raise the caps" }]);
  expect(await cli("undo --yes", world)).toMatchObject({ exitCode: 0 });
  expect((await relayerIn(world, "r1"))?.policies).not.toMatchObject(CAP.policies);
});

test.each<[string, Parameters<typeof listsOf>, RegExp]>([
  ["URLs that the service masks", [{ r0: CAP }], /masks the previous custom_rpc_urls/],
  [
    "a value of a variable",
    [{ r1: { name: `\${env:NAME}`, paused: true, ...CAP } }],
    /what may be a key or a password/,
  ],
  [
    "two nouns",
    [{ r1: CAP }, { notifications: [{ ...HOOK, url: "https://new.example.org" }] }],
    /only relayers can be/,
  ],
])("no undo is printed that would be refused: %s", async (_, described, why) => {
  const world = fleetWorld({ lists: listsOf(...described), isJournaled: true });
  world.env.NAME = "named";
  const custom_rpc_urls = [{ url: "https://rpc.example.org/some-key", weight: 1 }];
  if (why.source.includes("masks")) await patchRelayer(world, "r0", { custom_rpc_urls });
  const ran = await exited(0, apply(world));
  expect(ran.stderr).toMatch(/^see: relayctl history show 10000000-\S+$/m);
  expect(ran.stderr).not.toMatch(/^undo:/m);
  await exited({ exitCode: 6, writes: [], stderr: expect.stringMatching(why) }, cli("undo --yes", world));
});

test("a partial undo restores the relayers of an apply that changed a notification, too", async () => {
  const notifications = [{ ...HOOK, url: "https://new.example.org" }];
  const world = fleetWorld({ lists: listsOf({ r0: CAP, r1: CAP }, { notifications }), isJournaled: true });
  await exited(0, apply(world));
  const ran = await exited(12, cli("undo --partly --yes", world));
  expect(ran.stderr).toContain(
    "1 of 3 changes cannot be undone: ops: of several resources, only relayers can be undone",
  );
  expect(writesOf(ran)).toEqual(["PATCH relayers/r0", "PATCH relayers/r1"]);
  await exited({ exitCode: 6, writes: [] }, cli(`undo ${world.journal.entries[0]?.run} --yes`, world));
});

test("relayers of a file that are missing are created", async () => {
  const world = fleetWorld({ relayers: RELAYER_IDS.slice(1).map((id) => relayer(id)), isReal: true });
  await exited({ exitCode: 0 }, apply(world));
  expect(await relayerIn(world, "r0")).toMatchObject({ id: "r0", network: "sepolia" });
});
