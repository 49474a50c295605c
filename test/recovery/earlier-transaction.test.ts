import type { WireReply, WireRequest } from "../../src/contract/wire.ts";
import { RelayctlError } from "../../src/errors.ts";
import type { Intent } from "../../src/journal/journal.ts";
import { type Fault, isSend, KEYED, type KeyedWorld, keyedWorld, PAY } from "../commands/tx/once/keyed-world.ts";
import { LINE, type PayingWorld, payingWorld, rowsIn } from "../commands/tx/send-many/paying-world.ts";
import { exited } from "../helpers/exited.ts";
import { TEST_TIME } from "../helpers/manual-clock.ts";
import { type MemoryJournal, memoryJournal, outcomesIn } from "../helpers/memory/journal.ts";
import { refusal } from "../helpers/service/reply.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const OLD = "70000000-0000-4000-9000-00000000000a";

interface Changes {
  id?: string;
  hash?: string;
  nonce?: number;
  /** Milliseconds by which the record is older than it is. */
  age?: number;
  date?: string;
  created_at?: string | null;
}

function answering({ age, date, ...members }: Changes): Fault {
  return async (request, answer) => {
    const reply = await answer();
    if (!isSend(request) || reply.status >= 300) return reply;
    const { data, ...rest } = JSON.parse(new TextDecoder().decode(reply.body));
    const created = age === undefined ? {} : { created_at: new Date(Date.parse(data.created_at) - age).toISOString() };
    const body = new TextEncoder().encode(JSON.stringify({ ...rest, data: { ...data, ...members, ...created } }));
    return { ...reply, body, ...(date !== undefined && { headers: { ...reply.headers, date } }) } as WireReply;
  };
}

function fail(): never {
  throw new RelayctlError("io", "journal: input/output error");
}

/** A journal whose disk fails. */
function lostJournal(): MemoryJournal {
  const failing = async () => fail();
  const newestFirst = async function* () {
    yield fail();
  };
  return Object.assign(memoryJournal(), { append: failing, find: failing, newestFirst });
}

/** What a run says that does not believe a response, and what the journal keeps of it. */
async function isDoubted(world: KeyedWorld, line: string, fault: Fault): Promise<string> {
  const ran = await exited({ exitCode: 11, stdout: "" }, world.run(line, {}, fault));
  expect(ran.stderr).toContain("unknown whether the request was applied: the response has transaction ");
  expect(ran.stderr).toContain(", which existed before the request");
  expect(ran.stderr).toContain("relayctl -c prod tx list base-hot");
  const last = outcomesIn(world).at(-1);
  expect(last).toMatchObject({ applied: "unknown" });
  expect(last).not.toHaveProperty("after");
  return ran.stderr;
}

describe("a response with a transaction that existed before the request is not believed", () => {
  test.each([PAY, KEYED, `${PAY} --wait --no-chain`])("%s: an earlier run has its ID", async (line) => {
    const world = keyedWorld();
    await world.run(PAY);
    const [first = ""] = world.accepted;
    expect(await isDoubted(world, line, answering({ id: first }))).toMatch(/run \S+ had it before/);
  });

  test("an earlier run has its ID, and the journal can be read but no longer written", async () => {
    const world = keyedWorld();
    await world.run(PAY);
    const [first = ""] = world.accepted;
    world.journal.append = () => Promise.reject(new RelayctlError("io", "no space left on the device"));
    const ran = await exited({ exitCode: 11, stdout: "" }, world.run(PAY, {}, answering({ id: first })));
    expect(ran.stderr).toContain("warning: this write is not recorded: no space left on the device");
    expect(ran.stderr).toContain(", which existed before the request");
  });

  test.each([
    ["read or written", lostJournal()],
    ["opened", Object.assign(lostJournal(), { newId: fail })],
  ])("the journal cannot be %s, and the list has its ID", async (_, journal) => {
    const world = keyedWorld();
    await world.run(PAY);
    const [id = ""] = world.accepted;
    const ran = await exited({ exitCode: 11, stdout: "" }, world.run(PAY, { journal }, answering({ id })));
    expect(ran.stderr).toContain("the relayer had it before");
    expect(ran.stderr).not.toContain("not compared");
    expect(await world.run(PAY, { journal })).toMatchObject({ exitCode: 0 });
  });

  test("an earlier run has its hash", async () => {
    const world = keyedWorld();
    const hash = `0x${"a".repeat(64)}`;
    expect(await world.run(PAY, {}, answering({ hash }))).toMatchObject({ exitCode: 0 });
    await isDoubted(world, PAY, answering({ hash }));
  });

  test("another command canceled it before", async () => {
    const world = keyedWorld();
    await world.run(PAY);
    const [first = ""] = world.accepted;
    await world.run(`tx cancel base-hot ${first}`);
    world.journal.entries.splice(0, 2);
    await isDoubted(world, PAY, answering({ id: first }));
  });

  test("another command canceled it before this clock was set back", async () => {
    const world = keyedWorld();
    await world.run(PAY);
    const [first = ""] = world.accepted;
    await world.run(`tx cancel base-hot ${first}`);
    world.journal.entries.splice(0, 2);
    for (const entry of world.journal.entries) entry.time = new Date(Date.parse(entry.time) + MINUTE).toISOString();
    await isDoubted(world, PAY, answering({ id: first }));
  });

  test("its nonce is not above one that was used before", async () => {
    for (const nonce of [6, 7]) {
      const world = keyedWorld();
      expect(await world.run(PAY, {}, answering({ nonce: 7 }))).toMatchObject({ exitCode: 0 });
      const stderr = await isDoubted(world, PAY, answering({ id: OLD, nonce }));
      expect(stderr).toContain(`it has nonce ${nonce}, and nonce 7 was used before the request`);
    }
    const world = keyedWorld();
    await world.run(PAY, {}, answering({ nonce: 7 }));
    expect(await world.run(PAY, {}, answering({ nonce: 8 }))).toMatchObject({ exitCode: 0 });
  });

  test("it was created long before, by every clock that is known", async () => {
    const world = keyedWorld();
    const date = new Date(TEST_TIME).toUTCString();
    expect(await isDoubted(world, PAY, answering({ age: 31 * MINUTE, date }))).toContain("it was created at 20");
    // An accepted response shows the service's clock.
    expect(await world.run(PAY)).toMatchObject({ exitCode: 0 });
    await isDoubted(world, PAY, answering({ age: 2 * MINUTE }));
    await isDoubted(world, PAY, answering({ age: 31 * DAY }));
  });

  test("a later run neither takes it for its own nor sends again", async () => {
    const world = keyedWorld();
    await world.run(PAY);
    await isDoubted(world, KEYED, answering({ id: world.accepted[0] ?? "" }));
    const sent = world.accepted.length;
    // The record that the service created nevertheless stands in the list, and is found there.
    const again = await exited({ exitCode: 0, writes: [] }, world.run(`${KEYED} -o json`));
    expect(JSON.parse(again.stdout).id).toBe(world.accepted[1]);
    expect(world.accepted).toHaveLength(sent);
  });
});

describe("a response is believed", () => {
  test.each<[string, Changes]>([
    ["whose record is older than this clock shows, since clocks differ by minutes", { age: 20 * MINUTE }],
    ["whose record has no time", { created_at: null }],
    ["whose record is from the future", { age: -2 * DAY }],
    ["although the Date of a proxy is hours ahead", { date: "Fri, 31 Dec 2027 00:00:00 GMT" }],
    ["although the Date of a proxy is none", { date: "now" }],
  ])("%s", async (_, changes) => {
    const world = keyedWorld();
    for (let run = 0; run < 3; run++)
      expect(await world.run(PAY, {}, answering(changes))).toMatchObject({ exitCode: 0 });
  });

  test("whose record is as old as the Date of the response, however wrong this clock is", async () => {
    const world = keyedWorld();
    const created_at = "2026-11-20T00:00:00Z";
    const changes = { created_at, date: new Date(created_at).toUTCString() };
    expect(await world.run(PAY, {}, answering(changes))).toMatchObject({ exitCode: 0 });
  });

  test("if neither the journal nor the list can be read, which is a warning", async () => {
    const world = keyedWorld();
    const ran = await world.run(PAY, { journal: lostJournal() }, (request, answer) =>
      request.method === "GET" && /transactions/.test(request.target)
        ? Promise.resolve(refusal(403, "Forbidden"))
        : answer(),
    );
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toMatch(/^warning: this write is not recorded: /m);
    expect(ran.stderr).toMatch(/^warning: its transaction is not compared with earlier ones: /m);
  });

  test("if the journal cannot be read, which is a warning", async () => {
    const journal = memoryJournal();
    const world = keyedWorld(journal);
    journal.find = async () => {
      throw new RelayctlError("io", "journal: cannot be read");
    };
    const ran = await exited({ exitCode: 0 }, world.run(PAY));
    expect(ran.stderr).toContain("warning: its transaction is not compared with earlier ones: journal: cannot be read");
  });
});

test.each([
  [PAY, 0],
  [KEYED, 11],
])("an accepted payment whose journal then fails is reported with its ID: %s", async (line, exitCode) => {
  const world = keyedWorld();
  const { journal } = world;
  const whole = { ...journal };
  const failing = <T>(works: T): T =>
    ((...args: unknown[]) => {
      if (world.accepted.length > 0) throw new RelayctlError("io", "journal: input/output error");
      return (works as (...args: unknown[]) => unknown)(...args);
    }) as T;
  const { append, find, newestFirst } = whole;
  Object.assign(journal, { append: failing(append), find: failing(find), newestFirst: failing(newestFirst) });
  const ran = await exited(exitCode, world.run(line));
  expect(ran.stderr).toContain(`transaction ${world.accepted[0]}`);
  expect(ran.stderr).toContain("warning: its outcome is not recorded: journal: input/output error\n");
  expect(world.accepted).toHaveLength(1);
});

test("a response whose record only this clock shows to be old may have existed before", async () => {
  const world = keyedWorld();
  const ran = await exited(11, world.run(PAY, {}, answering({ age: 31 * MINUTE })));
  expect(ran.stderr).toContain(`transaction ${world.accepted[0]}, which may have existed before the request`);
  expect(ran.stderr).toContain("; only this machine's clock shows that this was earlier\n");
});

describe("a required journal that cannot be read once a payment is accepted", () => {
  const failingWorld = () => {
    const journal = memoryJournal();
    const world = keyedWorld(journal);
    const { find } = journal;
    journal.find = async (key) => {
      if (world.accepted.length > 0) throw new RelayctlError("io", "journal: cannot be read");
      return await find(key);
    };
    return world;
  };

  test("makes its response unknown, with its ID", async () => {
    const world = failingWorld();
    const ran = await exited({ exitCode: 11, stdout: "" }, world.run(KEYED));
    expect(ran.stderr).toContain(`transaction ${world.accepted[0]}, which may have existed before the request`);
    expect(ran.stderr).toContain("journal: cannot be read");
  });

  test("still leaves the newest transaction after a lost response", async () => {
    const world = failingWorld();
    const losing: Fault = async (request, answer) => {
      const reply = await answer();
      return isSend(request) ? refusal(504, "Gateway Timeout") : reply;
    };
    const ran = await exited(11, world.run(KEYED, {}, losing));
    expect(ran.stderr).toContain(`the newest transaction of the relayer is ${world.accepted[0]}, `);
    expect(ran.stderr).toContain(": it matches the request and may be its result\n");
  });
});

describe("a row of send-many", () => {
  test.each<[string, Changes | "first"]>([
    ["whose response has the ID of an earlier run", "first"],
    ["whose record is a month old", { id: OLD, age: 31 * DAY }],
  ])("%s is unknown, is looked for, and is not sent again by itself", async (_, changes) => {
    const world = payingWorld(1);
    await world.run(LINE);
    const [first] = outcomesIn(world).flatMap(({ after }) => (typeof after?.id === "string" ? after.id : []));
    const fault = answering(changes === "first" ? { id: first ?? "" } : changes);
    const ran = await world.run(`${LINE} --again -o json`, fault);
    const paid = world.paid.length;
    expect(paid).toBe(2);
    // Its record is found in the list at once.
    expect(rowsIn(ran)).toMatchObject([{ state: "sent" }]);
    expect(rowsIn(ran)[0]?.transaction_id).not.toBe(first);
    expect(await world.run(`${LINE} --resume`)).toMatchObject({ exitCode: 0, writes: [] });
    expect(world.paid).toHaveLength(paid);
  });

  /** Responds to a row with the ID of another transaction, and creates none. */
  const withId = (request: WireRequest, id: string): WireReply => {
    const data = { ...JSON.parse(request.body ?? "{}"), id, status: "pending", data: null };
    const text = JSON.stringify({ success: true, data, error: null });
    return { status: 201, headers: {}, body: new TextEncoder().encode(text) };
  };
  const appliedIds = (world: Pick<PayingWorld, "journal">) =>
    outcomesIn(world).flatMap(({ applied, after }) => (applied === "yes" ? String(after?.id) : []));

  test.each([1, 3])("with the ID of another row is unknown, with %i in flight", async (inFlight) => {
    const world = payingWorld(3);
    let first: Promise<WireReply> | undefined;
    const repeating: Fault = async (request, answer) => {
      if (!isSend(request)) return await answer();
      const isFirst = first === undefined;
      first ??= answer();
      const reply = await first;
      return isFirst ? reply : withId(request, JSON.parse(new TextDecoder().decode(reply.body)).data.id);
    };
    const ran = await world.run(`${LINE} --concurrency ${inFlight} -o json`, repeating);
    expect(rowsIn(ran).filter(({ state }) => state === "sent")).toHaveLength(1);
    expect(rowsIn(ran).filter(({ state }) => state === "unknown")).toHaveLength(2);
    expect(appliedIds(world)).toHaveLength(1);
    expect(await world.run(`${LINE} --resume -o json`)).toMatchObject({ exitCode: 11, writes: [] });
    expect(appliedIds(world)).toHaveLength(1);
  });

  test("with the ID of a row of an earlier part of its run is unknown", async () => {
    const world = payingWorld(2);
    await world.run(`${LINE} --concurrency 1`, async (request, answer) =>
      isSend(request) && world.paid.length === 1 ? refusal(400, "Bad Request") : await answer(),
    );
    const [first = ""] = appliedIds(world);
    const ran = await world.run(`${LINE} --resume -o json`, async (request, answer) =>
      isSend(request) ? withId(request, first) : await answer(),
    );
    expect(rowsIn(ran).map(({ state }) => state)).toEqual(["sent", "unknown"]);
    expect(appliedIds(world)).toEqual([first]);
  });

  test("with an ID that another process recorded during the run is unknown", async () => {
    const world = payingWorld(2);
    const ran = await world.run(`${LINE} --concurrency 1 -o json`, async (request, answer) => {
      if (!isSend(request) || world.paid.length === 0) return await answer();
      const own = world.journal.entries.findLast(
        (entry): entry is Intent => entry.type === "intent" && !!entry.payment,
      );
      const theirs = { ...own, id: "their-write", run: "their-run" } as Intent;
      const { time, run, id } = theirs;
      world.journal.entries.push(theirs, { type: "outcome", id, run, time, applied: "yes", after: { id: OLD } });
      return withId(request, OLD);
    });
    expect(rowsIn(ran).map(({ state }) => state)).toEqual(["sent", "unknown"]);
    expect(appliedIds(world).filter((each) => each === OLD)).toHaveLength(1);
  });

  test("stays unknown if only the transaction of an earlier run is in the list", async () => {
    const world = payingWorld(1);
    await world.run(LINE);
    const first = outcomesIn(world).find(({ after }) => after)?.after ?? {};
    const repeating: Fault = async (request, answer) =>
      isSend(request) ? withId(request, String(first.id)) : await answer();
    const ran = await exited(11, world.run(`${LINE} --again -o json`, repeating));
    expect(rowsIn(ran)).toMatchObject([{ state: "unknown", transaction_id: null }]);
    await exited({ exitCode: 11, writes: [] }, world.run(`${LINE} --resume -o json`));
    expect(world.paid).toHaveLength(1);
  });
});
