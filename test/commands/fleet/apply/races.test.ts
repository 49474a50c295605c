import { cli, exited, exits } from "../../../helpers/cli.ts";
import {
  apply,
  changedAt,
  describeAs,
  fleetWorld,
  HOOK,
  listsOf,
  outcomesOf,
  patchRelayer,
  relayerIn,
  writesOf,
} from "./world.ts";

const CAP = { policies: { gas_price_cap: 5_000_000_000 } };
const lists = listsOf({ r1: CAP, r2: CAP, r3: CAP });
const RELAYER = (id: string) => new RegExp(`/relayers/${id}$`);

test.each([
  ["a member that the plan changes", { policies: { gas_price_cap: 7 } }, "policies.gas_price_cap unset → 7"],
  ["another member", { name: "Other" }, 'name "r2" → "Other"'],
])("a change of %s between two steps is left alone, and named", async (_, patch, since) => {
  const world = fleetWorld({ lists, isReal: true });
  const edit = () => patchRelayer(world, "r2", patch);
  const service = changedAt(world, { method: "PATCH", target: RELAYER("r1") }, edit);
  const ran = await exited({ exitCode: 12 }, apply(world, "-f config.json --yes --concurrency 1", { service }));
  expect(outcomesOf(ran)).toEqual([
    "relayers/r1 update applied",
    "relayers/r2 update failed",
    "relayers/r3 update applied",
  ]);
  expect(ran.stderr).toContain(`changed since the plan was created: ${since.replaceAll('"', '\\"')}`);
  expect(await relayerIn(world, "r2")).toMatchObject(patch);
});

test("a change between the question and the first step is left alone", async () => {
  const world = fleetWorld({ lists: listsOf({ r1: CAP }), isReal: true });
  const edit = () => patchRelayer(world, "r1", { policies: { gas_price_cap: 7 } });
  const service = changedAt(world, { method: "GET", target: RELAYER("r1") }, edit);
  await exited({ exitCode: 6, writes: [] }, apply(world, undefined, { service }));
  expect(await relayerIn(world, "r1")).toMatchObject({ policies: { gas_price_cap: 7 } });
});

test("an interrupt after a write does not say that nothing was changed", async () => {
  const world = fleetWorld({ lists: listsOf({ r1: CAP }), isReal: true });
  const interrupted = new AbortController();
  const service = changedAt(world, { method: "PATCH", target: RELAYER("r1") }, async () => interrupted.abort());
  const ran = await apply(world, undefined, { service, interrupt: interrupted.signal });
  expect(ran.stderr).toContain("relayers/r1: could not be read after the write: interrupted\n");
  expect(await relayerIn(world, "r1")).toMatchObject(CAP);
});

test("a saved plan that became out of date during an apply leads to a new plan", async () => {
  const world = fleetWorld({ lists, isReal: true });
  expect(await cli("plan -f config.json --out plan.json", world)).toMatchObject({ exitCode: 20 });
  const service = changedAt(world, { method: "PATCH", target: RELAYER("r1") }, () =>
    patchRelayer(world, "r2", { name: "Other" }),
  );
  const ran = await exits(12, "apply plan.json --yes --concurrency 1", { ...world, service });
  expect(ran.stderr).toContain("hint: relayctl plan --file config.json --out plan.json\n");
});

test("a relayer that the service disables meanwhile is skipped", async () => {
  const world = fleetWorld({ lists, isReal: true });
  const edit = () => patchRelayer(world, "r2", { system_disabled: true });
  const inStep = changedAt(world, { method: "GET", target: RELAYER("r2") }, edit);
  const ran = await apply(world, "-f config.json --yes --concurrency 1", { service: inStep });
  expect(outcomesOf(ran)[1]).toBe("relayers/r2 update disabled");
  const other = fleetWorld({ lists: listsOf({ r2: CAP }), isReal: true });
  const atWrite = changedAt(other, { method: "PATCH", target: RELAYER("r2") }, () =>
    patchRelayer(other, "r2", { system_disabled: true }),
  );
  const refused = await exited({ exitCode: 6 }, apply(other, undefined, { service: atWrite }));
  expect(outcomesOf(refused)).toEqual(["relayers/r2 update disabled"]);
});

test("a resource with the same ID that is created meanwhile is not overwritten", async () => {
  const hook = { id: "new", type: "webhook", url: "https://new.example.org" };
  const world = fleetWorld({ isReal: true });
  describeAs(world, listsOf({}, { notifications: [HOOK, hook] }));
  const create = (url: string) => () =>
    world.store.change((state) => state.notifications.put({ id: "new", type: "webhook", url }));
  const at = { method: "GET", target: /\/notifications\/new$/ };
  const other = await apply(world, undefined, { service: changedAt(world, at, create("https://other.example.org")) });
  expect(other).toMatchObject({ exitCode: 6, writes: [] });
  expect(other.stderr).toContain("was created since, url differs");
  await world.store.change((state) => state.notifications.remove("new"));
  const same = await apply(world, undefined, { service: changedAt(world, at, create(hook.url)) });
  expect(same).toMatchObject({ exitCode: 0, writes: [] });
  expect(outcomesOf(same)).toEqual(["notifications/new create already"]);
});

test("a change right after the write is reported as another result", async () => {
  const world = fleetWorld({ lists: listsOf({ r1: CAP }), isReal: true });
  const edit = () => patchRelayer(world, "r1", { policies: { gas_price_cap: 9 } });
  const service = changedAt(world, { method: "GET", target: RELAYER("r1"), nth: 2 }, edit);
  const ran = await exited({ exitCode: 14 }, apply(world, undefined, { service }));
  expect(outcomesOf(ran)).toEqual(["relayers/r1 update mismatch"]);
  expect(JSON.parse(ran.stdout)[0]).toMatchObject({
    applied: "yes",
    reason: expect.stringContaining("policies.gas_price_cap"),
  });
});

test("a refused token ends everything, and nothing more is sent", async () => {
  const world = fleetWorld({ lists, isReal: true });
  let isRefused = false;
  const service = changedAt(world, { method: "PATCH", target: RELAYER("r1") }, async () => {
    isRefused = true;
  });
  const ran = await apply(world, "-f config.json --yes --concurrency 1", {
    service: (request, limits) =>
      service(
        isRefused ? { ...request, headers: { ...request.headers, authorization: "Bearer other" } } : request,
        limits,
      ),
  });
  expect(ran).toMatchObject({ exitCode: 12 });
  expect(writesOf(ran)).toEqual(["PATCH relayers/r1", "PATCH relayers/r2"].slice(0, writesOf(ran).length));
  expect(outcomesOf(ran).at(-1)).toBe("relayers/r3 update not_started");
});
