import type { Transport } from "../../../src/client/transport/transport.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { createEmbeddedServer } from "../../../src/embedded-server/server.ts";
import { cli, exited, exitedSaying, TOKEN } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { intentsIn } from "../../helpers/memory/journal.ts";
import { success } from "../../helpers/service/reply.ts";
import { done, relayer, relayerIn, runsIn, shared, undo } from "./world.ts";

const random = { uuid: () => "00000000-0000-4000-8000-000000000009", fraction: () => 0.5 };

describe("the undo of one resource", () => {
  test("restores the values before the run, and is recorded with the run", async () => {
    const world = shared();
    await done(world, "relayers update r1 --name treasury --policy gas_price_cap=7gwei --diff");
    const ran = await exited({ exitCode: 0, writes: [{ method: "PATCH" }] }, undo(world, "--yes"));
    expect(await relayerIn(world, "r1")).toEqual(relayer("r1"));
    const [, intent] = intentsIn(world);
    expect(intent).toMatchObject({ undoes: runsIn(world)[0], body: { name: "r1" }, before: { name: "treasury" } });
    expect(ran.stderr).toContain("relayctl relayers update r1 --name treasury --policy gas_price_cap=7gwei --diff");
    expect(ran.stderr).toContain("treasury → r1");
  });

  test("makes a member absent that was absent before", async () => {
    const world = shared();
    await done(
      world,
      "relayers update r1 --notification-id hook --rpc-url https://rpc.example --policy private_transactions=true --diff",
    );
    await done(world, "undo --yes");
    expect(await relayerIn(world, "r1")).toEqual(relayer("r1"));
  });

  test("is not refused because a default shows that another change made visible", async () => {
    const world = shared([relayer("r1", { policies: { gas_price_cap: 5_000_000_000, min_balance: 1 } })]);
    await done(world, "relayers update r1 --reset-policies --confirm r1");
    await world.store.change((state) => {
      const found = state.relayers.get("r1");
      if (found) found.policies = { min_balance: 1, private_transactions: true };
    });
    expect(await undo(world, runsIn(world)[0])).toMatchObject({ exitCode: 0 });
    expect(await relayerIn(world, "r1")).toMatchObject({ policies: { gas_price_cap: 5_000_000_000, min_balance: 1 } });
  });

  test("restores a URL that no flag takes", async () => {
    const world = shared();
    const url = "ftp://hook.example";
    await world.store.change((state) => state.notifications.put({ id: "hook", type: "webhook", url }));
    const { stderr } = await exited(0, cli("notifications update hook --url https://h.example --diff", world));
    expect(stderr).toContain("cannot be undone by a flag: --url takes only http and https; relayctl undo restores");
    await exited({ exitCode: 0, writes: [{ body: JSON.stringify({ url }) }] }, undo(world, "--yes"));
  });

  test.each(["", " --paused"])(
    "is refused if a change is only known masked, before and after alike%s",
    async (more) => {
      const custom_rpc_urls = [{ url: "https://rpc.example/first-key", weight: 100 }];
      const world = shared([relayer("r1", { custom_rpc_urls })]);
      await done(world, `relayers update r1 --rpc-url https://rpc.example/other-key${more} --diff`);
      const ran = await exited({ exitCode: 6, writes: [] }, undo(world, "--yes"));
      expect(ran.stderr).toContain("r1: a value contains what may be a key or a password");
    },
  );

  test("of a newest run asks, since the run was not typed", async () => {
    const world = shared();
    await done(world, "relayers update r1 --name a --diff");
    expect(await undo(world)).toMatchObject({ exitCode: 3, requests: [] });
    const ran = await undo(world, "", { terminal: true, answers: [true] });
    expect(ran).toMatchObject({ exitCode: 0, questions: ["Undo the change to relayer r1 in prod?"] });
  });

  test("of a run that was typed asks no more than the same change does", async () => {
    const world = shared();
    await done(world, "relayers pause r1 --diff");
    expect(await undo(world, runsIn(world)[0])).toMatchObject({ exitCode: 0 });
    expect(await relayerIn(world, "r1")).toMatchObject({ paused: false });
  });

  test("shows the request in a dry run, after a comparison", async () => {
    const world = shared();
    await done(world, "relayers pause r1 --diff");
    const ran = await undo(world, "--dry-run");
    expect(ran).toMatchObject({ exitCode: 0, writes: [], stdout: expect.stringContaining('{"paused":false}') });
    expect(ran.requests).toHaveLength(1);
    await done(world, "relayers resume r1");
    await done(world, "relayers update r1 --name x");
    expect(intentsIn(world)).toHaveLength(3);
  });

  test("restores the URL of a notification", async () => {
    const world = shared();
    await done(world, "notifications update hook --url https://new.example --diff", "undo --yes");
    const url = await world.store.read((state) => state.notifications.get("hook")?.url);
    expect(url).toBe("https://hook.example");
  });

  test("restores the RPC URLs of a network", async () => {
    const world = shared();
    const urls = () => world.store.read((state) => state.networks.get("evm:sepolia")?.rpc_urls);
    await done(world, "networks update evm:sepolia --rpc-url https://a.example --diff");
    const left = await urls();
    await done(world, "networks update evm:sepolia --rpc-url https://b.example --diff", "undo --yes");
    expect(await urls()).toEqual(left);
  });

  test("restores a plugin, and refuses if its config changed with it", async () => {
    const plugin: JsonObject = { id: "p1", path: "p1.ts", timeout: 300, emit_logs: false, emit_traces: true };
    const live = { ...plugin };
    const service: Transport = async ({ method, body = "" }) => {
      if (method === "PATCH") Object.assign(live, JSON.parse(body));
      return success(live);
    };
    const world = { ...shared(), service };
    await done(world, "plugins update p1 --plugin-timeout 1m --emit-logs --diff");
    expect(live).toMatchObject({ timeout: 60, emit_logs: true });
    await exited({ exitCode: 0, writes: [{ method: "PATCH" }] }, undo(world, "--yes"));
    expect(live).toEqual(plugin);
    const withConfig = { ...world, files: { "c.json": '{"a":1}' } };
    await done(withConfig, "plugins update p1 --config c.json --no-emit-traces --diff");
    await exited(
      { exitCode: 6, writes: [], stderr: expect.stringContaining("the config of a plugin") },
      undo(world, "--yes"),
    );
  });

  test("asks for the name of a protected context", async () => {
    const world = shared();
    await done(world, "relayers pause r1 --diff");
    const config = structuredClone(world.config);
    Object.assign(config.contexts.prod ?? {}, { protected: true });
    expect(await undo(world, "--yes", { config })).toMatchObject({ exitCode: 3, writes: [] });
    expect(await undo(world, "--confirm prod", { config })).toMatchObject({ exitCode: 0 });
  });

  test("the name of a protected context includes the yes that pausing one relayer takes", async () => {
    const world = shared([relayer("r1", { paused: true })]);
    await done(world, "relayers resume r1 --diff");
    await exited({ exitCode: 3, writes: [] }, undo(world, "--confirm prod"));
    Object.assign(world.config.contexts.prod ?? {}, { protected: true });
    for (const none of ["", "--confirm r1"]) expect(await undo(world, none)).toMatchObject({ exitCode: 3, writes: [] });
    expect(await undo(world, "--confirm prod")).toMatchObject({ exitCode: 0, writes: [{ method: "PATCH" }] });
  });
});

describe("the undo of a bulk run", () => {
  test("is one run, with one question", async () => {
    const world = shared([relayer("r1"), relayer("r2", { paused: true }), relayer("r3")]);
    await done(world, "relayers pause --all --yes");
    const ran = await undo(world, "", { terminal: true, answers: [true] });
    expect(ran).toMatchObject({ exitCode: 0, questions: ["Undo the changes to 2 relayers in prod?"] });
    const relayers = await Promise.all(["r1", "r2", "r3"].map((id) => relayerIn(world, id)));
    expect(relayers.map((each) => each?.paused)).toEqual([false, true, false]);
    const runs = runsIn(world);
    expect(runs).toHaveLength(2);
    expect(intentsIn(world).map(({ undoes }) => undoes)).toEqual([undefined, undefined, runs[0], runs[0]]);
  });

  test("restores different values of each relayer", async () => {
    const before = [relayer("r1", { name: "a" }), relayer("r2", { name: "b" })];
    const world = shared(before);
    await done(world, "relayers update r1 r2 --name same --diff --yes");
    const ran = await undo(world, "--yes");
    expect(ran.stderr).toContain("applied in prod: 2 relayers changed\n");
    expect([await relayerIn(world, "r1"), await relayerIn(world, "r2")]).toEqual(before);
  });

  test("sends nothing if one relayer changed since", async () => {
    const world = shared();
    await done(world, "relayers update r1 r2 r3 --name same --diff --yes", "relayers update r2 --name other");
    const [run] = runsIn(world);
    const ran = await exited({ exitCode: 6, writes: [] }, undo(world, `${run} --yes`));
    expect(ran.stderr).toContain("r2: changed since: name same → other");
    expect(ran.stderr).toContain(`relayctl -c prod undo ${run} --partly`);
  });

  test("leaves out with exit 12 what another client changes or deletes before its write", async () => {
    const world = shared();
    await done(world, "relayers update r1 r2 r3 --name same --diff --yes");
    const server = createEmbeddedServer({ token: TOKEN, store: world.store, clock: manualClock(), random });
    const service: Transport = async (request) => {
      const reply = await server(request);
      if (request.method === "PATCH")
        await world.store.change((state) => {
          state.relayers.put(relayer("r2", { name: "other" }));
          state.relayers.remove("r3");
        });
      return reply;
    };
    const ran = await undo(world, "--yes --concurrency 1", { service });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 12, writes: [{ target: "/api/v1/relayers/r1" }] });
    expect(ran.stderr).toContain("r2 conflict: changed since: name same → other; nothing was sent");
    expect(ran.stderr).toContain("r3 conflict: was deleted since; nothing was sent");
    expect(await relayerIn(world, "r2")).toMatchObject({ name: "other" });
  });

  test("leaves out what changed or was deleted since with --partly, and exits with 12", async () => {
    const world = shared();
    await done(world, "relayers update r1 r2 r3 --name same --diff --yes", "relayers update r2 --name other");
    await done(world, "relayers delete r3 --yes");
    const ran = await undo(world, `${runsIn(world)[0]} --partly --yes`);
    expect(ran).toMatchObject({ exitCode: 12, writes: [{ target: "/api/v1/relayers/r1" }] });
    expect(ran.stderr).toContain("r3: was deleted since");
    expect(await relayerIn(world, "r1")).toEqual(relayer("r1"));
    expect(await relayerIn(world, "r2")).toMatchObject({ name: "other" });
  });

  test("sends nothing if one relayer was deleted since, and --partly restores the others", async () => {
    const world = shared([relayer("r1"), relayer("r2", { paused: true }), relayer("r3"), relayer("r4")]);
    await done(world, "relayers pause --all --yes", "relayers delete r3 --yes");
    const [run] = runsIn(world);
    await exited(
      { exitCode: 6, writes: [], stderr: expect.stringContaining("r3: was deleted since") },
      undo(world, `${run} --yes`),
    );
    const ran = await exited(12, undo(world, `${run} --partly --yes -o json`));
    expect(ran.writes.map(({ target }) => target)).toEqual(["/api/v1/relayers/r1", "/api/v1/relayers/r4"]);
    expect(ran.stderr).toContain("r3");
    const relayers = await Promise.all(["r1", "r2", "r3", "r4"].map((id) => relayerIn(world, id)));
    expect(relayers.map((each) => each?.paused)).toEqual([false, true, undefined, false]);
  });

  test("sends nothing with --partly if nothing is left to undo", async () => {
    const world = shared([relayer("r1"), relayer("r2")]);
    await done(world, "relayers update --all --name same --yes --diff", "relayers update --all --name other --yes");
    await exited({ exitCode: 6, writes: [] }, undo(world, `${runsIn(world)[0]} --partly --yes`));
  });
});

describe("an undo is refused, with nothing sent,", () => {
  test("if a member changed since", async () => {
    const world = shared();
    await done(world, "relayers update r1 --policy gas_price_cap=7gwei --name x --diff");
    await done(world, "relayers update r1 --policy gas_price_cap=9gwei");
    const ran = await exited({ exitCode: 6, writes: [] }, undo(world, runsIn(world)[0]));
    expect(ran.stderr).toContain("r1: changed since: gas_price_cap 7 gwei → 9 gwei");
    expect(ran.stderr).toContain("nothing was sent");
  });

  test("if the resource was deleted since", async () => {
    const world = shared();
    await done(world, "relayers pause r1 --diff", "relayers delete r1 --yes");
    await exitedSaying({ exitCode: 6, writes: [] }, undo(world, runsIn(world)[0]), "r1: was deleted since");
  });

  test.each([
    ["relayers update r1 --name x", "the values before are not in the journal; --diff or a terminal reads them"],
    ["relayers update r1 --rpc-url https://rpc.example/v2/0123456789abcdef --diff", "may be a key or a password"],
    ["relayers update r1 --rpc-url https://me:pass@rpc.example --diff", "may be a key or a password"],
    ["notifications update ops --remove-signing-key --diff --yes", "the service never returns signing keys"],
    ["notifications update ops --remove-signing-key --yes", "the service never returns signing keys"],
    ["notifications delete hook --yes", "notifications.delete: a deleted resource cannot be restored"],
    ["notifications create --id n2 --url https://n.example", "n2: notifications.create: delete the resource instead"],
    [
      "tx send r1 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 1wei --gas-limit 21000 --speed fast --yes",
      "sent, replaced, and canceled transactions can't be undone",
    ],
  ])("of %s", async (line, reason) => {
    const world = shared();
    await done(world, line);
    await exitedSaying({ exitCode: 6, writes: [] }, undo(world, "--yes"), reason);
  });

  test("if a URL before had a password, which the journal does not keep", async () => {
    const world = shared();
    const before = { id: "r1", custom_rpc_urls: [{ url: "https://***@rpc.example", weight: 100 }] };
    const body = { custom_rpc_urls: [{ url: "https://other.example", weight: 100 }] };
    await done(world, "relayers update r1 --rpc-url https://other.example,weight=100 --diff");
    Object.assign(intentsIn(world)[0] ?? {}, { before, body, masked: ["custom_rpc_urls"] });
    const ran = await undo(world, "--yes");
    expect(ran).toMatchObject({ exitCode: 6, writes: [], stderr: expect.stringContaining("a key or a password") });
  });

  test("if the run is unknown, ambiguous, or at another service", async () => {
    const world = shared();
    expect(await undo(world, "--yes")).toMatchObject({ exitCode: 5, requests: [] });
    await done(world, "relayers pause r1 --diff", "relayers pause r2 --diff");
    expect(await undo(world, "ffff --yes")).toMatchObject({ exitCode: 5, requests: [] });
    expect(await undo(world, "1000 --yes")).toMatchObject({ exitCode: 2, requests: [] });
    const config = structuredClone(world.config);
    config.contexts.staging = { server: "https://staging.example.org", token: "t" };
    const elsewhere = await undo(world, `${runsIn(world)[0]} --yes -c staging`, { config });
    expect(elsewhere).toMatchObject({ exitCode: 2, requests: [], stderr: expect.stringContaining("(context prod)") });
  });

  test("if no journal is kept", async () => {
    const ran = await undo(shared(), "--yes", { env: { RELAYCTL_JOURNAL: "off" } });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("no journal is kept") });
  });
});

describe("the newest run", () => {
  test("is the newest that is not undone: undos go back one run after the other", async () => {
    const world = shared();
    await done(world, "relayers update r1 --name a --diff", "relayers update r1 --name b --diff");
    await done(world, "undo --yes");
    expect(await relayerIn(world, "r1")).toMatchObject({ name: "a" });
    await done(world, "undo --yes");
    expect(await relayerIn(world, "r1")).toMatchObject({ name: "r1" });
    expect(await undo(world, "--yes")).toMatchObject({ exitCode: 5, requests: [] });
  });

  test("is again the one whose undo was undone by its ID", async () => {
    const world = shared();
    await done(world, "relayers update r1 --name a --diff", "undo --yes");
    await done(world, `undo ${runsIn(world)[1]}`);
    expect(await relayerIn(world, "r1")).toMatchObject({ name: "a" });
    await done(world, "undo --yes");
    expect(await relayerIn(world, "r1")).toMatchObject({ name: "r1" });
  });

  test("leaves out writes that were refused", async () => {
    const world = shared();
    await done(world, "relayers update r1 --name a --diff");
    await exited(3, undo(world, "", { terminal: true, answers: [false] }));
    const none = { ...world, env: { RELAYCTL_TOKEN: "wrong" } };
    expect((await undo(none, "--yes")).exitCode).toBe(4);
    expect(await undo(world, "--yes")).toMatchObject({ exitCode: 0 });
  });
});

test("an undo that was interrupted is completed by the same command", async () => {
  const world = shared();
  await done(world, "relayers update r1 r2 r3 --name same --diff --yes", "relayers update r2 --name r2");
  const shown = await undo(world, `${runsIn(world)[0]} --dry-run`);
  expect(shown.stdout.match(/PATCH .*/g)).toEqual(["PATCH /api/v1/relayers/r1", "PATCH /api/v1/relayers/r3"]);
  const ran = await exited({ exitCode: 0 }, undo(world, `${runsIn(world)[0]} --yes`));
  expect(ran.stderr).toContain("applied in prod: 2 of 3 relayers changed, 1 already set\n");
  expect(ran.writes.map(({ target }) => target)).toEqual(["/api/v1/relayers/r1", "/api/v1/relayers/r3"]);
});

test("a change of more relayers than fit a line ends with the undo of its run", async () => {
  const world = shared(Array.from({ length: 101 }, (_, index) => relayer(`r${index}`)));
  const { stderr } = await cli("relayers pause --all --yes", world);
  const line = `undo: relayctl -c prod undo ${runsIn(world)[0]}`;
  expect(stderr.trimEnd().split("\n").at(-1)).toBe(line);
  await done(world, `${line.replace(/^undo: relayctl /, "")} --yes`);
  expect(await relayerIn(world, "r100")).toMatchObject({ paused: false });
});

describe("the undo of a run that has not ended, or whose end is unknown", () => {
  const lost = (world: ReturnType<typeof shared>) => {
    const entries = world.journal.entries;
    return entries.splice(0, entries.length, ...entries.filter(({ type }) => type === "intent"));
  };

  test.each(["", "--dry-run", "--partly --yes"])("is refused while its process runs: %s", async (flags) => {
    const world = shared();
    await done(world, "relayers pause r1 r2 --yes --diff");
    world.journal.entries.pop();
    const [first] = intentsIn(world);
    for (const intent of intentsIn(world)) intent.pid = 7;
    world.journal.running.add(7);
    for (const run of [first?.run, "--yes"]) {
      const ran = await undo(world, `${run} ${flags.replace("--yes", run === "--yes" ? "" : "--yes")}`);
      expect(ran, ran.stderr).toMatchObject({ exitCode: 6, requests: [] });
      expect(ran.stderr).toContain("is still in progress");
    }
    world.journal.running.clear();
    expect(await undo(world, `${first?.run} --yes`)).toMatchObject({ exitCode: 11, requests: [] });
  });

  test.each([
    ["relayers pause r1 --diff", "is lost", relayer("r1", { paused: true })],
    ["relayers pause r1 --diff", "is recorded as unknown", relayer("r1")],
    ["relayers pause r1 --yes --diff", "is lost, overwritten since,", relayer("r1", { name: "z" })],
    ["relayers update r1 --name r1", "is lost, without the values before,", relayer("r1")],
    ["notifications create --id n2 --url https://n.example", "is lost", relayer("r1")],
  ])("sends and reads nothing if the outcome of %s %s whatever the service shows", async (line, how, live) => {
    const world = shared();
    await done(world, line);
    const [run] = runsIn(world);
    const [end] = lost(world).filter(({ type }) => type === "outcome");
    if (!how.includes("lost") && end) world.journal.entries.push({ ...end, type: "outcome", applied: "unknown" });
    await world.store.change((state) => void state.relayers.put(live));
    for (const flags of ["", `${run}`, `${run} --partly`, `${run} --dry-run`]) {
      const ran = await undo(world, `${flags} --yes`.replace("--dry-run --yes", "--dry-run"));
      expect(ran, ran.stderr).toMatchObject({ exitCode: 11, requests: [] });
      expect(ran.stderr).toContain("the outcome of its write is unknown");
      expect(ran.stderr).toContain("hint: relayctl -c prod history settle");
    }
    expect(await relayerIn(world, "r1")).toEqual(live);
  });

  test("restores it once it is settled", async () => {
    const world = shared();
    await done(world, "relayers pause r1 --diff");
    const [run] = runsIn(world);
    lost(world);
    expect(await undo(world, run)).toMatchObject({ exitCode: 11, requests: [] });
    await done(world, "history settle");
    expect(await undo(world, run)).toMatchObject({ exitCode: 0, writes: [{}] });
    expect(await relayerIn(world, "r1")).toMatchObject({ paused: false });
  });

  test("leaves out with --partly each write whose outcome is unknown", async () => {
    const world = shared();
    await done(world, "relayers pause r1 r2 --yes --diff");
    const [run] = runsIn(world);
    const { entries } = world.journal;
    entries.splice(
      entries.findLastIndex(({ type }) => type === "outcome"),
      1,
    );
    const refused = await exited({ exitCode: 11, requests: [] }, undo(world, `${run} --yes`));
    expect(refused.stderr).toContain("settle it first, or undo the rest with --partly");
    const ran = await exited({ exitCode: 12, writes: [{}] }, undo(world, `${run} --partly --yes`));
    expect(ran.stderr).toContain("hint: relayctl -c prod history settle");
    expect([await relayerIn(world, "r1"), await relayerIn(world, "r2")]).toMatchObject([
      { paused: false },
      { paused: true },
    ]);
  });
});
