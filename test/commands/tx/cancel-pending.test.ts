import type { Transport } from "../../../src/client/transport/transport.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { cli, ends, exits, printedError, SERVER, says } from "../../helpers/cli.ts";
import { FOLLOW, gapAt, MAY_BE_MINED, NOT_FINAL, NOT_SIGNED, ONLY_REQUESTED } from "../../helpers/receipts.ts";
import { reply } from "../../helpers/service/reply.ts";
import { answering, evmRecord, many, NOOP, one, solanaRecord } from "./wire.ts";

const LINE = "tx cancel-pending evm-1";
const LIST = "GET /relayers/evm-1/transactions";
const at = (second: number) => `2026-11-21T01:38:${String(second).padStart(2, "0")}.682993269+00:00`;

const A = evmRecord({ id: "a", created_at: at(30), nonce: 6 });
const B = evmRecord({ id: "b", created_at: at(10), nonce: 4, status: "sent" });
const C = evmRecord({ id: "c", created_at: at(20), nonce: null, hash: null, status: "pending" });
const DONE = evmRecord({ id: "d", created_at: at(40), status: "confirmed" });
const LEAVING = evmRecord({ id: "e", created_at: at(50), is_canceled: true, ...NOOP });

const requested = ({ id }: { id?: string }) => one(evmRecord({ id, ...NOOP, is_canceled: true }));
const canceled = ({ id }: { id?: string }) => one(evmRecord({ id, status: "canceled", nonce: null, hash: null }));
const late = reply(400, {
  success: false,
  data: null,
  error:
    "Invalid transaction state for cancel_transaction. Current: Confirmed, Expected one of: [Pending, Sent, Submitted]",
});

/** A service that gives all its transactions whatever state is asked for, as before v1.6, or those in it. */
function service(answers: Record<string, WireReply>, filters = false, more: readonly object[] = []): Transport {
  const records = [A, B, C, DONE, LEAVING, ...more] as { status: string; is_canceled: boolean }[];
  const cancellations = Object.entries(answers).map(([id, answer]) => [
    `DELETE /relayers/evm-1/transactions/${id}`,
    answer,
  ]);
  return answering({
    ...Object.fromEntries(cancellations),
    [LIST]: ({ target }) => {
      const status = new URL(target, "http://h").searchParams.get("status");
      return many(
        filters && status !== null
          ? records.filter((record) => record.status === status && !record.is_canceled)
          : records,
      );
    },
  });
}

const ALL = { a: requested({ id: "a" }), b: requested({ id: "b" }), c: canceled({ id: "c" }) };
const sent = ({ writes }: { writes: readonly { method: string; target: string }[] }) =>
  writes.map(({ method, target }) => `${method} ${target.split("/").at(-1)}`);

test.each([true, false])(
  "cancels each pending transaction separately, oldest first (filtering service: %s)",
  async (filters) => {
    const ran = await cli(`${LINE} --yes -o name --concurrency 1`, { service: service(ALL, filters) });
    expect([ran.exitCode, ran.stdout]).toEqual([0, "b\nc\na\n"]);
    expect(sent(ran)).toEqual(["DELETE b", "DELETE c", "DELETE a"]);
    expect(ran.stderr).toBe(
      `in ${SERVER}: 3 of 3 accepted, 1 canceled, 2 requested, ${NOT_FINAL}\n${FOLLOW}relayctl tx list evm-1\n`,
    );
  },
);

test.each([true, false])(
  "includes a transaction that was replaced after its cancellation (filtering service: %s)",
  async (filters) => {
    const live = evmRecord({ id: "f", created_at: at(5), is_canceled: true });
    const answers = { ...ALL, f: requested({ id: "f" }) };
    const ran = await cli(`${LINE} --yes -o name --concurrency 1`, { service: service(answers, filters, [live]) });
    expect([ran.exitCode, ran.stdout]).toEqual([0, "f\nb\nc\na\n"]);
  },
);

test("reports the gap left by a canceled transaction with a nonce", async () => {
  const jammed = evmRecord({ id: "c", created_at: at(20), nonce: 7, hash: null, status: "pending" });
  const gap = gapAt(7);
  const left = answering({
    [LIST]: () => many([jammed]),
    // A response need not have the nonce.
    "DELETE /relayers/evm-1/transactions/c": one({ ...jammed, status: "canceled", nonce: null }),
  });
  const ran = await exits(0, LINE, { service: left, terminal: true, answers: [true] });
  expect(ran.stderr).toContain(
    `${NOT_SIGNED}\n${gap}\nto free them in about 10 seconds, replace it instead: relayctl tx replace evm-1 c --interactive\n`,
  );
  expect(ran.stderr).toContain(`in ${SERVER}: 1 of 1 accepted, 1 canceled, 0 requested, ${NOT_FINAL}\n  ${gap}\n`);
  expect(ran.stderr).not.toContain(MAY_BE_MINED);
});

test("never uses the service's own bulk call, which cancels nothing", async () => {
  const { writes } = await cli(`${LINE} --yes`, { service: service(ALL) });
  expect(writes.filter(({ target }) => target.endsWith("/pending"))).toEqual([]);
});

test("asks once for all transactions, and shows each of them", async () => {
  const { questions, stderr, writes } = await cli(LINE, { service: service(ALL), terminal: true, answers: [false] });
  expect([questions, writes]).toEqual([["Cancel 3 transactions of evm-1 in http://127.0.0.1:8080?"], []]);
  expect(stderr).toBe(
    [
      "note: the network of evm-1 could not be read; EVM amounts are in wei",
      `cancel 3 transactions of evm-1 in ${SERVER}`,
      "  nonce  status     value     to",
      "  4      sent       1000 wei  0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
      "         b",
      "  –      pending    1000 wei  0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
      "         c",
      "  6      submitted  1000 wei  0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
      "         a",
      `2 of 3: ${ONLY_REQUESTED}`,
      `1 of 3: ${NOT_SIGNED}`,
      "Canceled. Nothing was sent.",
      "",
    ].join("\n"),
  );
});

test("exits with 12 if some cancellations fail, with a result for each", async () => {
  const ran = await exits(12, `${LINE} --yes -o json`, { service: service({ ...ALL, b: late }) });
  expect(JSON.parse(ran.stdout).map(({ id }: { id: string }) => id)).toEqual(["c", "a"]);
  expect(printedError(ran.stderr)).toMatchObject({
    code: "partial",
    applied: "yes",
    message: expect.stringContaining("1 of 3 transactions failed"),
    details: [{ where: "b", given: "conflict" }],
  });
  expect(ran.stderr).toContain("2 of 3 accepted");
});

test("exits with the common code if all cancellations fail alike", async () => {
  const ran = await cli(`${LINE} --yes`, { service: service({ a: late, b: late, c: late }) });
  expect(ran).toMatchObject({ exitCode: 6, stdout: "" });
  expect(sent(ran)).toHaveLength(3);
  expect(ran.stderr).toContain("3 of 3 transactions failed");
  expect(ran.stderr).toMatch(/\n {2}hint: relayctl tx get evm-1 b\n$/);
});

test("suggests the command that resumes a paused relayer", async () => {
  const paused = reply(400, { success: false, data: null, error: "Relayer is paused" });
  const ran = await exits(6, `${LINE} --yes`, { service: service({ a: paused, b: paused, c: paused }) });
  expect(ran.stderr).toMatch(/\n {2}hint: relayctl relayers resume evm-1\n$/);
});

test.each(["json", "csv", "name"])("does not report failures as nothing pending: -o %s", async (format) => {
  const failing = service({ a: late, b: late, c: late });
  const { stderr } = await exits(6, `${LINE} --yes -o ${format}`, { service: failing });
  expect(stderr).not.toMatch(/nothing is pending|no transactions|nothing was sent/);
});

test("reports that nothing is pending, without a failure", () =>
  ends(
    { exitCode: 0, stdout: "[]\n", stderr: `nothing is pending on evm-1 in ${SERVER}; nothing was sent\n`, writes: [] },
    `${LINE} --yes -o json`,
    { service: answering({ [LIST]: many([DONE, LEAVING]) }) },
  ));

test("requires --yes without a terminal, before any read", () =>
  says({ exitCode: 3, requests: [] }, LINE, "canceling all pending transactions requires confirmation"));

test("shows every request in a dry run, after a read", async () => {
  const { stdout, stderr, writes } = await cli(`${LINE} --dry-run`, { service: service(ALL) });
  expect(stdout.split("\n").filter((line) => line.startsWith("DELETE "))).toEqual(
    ["b", "c", "a"].map((id) => `DELETE /api/v1/relayers/evm-1/transactions/${id}`),
  );
  expect(stderr).toContain("the current state was read, nothing was changed");
  expect(writes).toEqual([]);
});

test("warns beforehand that Solana transactions cannot be canceled", async () => {
  const refusing = answering({
    "GET /relayers/sol-1/transactions": many([solanaRecord()]),
    "GET /relayers/sol-1": one({ id: "sol-1", network_type: "solana" }),
    "DELETE /relayers/sol-1/transactions/s1": reply(400, {
      success: false,
      data: null,
      error: "Endpoint is not supported for Solana relayers",
    }),
  });
  const { stderr } = await exits(7, "tx cancel-pending sol-1 --yes", { service: refusing });
  expect(stderr.split("\n")[0]).toBe(
    "note: services up to v1.8 do not cancel Solana transactions: they reject the request",
  );
  expect(stderr).toContain("s1: Endpoint is not supported for Solana relayers");
});

test.each([
  ["--rate 5", "--rate 5: needs a unit"],
  ["--concurrency 0", "--concurrency 0"],
])("%s is exit 2", (flags, words) => says({ exitCode: 2, requests: [] }, `${LINE} --yes ${flags}`, words));
