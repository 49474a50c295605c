import type { JsonObject } from "../../src/contract/json.ts";
import type { Entry, Intent } from "../../src/journal/journal.ts";
import type { Mined } from "../chain/fake-chain.ts";
import { intent, outcome } from "../commands/history/recorded.ts";
import { type Fault, isSend, KEYED, keyedWorld, loseRequest, PAY } from "../commands/tx/once/keyed-world.ts";
import { sendWith } from "../commands/tx/send-many/library-world.ts";
import { LINE, payingWorld, rowsIn } from "../commands/tx/send-many/paying-world.ts";
import { rpcReply } from "../commands/tx/waiting-service.ts";
import { sampled } from "../helpers/deep.ts";
import { TEST_TIME } from "../helpers/manual-clock.ts";
import type { MemoryJournal } from "../helpers/memory/journal.ts";
import { refusal, success, wholeList } from "../helpers/service/reply.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OWN = "own";

const CHAIN_ID = 8453;
const BLOCK = 12 * SECOND;
const HEIGHT = 2_000;
const MINED = `0x${"a".repeat(64)}`;
const FROM = "0x8ba1f109551bd432803012645ac136ddd64dba72";

/** What a user says became of a request whose response was lost. A request that certainly was not sent is retried. */
type Answer = { sent: string } | "unknown" | "not sent";

/** What the service and the journal show besides a lost request. */
interface Scene {
  records: readonly JsonObject[];
  before?: readonly Entry[];
  after?: readonly Entry[];
  /** Headers of the list. */
  headers?: Record<string, string>;
  /** The transactions of the relayer's address on the chain, by nonce; a node that does not respond if absent. */
  chain?: readonly Omit<Mined, "from" | "nonce">[] | undefined;
  /** Seconds since the newest block of the node. */
  age?: number;
  /** The newest blocks whose state the node has (default: all). */
  state?: number;
  indexed?: boolean;
}

interface Case {
  scene(own: Intent): Scene;
  answer: Answer;
  /** Milliseconds from the request to the question (default: 0). */
  later?: number;
  /** How many milliseconds the `Date` of the responses before the request is later than this machine's clock. */
  dateAhead?: number;
  /** Whether the row is not sent again, also not if the user says that it was not sent. */
  isHeld?: boolean;
}

function isoAt({ time }: Intent, milliseconds: number): string {
  return new Date(Date.parse(time) + milliseconds).toISOString();
}

/** A record that agrees with a request, created so many milliseconds after it. */
function recordOf(own: Intent, milliseconds: number | undefined, more: JsonObject = {}): JsonObject {
  const { to, value, gas_limit, speed } = own.body as JsonObject;
  const created_at = milliseconds === undefined ? null : isoAt(own, milliseconds);
  const shown = { id: OWN, relayer_id: "base-hot", status: "pending", hash: null, nonce: null, data: null, created_at };
  return { ...shown, from: FROM, to, value, gas_limit, speed, ...more } as JsonObject;
}

/** A write of another run that sends the same, so many milliseconds after a request. */
function equalSend(own: Intent, milliseconds: number, id = "other"): Intent {
  const { operation, kind, method, target, ids, body } = own;
  return intent(`other ${id}`, {
    operation,
    kind,
    method,
    target,
    ids,
    body,
    time: isoAt(own, milliseconds),
  } as Intent);
}

function answered(own: Intent, milliseconds: number, created: number, id = "other"): Entry[] {
  const sent = equalSend(own, milliseconds, id);
  const after = { id, created_at: isoAt(own, milliseconds + created) };
  return [sent, outcome(sent.id, { time: isoAt(own, milliseconds + 100), after })];
}

const one = (milliseconds: number | undefined, more?: JsonObject): Case["scene"] => {
  return (own) => ({ records: [recordOf(own, milliseconds, more)] });
};
const HELD = { answer: "unknown", isHeld: true } as const;
const SENT = { answer: { sent: OWN } } as const;

/** The relayer's earlier responses show that the service's clock is 20 minutes ahead. */
const ahead = (created: number): Case["scene"] => {
  return (own) => ({ records: [recordOf(own, created)], before: answered(own, -HOUR, 20 * MINUTE + 50) });
};

/** A clock that was 20 minutes late an hour ago, and was set right since then. */
const setRight = (created: number): Case["scene"] => {
  return (own) => ({
    records: [recordOf(own, created)],
    before: [
      ...answered({ ...own, body: { value: "7" } }, -HOUR, 20 * MINUTE + 50, "late"),
      ...answered({ ...own, body: { value: "7" } }, -MINUTE, 50, "right"),
    ],
  });
};

const CASES: Readonly<Record<string, Case>> = {
  "no record": { scene: () => ({ records: [] }), answer: "unknown" },
  "a record from just after it": { scene: one(SECOND), ...SENT },
  "a record from 2 seconds before it": { scene: one(-2 * SECOND), ...SENT },
  "a record from 3 seconds before it": { scene: one(-3 * SECOND), ...HELD },
  "a record from 70 minutes after it": {
    later: 71 * MINUTE,
    scene: (own) => ({ records: [recordOf(own, 70 * MINUTE)], chain: [] }),
    ...SENT,
  },
  "a record from 70 minutes after it, and a chain that cannot be asked": { scene: one(70 * MINUTE), ...HELD },
  "a record from 71 minutes after it": { scene: one(71 * MINUTE), ...HELD },
  "a record from two days before it": { scene: one(-2 * DAY), answer: "unknown" },
  "a record from just after it, by a clock that was set right": { scene: setRight(SECOND), ...HELD },
  "a record from 3 seconds before it, by a clock that was set right": { scene: setRight(-3 * SECOND), ...HELD },
  "a record without a time": { scene: one(undefined), ...HELD },
  "a record whose time cannot be read": { scene: one(0, { created_at: "just now" }), ...HELD },
  "a record whose time is no text": { scene: one(0, { created_at: { at: 1 } }), ...HELD },
  "a record from the first moment of 1970": { scene: one(0, { created_at: "1970-01-01T00:00:00Z" }), ...HELD },
  "a record with another value": { scene: one(SECOND, { value: "7" }), answer: "unknown" },
  "a record with another gas limit": { scene: one(SECOND, { gas_limit: 29_999 }), answer: "unknown" },
  "two records": { scene: (own) => ({ records: [recordOf(own, 1), recordOf(own, 2, { id: "two" })] }), ...HELD },
  "an equal payment of last month, before it in the list": {
    scene: (own) => ({ records: [recordOf(own, -30 * DAY, { id: "old" }), recordOf(own, SECOND)] }),
    ...SENT,
  },
  "an equal payment of last month, after it in the list": {
    scene: (own) => ({ records: [recordOf(own, SECOND), recordOf(own, -30 * DAY, { id: "old" })] }),
    ...SENT,
  },
  "a list in the wrong order": {
    scene: (own) => ({
      records: [3, 1, 2].map((at) => recordOf(own, at * SECOND, at === 1 ? {} : { id: `r${at}`, value: `${at}` })),
    }),
    ...SENT,
  },
  "a list whose Date is hours ahead": {
    scene: (own) => ({ records: [recordOf(own, SECOND)], headers: { date: "Fri, 31 Dec 2027 00:00:00 GMT" } }),
    ...SENT,
  },
  "a record that another run has": {
    scene: (own) => ({ records: [recordOf(own, SECOND)], after: answered(own, 500, 100, OWN) }),
    answer: "unknown",
  },
  "a record that another run has, and its own": {
    scene: (own) => ({
      records: [recordOf(own, SECOND, { id: "theirs" }), recordOf(own, 2 * SECOND)],
      after: answered(own, 500, 100, "theirs"),
    }),
    ...SENT,
  },
  "an equal request of unknown outcome": {
    scene: (own) => ({ records: [recordOf(own, SECOND)], after: [equalSend(own, 500)] }),
    ...HELD,
  },
  "an equal request of unknown outcome, last month": {
    scene: (own) => ({ records: [recordOf(own, SECOND)], before: [equalSend(own, -30 * DAY)] }),
    ...SENT,
  },
  "an equal request that was refused": {
    scene: (own) => ({
      records: [recordOf(own, SECOND)],
      after: [equalSend(own, 500), outcome("other other", { time: isoAt(own, 600), applied: "no" })],
    }),
    ...SENT,
  },
  "a record from just after it, by a clock that is an hour behind a Date": {
    scene: one(SECOND),
    dateAhead: HOUR,
    ...SENT,
  },
  "a clock that is 20 minutes ahead": { scene: ahead(20 * MINUTE + SECOND), ...SENT },
  "a clock that is 20 minutes ahead, and a record from before it": { scene: ahead(19 * MINUTE), ...HELD },
  "a record that was canceled since": {
    scene: (own) => ({
      records: [recordOf(own, SECOND, { to: FROM, value: "0x0" })],
    }),
    ...HELD,
  },
};

/** Transactions of the chain: a match for a request, and another one. */
const alike = ({ body }: Intent, minutes: number, more: Partial<Mined> = {}) => {
  const { to, value, gas_limit } = body as { to: string; value: bigint; gas_limit: number };
  return { hash: MINED, to, value: BigInt(value), gas: Number(gas_limit), block: blockAfter(minutes), ...more };
};
const foreign = (minutes: number) => ({ hash: `0x${"f".repeat(64)}`, to: FROM, value: 9n, block: blockAfter(minutes) });
/** The number of the block that was mined so many minutes after the request, if it was made three hours ago. */
const blockAfter = (minutes: number) => HEIGHT - Math.round((3 * HOUR - minutes * MINUTE) / BLOCK);

/** No record is left three hours later, and the chain decides if it can (facts 17.1). */
const gone = (chain: (own: Intent) => Scene["chain"], more: (own: Intent) => Partial<Scene> = () => ({})) => ({
  later: 3 * HOUR,
  scene: (own: Intent): Scene => ({ records: [], chain: chain(own), ...more(own) }),
});

/** A node that shows no earlier state, and the transaction of the late record there, with its nonce. */
const PRUNED = { state: 10, indexed: false };
const LATE = `0x${"c".repeat(64)}`;
const lateRecord = (own: Intent, nonce: number) => recordOf(own, 2 * MINUTE, { nonce, hash: LATE });
const earlierRecord = (own: Intent, more: JsonObject = {}) =>
  recordOf(own, -31 * MINUTE, { id: "earlier", value: "7", nonce: 0, hash: foreign(0).hash, ...more });
const replacedRecord = (own: Intent) => earlierRecord(own, { nonce: 1, hash: `0x${"e".repeat(64)}` });

const BY_CHAIN: Readonly<Record<string, Case>> = {
  "a record from years after it, since the clock was wrong": {
    later: 3 * HOUR,
    scene: (own) => ({ records: [recordOf(own, 56 * 365 * DAY, { nonce: 3 })], chain: [foreign(20)] }),
    ...HELD,
  },
  "a record from days before it": {
    later: 3 * HOUR,
    scene: (own) => ({ records: [recordOf(own, -3 * DAY, { nonce: 3 })], chain: [foreign(20)] }),
    ...HELD,
  },
  "no record, and its transaction on the chain": {
    ...gone((own) => [foreign(-30), alike(own, 1), foreign(20)]),
    answer: { sent: MINED },
  },
  "no record, and nothing of the relayer on the chain": { ...gone(() => []), answer: "not sent" },
  "no record, and nonces that all belong to others": { ...gone(() => [foreign(1), foreign(2)]), answer: "not sent" },
  "no record, and a transaction of the chain with another gas limit": {
    ...gone((own) => [alike(own, 1, { gas: 99 })]),
    answer: "not sent",
  },
  "no record, and a transaction of the chain that another run has": {
    ...gone(
      (own) => [alike(own, 1)],
      (own) => ({
        after: [
          equalSend(own, 500),
          outcome("other other", { time: isoAt(own, 600), after: { id: "x", hash: MINED } }),
        ],
      }),
    ),
    answer: "not sent",
  },
  "no record, and two transactions of the chain that agree with it": {
    ...gone((own) => [alike(own, 1), alike(own, 2, { hash: `0x${"b".repeat(64)}` })]),
    ...HELD,
  },
  "no record, and a transaction of the chain from long before": { ...gone((own) => [alike(own, -60)]), ...HELD },
  "no record, and a transaction of the chain that may be of an equal request": {
    ...gone(
      (own) => [alike(own, 1)],
      (own) => ({ after: [equalSend(own, 500)] }),
    ),
    ...HELD,
  },
  "no record, and a transaction that waits in the pool": {
    ...gone((own) => [{ ...foreign(1), block: undefined } as never, alike(own, 1, { gas: 99 })].slice(0, 1)),
    answer: "unknown",
  },
  "no record, and its transaction on the chain, whose record shows another version": {
    ...gone(
      (own) => [foreign(-30), alike(own, 1)],
      (own) => ({ records: [earlierRecord(own, { nonce: 1, hash: LATE })] }),
    ),
    ...HELD,
  },
  "a late record, and a transfer of nothing without a record, which may be its cancellation": {
    ...gone(
      (own) => [{ ...foreign(1), value: 0n }, alike(own, 3, { hash: LATE })],
      (own) => ({ records: [lateRecord(own, 1)] }),
    ),
    ...HELD,
  },
  "no record, and a transfer of nothing, which may be its cancellation": {
    ...gone(() => [{ ...foreign(1), value: 0n }]),
    answer: "unknown",
  },
  "no record, and a chain that cannot be asked": { ...gone(() => undefined), answer: "unknown" },
  "no record, and nothing on the chain yet": { ...gone(() => []), later: HOUR, answer: "unknown" },
  "no record, and nothing on the chain, by a clock that was 2 hours behind": {
    ...gone(
      () => [],
      (own) => ({ before: answered({ ...own, body: { value: "7" } }, -HOUR, 2 * HOUR + 50) }),
    ),
    answer: "unknown",
  },
  "no record, and nothing on the chain, by a clock that is 2 hours behind a Date": {
    ...gone(() => []),
    dateAhead: 2 * HOUR,
    answer: "unknown",
  },
  "no record, and nothing on the chain, by a clock that is an hour behind a Date": {
    ...gone(() => []),
    dateAhead: HOUR,
    answer: "not sent",
  },
  "no record, and nothing on the chain, by a clock that is hours ahead of a Date": {
    ...gone(() => []),
    dateAhead: -9 * HOUR,
    answer: "not sent",
  },
  "no record, and its transaction on the chain, by a clock that is an hour behind a Date": {
    ...gone((own) => [alike(own, 1)]),
    dateAhead: HOUR,
    answer: { sent: MINED },
  },
  "no record, and a transaction of the chain from 10 minutes before it, by a clock that is 20 minutes behind": {
    ...gone(
      (own) => [alike(own, 10)],
      (own) => ({ before: answered({ ...own, body: { value: "7" } }, -HOUR, 20 * MINUTE + 50) }),
    ),
    ...HELD,
  },
  "no record, and nothing on the chain of a node that is behind": {
    ...gone(
      () => [],
      () => ({ age: 600 }),
    ),
    answer: "unknown",
  },
  "no record, and its transaction on the chain of a node that is behind": {
    ...gone(
      (own) => [{ ...alike(own, 1), block: blockAfter(11) }],
      () => ({ age: 600 }),
    ),
    answer: { sent: MINED },
  },
  "a late record, and a node that is behind": {
    ...gone(
      () => [],
      (own) => ({ records: [recordOf(own, 2 * MINUTE, { nonce: 7 })], age: 600 }),
    ),
    ...HELD,
  },
  "a late record, and a transaction of the chain that agrees with it too": {
    ...gone(
      (own) => [alike(own, 1)],
      (own) => ({ records: [recordOf(own, 2 * MINUTE, { nonce: 7 })] }),
    ),
    ...HELD,
  },
  "a late record, and one of the chain that agrees with it, by a clock that is 10 minutes ahead": {
    ...gone(
      (own) => [alike(own, -9)],
      (own) => ({
        records: [recordOf(own, -8 * MINUTE, { nonce: 7 })],
        before: answered(own, -HOUR, -10 * MINUTE + 50),
      }),
    ),
    ...HELD,
  },
  "a late record, and a node without old state": {
    ...gone(
      () => [foreign(-30), foreign(2)],
      (own) => ({ ...PRUNED, records: [lateRecord(own, 7)] }),
    ),
    ...HELD,
  },
  "a late record, a node without old state, and records of all nonces since then": {
    ...gone(
      (own) => [foreign(-30), alike(own, 3, { hash: LATE })],
      (own) => ({ ...PRUNED, records: [earlierRecord(own), lateRecord(own, 1)] }),
    ),
    ...SENT,
  },
  "a late record, and a node without old state whose blocks have nothing else": {
    ...gone(
      (own) => [foreign(-30), alike(own, 3, { hash: LATE })],
      (own) => ({ ...PRUNED, records: [lateRecord(own, 1)] }),
    ),
    ...SENT,
  },
  "a late record, and a node without old state whose blocks have another transaction that agrees": {
    ...gone(
      (own) => [foreign(-30), alike(own, 1), alike(own, 3, { hash: LATE })],
      (own) => ({ ...PRUNED, records: [lateRecord(own, 2)] }),
    ),
    ...HELD,
  },
  "a late record, a node without old state, and a record of that nonce without a hash": {
    ...gone(
      (own) => [foreign(-30), foreign(1), alike(own, 3, { hash: LATE })],
      (own) => ({ ...PRUNED, records: [earlierRecord(own, { nonce: 1, hash: null }), lateRecord(own, 2)] }),
    ),
    ...SENT,
  },
  "a late record, a node without old state, and an earlier record that shows another version": {
    ...gone(
      (own) => [foreign(-30), foreign(1), alike(own, 3, { hash: LATE })],
      (own) => ({ ...PRUNED, records: [replacedRecord(own), lateRecord(own, 2)] }),
    ),
    ...SENT,
  },
  "a late record, a node without old state, and another version of an earlier record that agrees": {
    ...gone(
      (own) => [foreign(-30), alike(own, 1), alike(own, 3, { hash: LATE })],
      (own) => ({ ...PRUNED, records: [replacedRecord(own), lateRecord(own, 2)] }),
    ),
    ...HELD,
  },
  "a late record, and a node without old state whose newest transaction has no record": {
    ...gone(
      (own) => [foreign(-30), alike(own, 3, { hash: LATE }), foreign(5)],
      (own) => ({ ...PRUNED, records: [earlierRecord(own), lateRecord(own, 1)] }),
    ),
    ...HELD,
  },
  "a late record, and a transaction of the chain from before the request": {
    ...gone(
      (own) => [alike(own, -60)],
      (own) => ({ records: [recordOf(own, 2 * MINUTE, { nonce: 7 })] }),
    ),
    ...SENT,
  },
  "a record, whatever the chain has": {
    ...gone(
      () => [foreign(1)],
      (own) => ({ records: [recordOf(own, SECOND)] }),
    ),
    ...SENT,
  },
};

function staged(journal: MemoryJournal, { scene, later = 0 }: Case): Fault {
  const own = journal.entries.find((entry) => entry.type === "intent" && entry.operation === "tx.send") as Intent;
  const { records, before = [], after = [], headers = {}, chain, age = 0, ...kept } = scene(own);
  const transactions = chain?.map((each, nonce) => ({ ...each, from: FROM, nonce }));
  const node = {
    height: HEIGHT,
    chainId: CHAIN_ID,
    age: age - later / SECOND,
    transactions: transactions ?? [],
    ...kept,
  };
  journal.entries.unshift(...before);
  journal.entries.push(...after);
  return async (request, answer) => {
    if (request.target.endsWith("/rpc"))
      return chain ? await rpcReply(node, request.body ?? "") : refusal(503, "An unknown error occurred");
    const [, id] = /\/transactions(?:\/([^/?]+))?(?:\?|$)/.exec(request.target) ?? [undefined, ""];
    if (request.method !== "GET" || id === "") return await answer();
    if (id === undefined) return { ...wholeList(records), headers };
    const record = records.find((each) => each.id === id);
    return record ? success(record) : refusal(404, `Transaction with ID ${id} not found`);
  };
}

/** Loses the request, after responses with another clock. */
function losing({ dateAhead = 0 }: Case): Fault {
  const headers = { date: new Date(TEST_TIME + dateAhead).toUTCString() };
  return async (request, answer) => {
    const reply = await loseRequest(request, answer);
    return dateAhead === 0 ? reply : { ...reply, headers: { ...reply.headers, ...headers } };
  };
}

async function byOnce(at: Case): Promise<Answer> {
  const world = keyedWorld();
  expect(await world.run(KEYED, {}, losing(at))).toMatchObject({ exitCode: 11 });
  const fault = staged(world.journal, at);
  await world.pass(at.later ?? 0);
  const ran = await world.run(`${KEYED} -o json`, {}, fault);
  if (ran.writes.some(isSend)) return "not sent";
  // The record is gone, and the chain has the transaction.
  if (ran.exitCode === 5) return { sent: /0x[0-9a-f]{64}/.exec(ran.stderr)?.[0] ?? "" };
  if (ran.exitCode !== 0) return answerOf(ran.exitCode);
  const { id, hash } = JSON.parse(ran.stdout);
  return { sent: id ?? hash };
}

async function bySettling(at: Case): Promise<Answer> {
  const world = keyedWorld();
  expect(await world.run(PAY, {}, losing(at))).toMatchObject({ exitCode: 11 });
  const fault = staged(world.journal, at);
  await world.pass(at.later ?? 0);
  const [own] = world.journal.entries.filter(({ id }) => !id.startsWith("other"));
  await world.run("history settle", {}, fault);
  const settled = world.journal.entries.findLast((entry) => entry.type === "outcome" && entry.id === own?.id);
  if (settled?.type !== "outcome") throw new Error("no outcome");
  const { applied, after } = settled;
  if (applied === "no") return "not sent";
  return applied === "yes" ? { sent: String(after?.id ?? after?.hash) } : answerOf(applied);
}

async function byResuming(at: Case): Promise<Answer> {
  const world = payingWorld(1);
  expect(await world.run(LINE, losing(at))).toMatchObject({ exitCode: 11 });
  const fault = staged(world.journal, at);
  await world.pass(at.later ?? 0);
  const ran = await world.run(`${LINE} --resume -o json`, fault);
  const [row] = rowsIn(ran);
  if (row?.state === "unknown") {
    const assumed = await world.run(`${LINE} --resume --assume-not-sent 1 --yes`, fault);
    expect(assumed.writes.filter(isSend), assumed.stderr).toHaveLength(at.isHeld ? 0 : 1);
  }
  if (ran.writes.some(isSend)) return "not sent";
  return row?.state === "sent" ? { sent: String(row.transaction_id ?? row.hash) } : answerOf(String(row?.state));
}

async function byLibrary(at: Case): Promise<Answer> {
  const world = payingWorld(1);
  const options = { confirm: 10n ** 12n };
  await sendWith(world, options, { fault: losing(at) });
  const fault = staged(world.journal, at);
  await world.pass(at.later ?? 0);
  const { result } = await sendWith(world, { ...options, resume: true }, { fault });
  const [row] = result.rows;
  if (world.paid.length > 0) return "not sent";
  return row?.state === "sent" ? { sent: String(row.transactionId ?? row.hash) } : answerOf(String(row?.state));
}

function answerOf(word: string | number): Answer {
  expect([11, "unknown"]).toContain(word);
  return "unknown";
}

test.each(sampled(Object.entries({ ...CASES, ...BY_CHAIN }), 3))(
  "tx send --once, history settle, send-many --resume, and the library say the same with %s",
  async (_, at) => {
    const answers = {
      once: await byOnce(at),
      settle: await bySettling(at),
      resume: await byResuming(at),
      library: await byLibrary(at),
    };
    const { answer } = at;
    expect(answers).toEqual({ once: answer, settle: answer, resume: answer, library: answer });
  },
);
