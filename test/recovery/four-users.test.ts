import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/contract/json.ts";
import type { Entry, Intent } from "../../src/journal/entry.ts";
import { intent, outcome } from "../commands/history/recorded.ts";
import { type Fault, isSend, KEYED, keyedWorld, PAY } from "../commands/tx/once/keyed-world.ts";
import { sendWith } from "../commands/tx/send-many/library-world.ts";
import { LINE, payingWorld, rowsIn } from "../commands/tx/send-many/paying-world.ts";
import type { MemoryJournal } from "../helpers/memory/journal.ts";
import { refusal, success, wholeList } from "../helpers/service/reply.ts";
import { lost } from "../helpers/service/scripted-service.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OWN = "own";

/** What a user says became of a request whose response was lost. */
type Answer = { sent: string } | "unknown" | "sent again";

/** What the service and the journal show besides a lost request. */
interface Scene {
  records: readonly JsonObject[];
  /** Entries of the journal from before the request, and from after it. */
  before?: readonly Entry[];
  after?: readonly Entry[];
  /** Headers of the list. */
  headers?: Record<string, string>;
}

interface Case {
  scene(own: Intent): Scene;
  answer: Answer;
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
  const from = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
  return { ...shown, from, to, value, gas_limit, speed, ...more } as JsonObject;
}

/** A write of another run that sends the same, so many milliseconds after a request. */
function equalSend(own: Intent, milliseconds: number): Intent {
  const { operation, kind, method, target, ids, body } = own;
  return intent("other", { operation, kind, method, target, ids, body, time: isoAt(own, milliseconds) } as Intent);
}

function answered(own: Intent, milliseconds: number, created: number, id = "other"): Entry[] {
  const sent = equalSend(own, milliseconds);
  const after = { id, created_at: isoAt(own, milliseconds + created) };
  return [sent, outcome("other", { time: isoAt(own, milliseconds + 100), after })];
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

const CASES: Readonly<Record<string, Case>> = {
  "no record": { scene: () => ({ records: [] }), answer: "unknown" },
  "a record from just after it": { scene: one(SECOND), ...SENT },
  "a record from 2 seconds before it": { scene: one(-2 * SECOND), ...SENT },
  "a record from 3 seconds before it": { scene: one(-3 * SECOND), ...HELD },
  "a record from 70 minutes after it": { scene: one(70 * MINUTE), ...SENT },
  "a record from 71 minutes after it": { scene: one(71 * MINUTE), ...HELD },
  "a record from two days before it": { scene: one(-2 * DAY), answer: "unknown" },
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
      after: [equalSend(own, 500), outcome("other", { time: isoAt(own, 600), applied: "no" })],
    }),
    ...SENT,
  },
  "a clock that is 20 minutes ahead": { scene: ahead(20 * MINUTE + SECOND), ...SENT },
  "a clock that is 20 minutes ahead, and a record from before it": { scene: ahead(19 * MINUTE), ...HELD },
  "a record that was canceled since": {
    scene: (own) => ({
      records: [recordOf(own, SECOND, { to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906", value: "0x0" })],
    }),
    ...HELD,
  },
};

/** Loses the request before it arrives. */
const lose: Fault = async (request, answer) => {
  if (isSend(request)) throw lost();
  return await answer();
};

/** Adds a scene to a journal, and returns the service that shows it. */
function staged(journal: MemoryJournal, { scene }: Case): Fault {
  const own = journal.entries.find((entry) => entry.type === "intent" && entry.operation === "tx.send") as Intent;
  const { records, before = [], after = [], headers = {} } = scene(own);
  journal.entries.unshift(...before);
  journal.entries.push(...after);
  return async (request, answer) => {
    const [, id] = /\/transactions(?:\/([^/?]+))?(?:\?|$)/.exec(request.target) ?? [undefined, ""];
    if (request.method !== "GET" || id === "") return await answer();
    if (id === undefined) return { ...wholeList(records), headers };
    const record = records.find((each) => each.id === id);
    return record ? success(record) : refusal(404, `Transaction with ID ${id} not found`);
  };
}

async function byOnce(at: Case): Promise<Answer> {
  const world = keyedWorld();
  expect(await world.run(KEYED, {}, lose)).toMatchObject({ exitCode: 11 });
  const ran = await world.run(`${KEYED} -o json`, {}, staged(world.journal, at));
  if (ran.writes.length > 0) return "sent again";
  return ran.exitCode === 0 ? { sent: JSON.parse(ran.stdout).id } : answerOf(ran.exitCode);
}

async function bySettling(at: Case): Promise<Answer> {
  const world = keyedWorld();
  expect(await world.run(PAY, {}, lose)).toMatchObject({ exitCode: 11 });
  const fault = staged(world.journal, at);
  const [own] = world.journal.entries.filter(({ id }) => id !== "other");
  await world.run("history settle", {}, fault);
  const settled = world.journal.entries.findLast((entry) => entry.type === "outcome" && entry.id === own?.id);
  if (settled?.type !== "outcome") throw new Error("no outcome");
  return settled.applied === "yes" ? { sent: String(settled.after?.id) } : answerOf(settled.applied);
}

async function byResuming(at: Case): Promise<Answer> {
  const world = payingWorld(1);
  expect(await world.run(LINE, lose)).toMatchObject({ exitCode: 11 });
  const fault = staged(world.journal, at);
  const ran = await world.run(`${LINE} --resume -o json`, fault);
  const [row] = rowsIn(ran);
  if (row?.state === "unknown") {
    const assumed = await world.run(`${LINE} --resume --assume-not-sent 1 --yes`, fault);
    expect(assumed.writes, assumed.stderr).toHaveLength(at.isHeld ? 0 : 1);
  }
  if (ran.writes.length > 0) return "sent again";
  return row?.state === "sent" ? { sent: String(row.transaction_id) } : answerOf(String(row?.state));
}

async function byLibrary(at: Case): Promise<Answer> {
  const world = payingWorld(1);
  const options = { confirm: 10n ** 12n };
  await sendWith(world, options, { fault: lose });
  const { result } = await sendWith(world, { ...options, resume: true }, { fault: staged(world.journal, at) });
  const [row] = result.rows;
  if (world.paid.length > 0) return "sent again";
  return row?.state === "sent" ? { sent: String(row.transactionId) } : answerOf(String(row?.state));
}

function answerOf(word: string | number): Answer {
  expect([11, "unknown"]).toContain(word);
  return "unknown";
}

describe("tx send --once, history settle, send-many --resume, and the library say the same", () => {
  test.each(Object.entries(CASES))("with %s", async (_, at) => {
    const answers = {
      once: await byOnce(at),
      settle: await bySettling(at),
      resume: await byResuming(at),
      library: await byLibrary(at),
    };
    const { answer } = at;
    expect(answers).toEqual({ once: answer, settle: answer, resume: answer, library: answer });
  });
});
