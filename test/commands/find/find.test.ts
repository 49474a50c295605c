import type { WireRequest } from "../../../src/contract/wire.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { hitsView } from "../../../src/find/view.ts";
import { cli, ends, exited, exitedSaying, SERVER, says, TOKEN, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { hook, NOW, record, serviceWith, stellar, well } from "../doctor/sick.ts";
import { configOf, intent, outcome } from "../history/recorded.ts";

const HASH = `0x${"ab".repeat(32)}`;
const EARLIER = `0x${"cd".repeat(32)}`;
const ID = "0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60";
const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const store = () =>
  serviceWith([well({ name: "Treasury" }), well({ id: "r2", name: "Other", address: `0x${"11".repeat(20)}` })], {
    transactions: [record(ID, 5, { hash: HASH, nonce: 7 }), record("t2", 3, { relayer_id: "r2", nonce: 8 })],
    notifications: [hook()],
  });

function failingAt(path: RegExp, status = 500): World["service"] & object {
  const interrupt = new AbortController().signal;
  const server = testServer({ store: store(), clock: manualClock(NOW, interrupt) });
  return async (request: WireRequest) => (path.test(request.target) ? refusal(status, "No") : await server(request));
}

async function found(line: string, world: World = { store: store() }) {
  const ran = await cli(`find ${line} -o json`, world);
  return { ...ran, hits: JSON.parse(ran.stdout || "[]") as Record<string, string>[] };
}

/** An address as a parameter of a call. */
const word = (address: string) => address.slice(2).toLowerCase().padStart(64, "0");

/** Stored contexts, and a journal in which the transaction had another hash. */
const replaced = (): World => ({
  env: {},
  config: configOf("prod"),
  store: store(),
  journal: memoryJournal({
    entries: [
      intent("a", {
        operation: "tx.replace",
        ids: { relayer_id: "r1", transaction_id: ID },
        before: { id: ID, hash: EARLIER },
      }),
      outcome("a"),
    ],
  }),
});

test("finds relayers by a part of their IDs and names, in any case", async () => {
  const { hits } = await exited(0, found("TREAS"));
  expect(hits).toEqual([
    {
      kind: "relayer",
      context: SERVER,
      relayer: "r1",
      id: "r1",
      what: "Treasury, active",
      command: "relayctl relayers get r1",
    },
  ]);
});

test("finds notifications and signers by a part of their IDs", async () => {
  const world = { store: serviceWith([well()], { signers: [{ id: "ops-key", type: "local" }] }) };
  const { hits } = await found("ops", world);
  expect(hits.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["notification ops", "signer ops-key"]);
});

test("finds networks and plugins by a part of their IDs, also next to a relayer", async () => {
  const { hits } = await found("sepolia");
  expect(hits.map(({ kind, id, what }) => `${kind} ${id} ${what}`)).toEqual(["network evm:sepolia evm"]);
  const plugin = await cli("find rebal -o json");
  expect(JSON.parse(plugin.stdout)).toMatchObject([
    { kind: "plugin", id: "rebalance", command: "relayctl plugins get rebalance" },
  ]);
});

test("does not need the lists that an old service does not have", async () => {
  const ran = await found("Treasury", { service: failingAt(/\/(?:networks|plugins)\?/, 404) });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.hits).toHaveLength(1);
});

test("finds a relayer by its address, in any case", async () => {
  const { hits } = await found(ADDRESS.toLowerCase());
  expect(hits.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["relayer r1"]);
  const upper = await found(`0x${ADDRESS.slice(2).toUpperCase()}`);
  expect(upper.hits).toHaveLength(1);
  expect(
    (await found("GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM", { store: serviceWith([stellar()]) })).hits,
  ).toMatchObject([{ id: "xlm" }]);
});

test("finds a transaction by its ID, whichever relayer has it", async () => {
  const { hits } = await exited(0, found(ID));
  expect(hits).toMatchObject([
    {
      kind: "transaction",
      relayer: "r1",
      id: ID,
      what: "submitted, nonce 7",
      command: `relayctl tx get r1 ${ID}`,
    },
  ]);
});

test("finds the transactions with a nonce, and asks only EVM relayers", async () => {
  const { hits, requests } = await found("8", {
    store: serviceWith([well(), stellar()], { transactions: [record("t2", 3, { nonce: 8 })] }),
  });
  expect(hits.map(({ relayer, id }) => `${relayer} ${id}`)).toEqual(["r1 t2"]);
  expect(requests.filter(({ target }) => /xlm\/transactions/.test(target))).toEqual([]);
});

test("finds a transaction by its hash, in any case", async () => {
  for (const hash of [HASH, `0x${HASH.slice(2).toUpperCase()}`]) {
    const { hits } = await exited(0, found(hash));
    expect(hits).toMatchObject([{ kind: "transaction", relayer: "r1", id: ID }]);
  }
});

test("finds a hash from before a replacement by the journal, without reading lists of transactions", async () => {
  const { hits, requests } = await exited(0, found(EARLIER, replaced()));
  expect(hits).toMatchObject([
    { kind: "write", context: "prod", relayer: "r1", id: "run-a", command: "relayctl -c prod history show run-a" },
    { kind: "transaction", id: ID, what: "submitted, nonce 7, an earlier hash" },
  ]);
  expect(requests.filter(({ target }) => target.includes("transactions?"))).toEqual([]);
});

test("shows what the journal knows of a hash while the service does not respond", async () => {
  const { store: _, ...world } = replaced();
  const { hits, exitCode } = await found(EARLIER, { ...world, service: failingAt(/./) });
  expect(hits).toMatchObject([{ kind: "write", id: "run-a" }]);
  expect(exitCode).toBe(12);
});

test.each([
  ["the receiver of a payment", { operation: "tx.send", body: { to: ADDRESS, value: 1 } }],
  ["a receiver in other letters", { operation: "tx.send", body: { to: ADDRESS.toUpperCase().replace("0X", "0x") } }],
  ["a parameter of a call", { operation: "tx.send", body: { data: `0xa9059cbb${word(ADDRESS)}${"0".repeat(64)}` } }],
  ["the receiver before a replacement", { operation: "tx.replace", before: { id: "t1", to: ADDRESS } }],
  ["the address of a deleted relayer", { operation: "relayers.delete", before: { id: "r9", address: ADDRESS } }],
  ["a receiver that a policy allows", { operation: "relayers.update", body: { policies: { allow: [ADDRESS] } } }],
])("finds %s in the journal by the address", async (_, write) => {
  const journal = memoryJournal({ entries: [intent("a", write as object), outcome("a"), intent("b", { body: {} })] });
  const none = serviceWith([well({ address: `0x${"11".repeat(20)}` })]);
  const { hits } = await exited(0, found(ADDRESS, { ...replaced(), store: none, journal }));
  expect(hits.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["write run-a"]);
});

test("finds what has the address of a label, and refuses a label that is not one", async () => {
  const labels = { evm: { treasury: ADDRESS, both: ADDRESS }, stellar: { both: "G".padEnd(56, "A") } };
  const world = { env: {}, config: { ...configOf("prod"), labels }, store: store() };
  expect((await found("@treasury", world)).hits.map(({ id }) => id)).toEqual(["r1"]);
  await says({ exitCode: 2, requests: [] }, "find @treasurx", "did you mean @treasury?", world);
  await says({ exitCode: 2, requests: [] }, "find @both", "several network types", world);
});

test("finds the writes to a Stellar address by the address", async () => {
  const destination = "GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM";
  const body = { operations: [{ type: "payment", destination }] };
  const journal = memoryJournal({ entries: [intent("a", { operation: "tx.send", body }), outcome("a")] });
  expect((await found(destination, { ...replaced(), journal })).hits).toMatchObject([{ kind: "write", id: "run-a" }]);
  expect((await found(destination.toLowerCase(), { ...replaced(), journal })).exitCode).toBe(5);
});

test("finds the writes about what the service does not have anymore by the ID, if nothing else has it", async () => {
  const deleted = { operation: "notifications.delete", ids: { notification_id: "old-hook" }, body: undefined };
  const entries = [intent("a", deleted as object), outcome("a"), intent("b", { ids: { relayer_id: "r1" } })];
  const journal = memoryJournal({ entries });
  const gone = await found("old-hook", { ...replaced(), journal });
  expect(gone.hits).toMatchObject([
    { kind: "write", id: "run-a", what: expect.stringContaining("notifications.delete") },
  ]);
  expect((await found("r1", { ...replaced(), journal })).hits.map(({ kind }) => kind)).toEqual(["relayer"]);
});

test("leaves out writes to other services", async () => {
  const journal = memoryJournal({
    entries: [intent("a", { server: "https://other.example.org", once: "x" }), outcome("a")],
  });
  expect(await cli("find x", { ...replaced(), journal })).toMatchObject({ exitCode: 5, stdout: "" });
});

test("sends no write", async () => {
  for (const text of [HASH, ID, "8", "r1", ADDRESS])
    expect((await cli(`find ${text}`, { store: store() })).writes).toEqual([]);
});

test("prints one row for each match to a pipe, and the commands only on a terminal", async () => {
  const { stdout, stderr } = await cli("find r2", { store: store() });
  expect(stdout).toBe(`relayer\t${SERVER}\tr2\tr2\tOther, active\trelayctl relayers get r2\n`);
  expect(stderr).toBe("");
  const screen = await cli("find r2 --color never", { store: store(), terminal: true, columns: 80 });
  expect(screen.stdout).toMatch(/^ *KIND +RELAYER +ID +WHAT/);
  expect(screen.stderr).toContain("relayctl relayers get r2");
});

test("keeps control characters of the service from the terminal", async () => {
  const hostile = { store: serviceWith([well({ name: "evil\u001b[2Jname" })]) };
  const { stdout } = await cli("find evil --color never", { ...hostile, terminal: true, columns: 100 });
  expect(stdout).toContain("evil");
  expect(stdout).not.toContain("\u001b[2J");
});

describe("find and what it cannot find", () => {
  test("ends with 5 if all was searched and nothing found", async () => {
    for (const text of ["nothing", EARLIER, "99", ID.replace("0c", "1c"), `0x${"22".repeat(20)}`])
      await says({ exitCode: 5, stdout: "" }, `find ${text}`, `"${text}" not found in ${SERVER}`, { store: store() });
  });

  test("ends with 12 and shows which relayer could not be searched", async () => {
    const service = failingAt(/r2\/transactions/);
    for (const [text, hits] of [
      ["7", 1],
      ["9", 0],
    ] as const) {
      const ran = await exited(12, found(text, { service }));
      expect(ran.hits).toHaveLength(hits);
      expect(ran.stderr).toContain("r2");
    }
  });

  test("ends with the failure of the service if nothing could be searched", async () => {
    expect(await cli("find r1", { service: failingAt(/./) })).toMatchObject({ exitCode: 9, stdout: "" });
    expect(await cli("find r1", { service: failingAt(/./, 401) })).toMatchObject({ exitCode: 4, stdout: "" });
  });

  test("reports a journal that cannot be read", async () => {
    const journal = memoryJournal();
    journal.find = async () => {
      throw new RelayctlError("io", "the journal cannot be read");
    };
    await exitedSaying(12, cli("find r1", { ...replaced(), journal }), "journal: the journal cannot be read");
  });

  test("reports a hash that may be among older transactions than are searched", async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => record(`t${index}`, 5 + index, { nonce: index }));
    const transactions = [...many, record("old", 5_000, { hash: HASH })];
    const ran = await found(HASH, { store: serviceWith([well()], { transactions }) });
    expect(ran).toMatchObject({ exitCode: 12, hits: [] });
    expect(ran.stderr).toContain("only the newest 1,000 of 1,201 transactions were searched");
  });

  test("refuses a text without characters, and raw output", async () => {
    expect(await cli(["find", " "])).toMatchObject({ exitCode: 2, requests: [] });
    expect(await cli("find r1 -o raw")).toMatchObject({ exitCode: 2, requests: [] });
  });
});

describe("find --all-contexts", () => {
  const world = (): World => ({ env: {}, config: configOf("prod", "staging"), store: store() });

  test("searches the services of all contexts, and shows the context of each match", async () => {
    const { hits } = await exited(0, found("Treasury --all-contexts", world()));
    expect(hits.map(({ context, command }) => `${context}: ${command}`)).toEqual([
      "prod: relayctl -c prod relayers get r1",
      "staging: relayctl -c staging relayers get r1",
    ]);
    const screen = await cli("find Treasury --all-contexts --color never", {
      ...world(),
      terminal: true,
      columns: 100,
    });
    expect(screen.stdout).toMatch(/^ *CONTEXT +KIND +RELAYER/);
  });

  test("reads only the current context without the flag", async () => {
    const { hits } = await found("Treasury", world());
    expect(hits.map(({ context }) => context)).toEqual(["prod"]);
  });

  test("shows the context that could not be searched, and the matches of the others", async () => {
    const config = configOf("prod", "staging");
    delete config.contexts.staging?.token;
    const { hits, exitCode, stderr } = await found("Treasury --all-contexts", { ...world(), config });
    expect(hits.map(({ context }) => context)).toEqual(["prod"]);
    expect(exitCode).toBe(12);
    expect(stderr).toContain("staging");
  });

  test("refuses another target, and sends no token of the environment to all services", async () => {
    for (const flags of ["-c prod", "--server https://a.example.org", "--demo"])
      expect(await cli(`find r1 --all-contexts ${flags}`, world())).toMatchObject({ exitCode: 2, requests: [] });
    const { stderr } = await ends({ exitCode: 2, requests: [] }, "find r1 --all-contexts", {
      ...world(),
      env: { RELAYCTL_TOKEN: TOKEN },
    });
    expect(stderr).toContain("RELAYCTL_TOKEN: cannot be combined with --all-contexts");
  });

  test("refuses to search no contexts", async () => {
    const config = { version: 1, contexts: {} } as const;
    expect(await cli("find r1 --all-contexts", { ...world(), config })).toMatchObject({ exitCode: 2, requests: [] });
  });
});

test("no relayer and no ID of a match is cut, and only several contexts have a column", () => {
  const [alone, several] = [hitsView(false), hitsView(true)].map(({ table }) => table);
  expect(alone?.map(({ header }) => header)).toEqual(["kind", "relayer", "id", "what"]);
  expect(several?.map(({ header }) => header)).toEqual(["context", "kind", "relayer", "id", "what"]);
  for (const { header, whole } of several ?? [])
    if (["relayer", "id", "context"].includes(header)) expect([header, whole]).toEqual([header, true]);
});
