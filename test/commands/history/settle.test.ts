import type { Transport } from "../../../src/client/transport/transport.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import { keptRaisedCapKey } from "../../../src/session/journaling/raised-caps.ts";
import { cli, ends, exits, SERVER, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { success } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { configOf, intent, outcome, recorded } from "./recorded.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const SEND = `tx send base-hot --to ${TO} --value 1wei --gas-limit 21000 --speed fast --yes`;
const PENDING = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";

/** A service that loses the response to each write, and every response after it, until it is repaired. */
function losingService(conditions: { expireAfter?: number } = {}) {
  const store = demoStore();
  const clock = manualClock();
  const server = testServer({ store, clock, ...conditions });
  let state: "applies" | "drops" | "repaired" = "applies";
  let isLost = false;
  const service: Transport = async (request) => {
    const isWrite = request.method !== "GET" && !request.target.endsWith("/rpc");
    if (state === "repaired" || !(isWrite || isLost)) return await server(request);
    isLost = true;
    if (state === "applies") await server(request);
    throw lost();
  };
  return {
    clock,
    service,
    store,
    become(next: typeof state) {
      state = next;
      isLost = false;
    },
  };
}

function worldOf(conditions: { expireAfter?: number } = {}) {
  const { clock, service, store, become } = losingService(conditions);
  const world = { env: {}, config: configOf("prod"), journal: memoryJournal(), service, clock } satisfies World;
  return { world, store, become };
}

async function settled(line: string, become: "applies" | "drops" = "applies", more: World = {}) {
  const { world, become: change } = worldOf();
  change(become);
  await exits(11, line, { ...world, ...more });
  change("repaired");
  const ran = await cli("history settle -o json", world);
  expect(ran.writes.filter(({ target }) => !target.endsWith("/rpc"))).toEqual([]);
  return { ran, world, items: JSON.parse(ran.stdout || "[]") as Record<string, unknown>[] };
}

test("records that a patch was applied once the service shows its values", async () => {
  const { ran, world, items } = await settled("relayers update base-hot --name treasury");
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr).toBe(
    `note: what run ${items[0]?.run} requested is there; another client may have requested the same\n`,
  );
  expect(items).toMatchObject([{ applied: "yes", settled_later: true, why: null, after: { name: "treasury" } }]);
  expect(world.journal.entries.map(({ type }) => type)).toEqual(["intent", "outcome", "outcome"]);
  expect(await cli("history settle", world)).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: "no outcome is unknown in the journal of prod\n",
  });
  expect((await cli("history --applied yes -o name", world)).stdout).toBe(`${items[0]?.id}\n`);
});

test("leaves a patch unknown that does not show, and says how to check it", async () => {
  const { ran, world, items } = await settled("relayers update base-hot --name treasury", "drops");
  expect(ran.exitCode).toBe(13);
  expect(items).toMatchObject([
    { applied: "unknown", settled_later: false, next: "relayctl -c prod relayers get base-hot" },
  ]);
  const drawn = await cli("history settle", { ...world, terminal: true, columns: 160 });
  expect(drawn.stderr).toContain("1 outcome is still unknown");
  expect(drawn.stderr).toMatch(
    /name: requested treasury, got .*may still\s+arrive; check it:\s+relayctl -c prod relayers get/,
  );
  expect(world.journal.entries).toHaveLength(2);
});

test("finds a resource by the ID that was generated for it, and believes no typed ID", async () => {
  const url = "--url https://hooks.example.org/ops";
  expect((await settled(`notifications create ${url}`)).items).toMatchObject([{ applied: "yes" }]);
  const typed = await settled(`notifications create --id pager-2 ${url}`);
  expect(typed.ran.exitCode).toBe(13);
  expect(typed.items).toMatchObject([{ applied: "unknown", why: expect.stringContaining("may have existed before") }]);
});

test("finds out that something was deleted or canceled", async () => {
  expect((await settled("notifications delete audit-log --yes")).items).toMatchObject([{ applied: "yes" }]);
  const canceled = await settled(`tx cancel eth-main-1 ${PENDING} --yes`);
  expect(canceled.items).toMatchObject([{ applied: "yes", after: { id: PENDING } }]);
  const dropped = await settled(`tx cancel eth-main-1 ${PENDING} --yes`, "drops");
  expect(dropped.items).toMatchObject([{ applied: "unknown" }]);
});

test("asks the chain about a cancellation and a replacement whose records have expired", async () => {
  for (const line of [`tx cancel eth-main-1 ${PENDING}`, `tx replace eth-main-1 ${PENDING} --to ${TO} --value 7wei`]) {
    const { world, become } = worldOf({ expireAfter: 1_000 });
    await cli(`${line} --yes`, world);
    become("repaired");
    await world.clock.sleep(600_000);
    const ran = await cli("history settle -o json", world);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ applied: "yes", after: { hash: expect.any(String) } }]);
    const waited = await cli(`tx wait eth-main-1 ${PENDING} -o json`, world);
    const verdict = line.startsWith("tx cancel") ? "canceled" : "confirmed";
    expect(JSON.parse(waited.stdout)).toMatchObject([{ verdict, why: expect.stringMatching(/its record expired$/) }]);
  }
});

test("takes no transfer of nothing for a replacement whose record has expired, since the service sends such itself", async () => {
  const { world, become } = worldOf({ expireAfter: 1_000 });
  const own = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
  await cli(`tx replace eth-main-1 ${PENDING} --to ${own} --value 0 --gas-limit 21000 --speed fast --yes`, world);
  become("repaired");
  await world.clock.sleep(600_000);
  const ran = await exits(13, "history settle -o json", world);
  expect(JSON.parse(ran.stdout)).toMatchObject([
    { operation: "tx.replace", applied: "unknown", why: expect.stringContaining("the service itself fills nonces") },
  ]);
});

test("finds the one transaction that a lost send created", async () => {
  const { ran, items, world } = await settled(SEND);
  expect(ran.exitCode).toBe(0);
  expect(items).toMatchObject([{ operation: "tx.send", applied: "yes", transaction_id: expect.any(String) }]);
  const shown = await cli(`history show ${items[0]?.run}`, world);
  expect(shown.stdout).toContain(`tx get base-hot ${items[0]?.transaction_id}`);
  const none = await settled(SEND, "drops");
  expect(none).toMatchObject({ ran: { exitCode: 13 }, items: [{ applied: "unknown" }] });
});

test("takes no transaction for either of two equal sends", async () => {
  const { world, become } = worldOf();
  await cli(SEND, world);
  become("drops");
  await cli(SEND, world);
  become("repaired");
  const ran = await exits(13, "history settle -o json", world);
  expect(JSON.parse(ran.stdout)).toMatchObject([{ applied: "unknown" }, { applied: "unknown" }]);
});

test("takes no equal transaction of another client for its own, replaced one", async () => {
  const { world, become, store } = worldOf();
  become("applies");
  await cli(SEND, world);
  become("repaired");
  const state = await store.read(({ transactions }) => transactions.held());
  const own = state.find(({ to, value }) => to === TO && value === "1")?.id;
  const replace = `tx replace base-hot ${own} --to ${TO} --value 2wei --gas-limit 21000 --speed fast --diff --yes`;
  expect((await cli(replace, world)).exitCode).toBe(0);
  expect((await cli(SEND, { ...world, journal: memoryJournal() })).exitCode).toBe(0);
  const ran = await cli("history settle -o json", world);
  expect(JSON.parse(ran.stdout)).toMatchObject([
    {
      applied: "unknown",
      why: expect.stringMatching(`2 transactions agree with it, or may have before they were changed: .*${own}`),
    },
  ]);
});

test("takes no transaction that another process sends while the list is read", async () => {
  const { world, become } = worldOf();
  become("drops");
  await cli(SEND, world);
  become("repaired");
  let isSent = false;
  const busy: Transport = async (request, options) => {
    if (!isSent && request.method === "GET") {
      isSent = true;
      expect((await cli(SEND, world)).exitCode).toBe(0);
    }
    return await world.service(request, options);
  };
  const ran = await cli("history settle -o json", { ...world, service: busy });
  expect(isSent).toBe(true);
  expect(JSON.parse(ran.stdout)).toMatchObject([{ applied: "unknown" }]);
});

test("leaves a write alone whose own run records its outcome while the list is read", async () => {
  const { world, become } = worldOf();
  become("repaired");
  await cli(SEND, world);
  const { journal } = world;
  const own = journal.entries.pop();
  become("applies");
  await cli(SEND, world);
  become("repaired");
  const busy: Transport = async (request, options) => {
    if (own && !journal.entries.includes(own)) await journal.append(own);
    return await world.service(request, options);
  };
  const ran = await cli("history settle -o json", { ...world, service: busy });
  expect(JSON.parse(ran.stdout)).toMatchObject([{ applied: "yes", settled_later: true }]);
  expect(ran.exitCode).toBe(0);
  const ids = journal.entries.flatMap((entry) => (entry.type === "outcome" ? (entry.after?.id ?? []) : []));
  expect(new Set(ids).size).toBe(ids.length);
});

test("takes no transaction whose outcome another process records while the journal is read", async () => {
  const { world, become } = worldOf();
  become("drops");
  await cli(SEND, world);
  become("repaired");
  await cli(SEND, world);
  const { journal } = world;
  const late = journal.entries.pop();
  const busy: typeof journal = {
    ...journal,
    async find(key) {
      if (late && !journal.entries.includes(late) && isRead) await journal.append(late);
      return await journal.find(key);
    },
  };
  let isRead = false;
  const service: Transport = async (request, options) => {
    isRead = true;
    return await world.service(request, options);
  };
  const ran = await cli("history settle -o json", { ...world, journal: busy, service });
  expect(journal.entries).toContain(late);
  expect(JSON.parse(ran.stdout)).toMatchObject([{ applied: "unknown" }]);
});

test("finds a replacement by its version, unless it asks for the version before", async () => {
  const replace = `tx replace eth-main-1 ${PENDING} --to ${TO} --gas-limit 21000 --speed fastest --yes --value`;
  expect((await settled(`${replace} 0.25eth --diff`)).items).toMatchObject([
    { applied: "yes", after: { id: PENDING } },
  ]);
  expect((await settled(`${replace} 0.25eth --diff`, "drops")).items).toMatchObject([{ applied: "unknown" }]);
  const same = await settled(`tx replace eth-main-1 ${PENDING} --inherit --speed fastest --yes --diff`);
  expect(same.items).toMatchObject([{ applied: "unknown", why: expect.stringContaining("nothing can show it") }]);
});

test.each([
  [
    "tx.replace",
    `tx replace eth-main-1 ${PENDING} --to ${TO} --gas-limit 21000 --speed fastest --value 0.25eth --diff`,
  ],
  ["tx.cancel", `tx cancel eth-main-1 ${PENDING}`],
])("finds a mined %s on the chain that the record hides", async (operation, line) => {
  const { world, become, store } = worldOf();
  const before: JsonObject = await store.read((state) => structuredClone(state.transactions.get(PENDING) ?? {}));
  become("applies");
  expect((await cli(`${line} --yes`, world)).exitCode).toBe(11);
  become("repaired");
  await world.clock.sleep(600_000, AbortSignal.abort());
  const hiding: Transport = async (request, options) =>
    request.method === "GET" && request.target.endsWith(PENDING)
      ? success(before)
      : await world.service(request, options);
  const ran = await exits(0, "history settle -o json", { ...world, service: hiding });
  expect(JSON.parse(ran.stdout)).toMatchObject([{ operation, applied: "yes", settled_later: true }]);
  expect(world.journal.entries.at(-1)).toMatchObject({
    after: { hash: expect.not.stringMatching(String(before.hash)) },
  });
});

test.each([
  [
    "tx.replace",
    `tx replace eth-main-1 ${PENDING} --to ${TO} --gas-limit 21000 --speed fastest --value 0.25eth --diff`,
  ],
  ["tx.cancel", `tx cancel eth-main-1 ${PENDING}`],
  ["relayers.update", "relayers update eth-main-1 --policy gas_price_cap=80gwei --name treasury"],
  ["relayers.update", "relayers pause eth-main-1"],
  ["notifications.delete", "notifications delete audit-log"],
])("takes the result of a later %s for none that was lost before", async (operation, line) => {
  const { world, become } = worldOf();
  become("drops");
  expect((await cli(`${line} --yes`, world)).exitCode).toBe(11);
  become("repaired");
  expect((await cli(`${line} --yes`, world)).exitCode).toBe(0);
  const ran = await cli("history settle -o json", world);
  const run = world.journal.entries.at(-1)?.run;
  expect(ran.exitCode).toBe(13);
  expect(JSON.parse(ran.stdout)).toMatchObject([
    {
      operation,
      applied: "unknown",
      why: `run ${run} requested the same, so nothing shows which of them was applied`,
    },
  ]);
});

test("knows a lost patch by a value that no other write requested", async () => {
  const { world, become } = worldOf();
  become("applies");
  expect((await cli("relayers update eth-main-1 --policy gas_price_cap=80gwei --name treasury", world)).exitCode).toBe(
    11,
  );
  become("repaired");
  expect((await cli("relayers update eth-main-1 --policy gas_price_cap=70gwei", world)).exitCode).toBe(0);
  expect((await cli("relayers update eth-main-1 --policy gas_price_cap=80gwei", world)).exitCode).toBe(0);
  const ran = await cli("history settle -o json", world);
  expect(JSON.parse(ran.stdout)).toMatchObject([{ applied: "yes" }]);
});

test("takes a version that was sent as a new transaction for no replacement by it", async () => {
  const { world, become } = worldOf();
  become("repaired");
  const send = await cli(`${SEND} -o json`, world);
  const { id } = JSON.parse(send.stdout);
  const replace = `tx replace base-hot ${id} --to ${TO} --gas-limit 21000 --speed fastest --yes --diff --value`;
  expect((await cli(`${replace} 2wei`, world)).exitCode).toBe(0);
  become("applies");
  expect((await cli(`${replace} 1wei`, world)).exitCode).toBe(11);
  become("repaired");
  const ran = await cli("history settle -o json", world);
  expect(JSON.parse(ran.stdout)).toMatchObject([
    { operation: "tx.replace", applied: "unknown", why: expect.stringContaining("requested the same") },
  ]);
});

test("compares nothing that the journal hides, and asks nothing for what cannot be read", async () => {
  const masked = await settled("relayers update base-hot --rpc-url https://rpc.example.org/v3/0123456789 --yes");
  expect(masked.items).toMatchObject([{ applied: "unknown", why: expect.stringContaining("hides secrets") }]);
  const entries = [
    intent("a", { operation: "plugins.call", kind: "once", ids: { plugin_id: "p" } }),
    intent("b", { operation: "nonsense", kind: "once" }),
    intent("c", { ids: { relayer_id: "../x" } }),
    intent("d", { ids: { relayer_id: 7 as unknown as string } }),
    intent("e", { body: undefined as unknown as string }),
  ];
  const ran = await cli("history settle -o json", { ...recorded(entries), isMalformed: true });
  expect(ran).toMatchObject({ exitCode: 13, requests: [] });
  expect(JSON.parse(ran.stdout)).toHaveLength(5);
});

test("checks the writes of the selected context's service only", async () => {
  const entries = [intent("a", { server: "https://other.example.org" }), intent("b"), outcome("b")];
  expect(await cli("history settle", recorded(entries))).toMatchObject({ exitCode: 0, requests: [] });
});

test("with --dry-run shows the first reads, and reads nothing", async () => {
  const ran = await ends({ exitCode: 0, requests: [] }, "history settle --dry-run", recorded([intent("a")]));
  expect(ran.stdout).toContain("GET /api/v1/relayers/base-hot");
});

test("keeps the rest going if one of many cannot be read", async () => {
  const entries = [intent("a", { ids: { relayer_id: "gone" } }), intent("b", { body: { paused: false } })];
  const ran = await exits(13, "history settle -o json", recorded(entries));
  expect(JSON.parse(ran.stdout)).toMatchObject([{ applied: "unknown" }, { applied: "yes" }]);
});

test("says of a cap that a killed run was to leave raised that it is raised, and how to restore it", async () => {
  const cap = (gwei: bigint) => ({ policies: { gas_price_cap: gwei * 10n ** 9n } });
  const keeps = keptRaisedCapKey(SERVER, "base-hot");
  const raise = intent("a", { body: cap(80n), before: { id: "base-hot", ...cap(20n) }, keeps });
  const world = recorded([raise, outcome("a")], { store: demoStore() });
  await exits(0, "relayers update base-hot --policy gas_price_cap=80gwei --yes", world);
  const ran = await exits(13, "history settle", world);
  expect(ran.stderr).toContain("1 cap is still raised\n");
  expect(ran.stderr).toContain("; restore it: relayctl -c prod relayers update base-hot --policy gas_price_cap=20");
});
