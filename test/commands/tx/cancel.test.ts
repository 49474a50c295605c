import { cli, ends, exits, SERVER, says } from "../../helpers/cli.ts";
import {
  cancellationIn,
  drawnOutcome,
  FOLLOW,
  gapAt,
  MAY_BE_MINED,
  NOT_FINAL,
  NOT_SIGNED,
  neverBroadcastIn,
  ONLY_REQUESTED,
  SEE,
} from "../../helpers/receipts.ts";
import { reply } from "../../helpers/service/reply.ts";
import { lost, scriptedService } from "../../helpers/service/scripted-service.ts";
import { answering, evmRecord, HASH, NOOP, one, solanaRecord, stellarRecord } from "./wire.ts";

const ID = "314029b7-9b9b-4c3b-b61a-c71e85190346";
const PATH = `/relayers/evm-1/transactions/${ID}`;
const CANCEL = `tx cancel evm-1 ${ID}`;
const LOOK = `relayctl tx get evm-1 ${ID}`;
const ACCEPTED = evmRecord({
  ...NOOP,
  is_canceled: true,
  speed: "fast",
  status_reason: "Transaction canceled by user, replacing with NOOP",
});

const service = (before: object, after = ACCEPTED) =>
  answering({ [`GET ${PATH}`]: one(before), [`DELETE ${PATH}`]: one(after) });

/** The relayer cannot be read, so that nothing is predicted. */
const NO_RELAYER = reply(404, { success: false, data: null, error: "Relayer with ID evm-1 not found" });

test("reports a requested cancellation, the hash from before, and how to follow it", async () => {
  const { stdout, stderr, writes } = await exits(0, `${CANCEL} --yes -o json`, {
    service: service(evmRecord()),
  });
  expect(JSON.parse(stdout)).toEqual(ACCEPTED);
  expect(stderr).toBe(
    [
      `${cancellationIn(SERVER)}before: ${HASH}  now: the same until the no-op is sent`,
      MAY_BE_MINED,
      `${FOLLOW}${LOOK}`,
      "",
    ].join("\n"),
  );
  expect(writes.map(({ method, target, body }) => [method, target, body])).toEqual([
    ["DELETE", `/api/v1${PATH}`, undefined],
  ]);
});

test("reports a transaction that was never broadcast as canceled", async () => {
  const before = evmRecord({ status: "pending", nonce: null, hash: null });
  const after = evmRecord({
    status: "canceled",
    nonce: null,
    hash: null,
    status_reason: "Transaction canceled by user",
  });
  const { stderr } = await exits(0, `${CANCEL} --yes`, { service: service(before, after) });
  expect(stderr).toBe(`${neverBroadcastIn(SERVER, ID)}\n${SEE}${LOOK}\n`);
});

describe("of a pending transaction with a nonce", () => {
  const jammed = evmRecord({ status: "pending", hash: null, to: "0x12" });
  const canceled = evmRecord({ status: "canceled", hash: null, status_reason: "Transaction canceled by user" });
  const gap = gapAt(4);

  test.each([canceled, { ...canceled, nonce: null }])("reports the gap that it leaves", async (after) => {
    const { stderr } = await exits(0, `${CANCEL} --yes`, { service: service(jammed, after) });
    expect(stderr).toBe(`${neverBroadcastIn(SERVER, ID)}\n${gap}\n${SEE}${LOOK}\n`);
    expect(stderr).not.toContain(MAY_BE_MINED);
  });

  test("warns of the gap before the question, and suggests a replacement that leaves no gap", async () => {
    const asked = { service: service(jammed, canceled), terminal: true, answers: [true] };
    const { stderr } = await cli(CANCEL, asked);
    expect(stderr).toContain(
      [
        NOT_SIGNED,
        gap,
        `to free them in about 10 seconds, replace it instead: relayctl tx replace evm-1 ${ID} --interactive`,
        `${drawnOutcome(neverBroadcastIn(SERVER, ID))}`,
      ].join("\n"),
    );
    expect(stderr).not.toContain(MAY_BE_MINED);
  });

  test("reports the outcome if the service signed the transaction first", async () => {
    const { stderr } = await cli(`${CANCEL} --yes`, { service: service(jammed, ACCEPTED) });
    expect(stderr).toContain("cancellation accepted");
    expect(stderr).toContain(`${MAY_BE_MINED}\n`);
    expect(stderr).not.toContain("gap");
  });
});

test("shows the transaction before the question, and sends nothing after No", async () => {
  const asked = { service: service(evmRecord()), terminal: true, answers: [false] };
  const { exitCode, stderr, writes } = await cli(CANCEL, asked);
  expect([exitCode, writes]).toEqual([3, []]);
  expect(stderr).toBe(
    [
      "note: the network of evm-1 could not be read; EVM amounts are in wei",
      `cancel transaction ${ID} of evm-1 in ${SERVER}`,
      "  status  submitted",
      "  nonce   4",
      "  to      0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
      "  value   1000 wei",
      `  hash    ${HASH}`,
      ONLY_REQUESTED,
      "Canceled. Nothing was sent.",
      "",
    ].join("\n"),
  );
});

test.each([
  [{ status: "canceled" }, `transaction ${ID} is already canceled; nothing was sent\n`],
  [{ is_canceled: true, ...NOOP }, `cancellation of ${ID} was already requested; nothing was sent\n`],
])("sends nothing if already canceled or requested: %j", async (fields, words) => {
  await ends({ exitCode: 0, writes: [], stderr: words }, `${CANCEL} --yes`, { service: service(evmRecord(fields)) });
});

test("cancels a transfer that was replaced after its cancellation", async () => {
  const ran = await cli(`${CANCEL} --yes`, { service: service(evmRecord({ is_canceled: true })) });
  expect([ran.exitCode, ran.writes.length]).toEqual([0, 1]);
  expect(ran.stderr).toContain("cancellation accepted");
});

test("is a mismatch if the response still has a transfer", async () => {
  const live = evmRecord({ is_canceled: true });
  const ran = await cli(`${CANCEL} --yes`, { service: service(live, live) });
  expect(ran).toMatchObject({ exitCode: 14, stderr: expect.stringContaining("the record shows no cancellation") });
  const open = scriptedService({ reply: one(live) }, { reply: NO_RELAYER }, { failure: lost() }, { reply: one(live) });
  expect(await cli(`${CANCEL} --yes`, { service: open.transport })).toMatchObject({ exitCode: 11 });
});

test("exits with 6 if the cancellation was too late, and does not report a request", async () => {
  const before = evmRecord({ status: "confirmed", is_canceled: true, ...NOOP });
  const { exitCode, writes, stderr } = await cli(`${CANCEL} --yes`, { service: service(before) });
  expect([exitCode, writes]).toEqual([6, []]);
  expect(stderr).toContain("Current: Confirmed");
  expect(stderr).toContain("  too late to cancel: the original was mined\n  nothing was sent\n");
  expect(stderr).not.toContain("already");
});

test("exits with 6 while it is unknown which version was mined, and does not report a request", async () => {
  const before = evmRecord({ status: "mined", is_canceled: true, ...NOOP });
  const ran = await ends({ exitCode: 6, writes: [] }, `${CANCEL} --yes`, { service: service(before) });
  expect(ran.stderr).toContain(
    "  either the cancellation or the original was mined: the final status, canceled or confirmed, will show which\n",
  );
  expect(ran.stderr).not.toContain("already");
});

test.each(["mined", "confirmed", "failed", "expired"])(
  "exits with 6 for a transaction that is %s, and sends nothing",
  async (status) => {
    const current = status.charAt(0).toUpperCase() + status.slice(1);
    const ran = await cli(`${CANCEL} --yes -o json`, { service: service(evmRecord({ status })) });
    expect(ran).toMatchObject({ exitCode: 6, writes: [], stdout: "" });
    expect(JSON.parse(ran.stderr).error).toMatchObject({ applied: "no", retryable: false });
    expect(ran.stderr).toContain(
      `Invalid transaction state for cancel_transaction. Current: ${current}, Expected one of: [Pending, Sent, Submitted]`,
    );
  },
);

test("keeps the service's message if the status changed in between", async () => {
  const error =
    "Invalid transaction state for cancel_transaction. Current: Confirmed, Expected one of: [Pending, Sent, Submitted]";
  const late = answering({
    [`GET ${PATH}`]: one(evmRecord()),
    [`DELETE ${PATH}`]: reply(400, { success: false, data: null, error }),
  });
  expect(await cli(`${CANCEL} --yes`, { service: late })).toMatchObject({
    exitCode: 6,
    stderr: `error: ${error}\n  nothing was applied\n  hint: ${LOOK}\n`,
  });
});

test("warns beforehand about Stellar, and reports that nothing was canceled", async () => {
  const record = stellarRecord({ id: "x" });
  const path = "/relayers/xlm-1/transactions/x";
  const unchanged = answering({
    [`GET ${path}`]: one(record),
    "GET /relayers/xlm-1": one({ id: "xlm-1", network_type: "stellar" }),
    [`DELETE ${path}`]: one(record),
  });
  const { stderr } = await exits(14, "tx cancel xlm-1 x --yes", { service: unchanged });
  expect(stderr).toBe(
    [
      "note: services up to v1.8 do not cancel Stellar transactions: they report success and change nothing",
      "error: the service reported success but canceled nothing",
      "  the service does not cancel Stellar transactions",
      "  hint: relayctl tx get xlm-1 x",
      "",
    ].join("\n"),
  );
});

test("warns beforehand that Solana is refused, and keeps the refusal", async () => {
  const path = "/relayers/sol-1/transactions/s1";
  const error = "Endpoint is not supported for Solana relayers";
  const refusing = answering({
    [`GET ${path}`]: one(solanaRecord()),
    "GET /relayers/sol-1": one({ id: "sol-1", network_type: "solana" }),
    [`DELETE ${path}`]: reply(400, { success: false, data: null, error }),
  });
  const { stderr } = await exits(7, "tx cancel sol-1 s1 --yes", { service: refusing });
  expect(stderr).toContain("note: services up to v1.8 do not cancel Solana transactions: they reject the request\n");
  expect(stderr).toContain(`error: ${error}\n`);
});

test("reads the outcome back after a lost response, or else shows the hash from before", async () => {
  const settled = scriptedService(
    { reply: one(evmRecord()) },
    { reply: NO_RELAYER },
    { failure: lost() },
    { reply: one(ACCEPTED) },
  );
  expect(await cli(`${CANCEL} --yes`, { service: settled.transport })).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("warning: the response was lost"),
  });
  const open = scriptedService(
    { reply: one(evmRecord()) },
    { reply: NO_RELAYER },
    { failure: lost() },
    { reply: one(evmRecord()) },
  );
  await says(11, `${CANCEL} --yes`, `  the hash before: ${HASH}\n  hint: ${LOOK}\n`, { service: open.transport });
});

test("continues without a read if the service cannot return the transaction", async () => {
  const blind = answering({ [`DELETE ${PATH}`]: one(ACCEPTED) });
  const { stderr } = await exits(0, `${CANCEL} --yes`, { service: blind });
  expect(stderr).toContain("note: this service cannot return a single transaction");
  expect(stderr).toContain(`${NOT_FINAL}; now: ${HASH}\n`);
});

test("shows the request in a dry run, and with --diff the transaction", async () => {
  const { stdout, requests } = await cli(`${CANCEL} --dry-run`);
  expect([stdout.split("\n")[0], requests]).toEqual([`DELETE /api/v1${PATH}`, []]);
  const ran = await cli(`${CANCEL} --dry-run --diff`, { service: service(evmRecord()) });
  expect(ran).toMatchObject({ exitCode: 0, writes: [], stderr: expect.stringContaining("  value   1000 wei\n") });
});
