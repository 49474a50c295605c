import type { FrozenRelayer } from "../../../../src/views/freeze.ts";
import { TRANSFER } from "../../../chain/verdict/records.ts";
import { cli, ends, exits, printedError, type Ran, SERVER } from "../../../helpers/cli.ts";
import { manualClock } from "../../../helpers/manual-clock.ts";
import { APPLIED, CANNOT_UNDO, FOLLOW, undoIn } from "../../../helpers/receipts.ts";
import { refusal } from "../../../helpers/service/reply.ts";
import { rpcReply } from "../../tx/waiting-service.ts";
import { HASH, many, one, solanaRecord, stellarRecord } from "../../tx/wire.ts";
import { freezable, relayer, submitted, unsigned } from "./service.ts";

const sent = ({ writes }: Ran) => writes.map(({ method, target }) => `${method} ${target.split("/").at(-1)}`);
const itemsOf = ({ stdout }: Ran): FrozenRelayer[] => JSON.parse(stdout);
const freezeOf = (ran: Ran, id: string) => itemsOf(ran).find((item) => item.id === id)?.freeze;

const TWO = {
  relayers: [relayer("r1"), relayer("r2", { network: "polygon" })],
  transactions: { r1: [submitted("b", { nonce: 5 }), unsigned("a")], r2: [submitted("c")] },
};

test("cancels the transactions of a relayer, oldest first, and then pauses it", async () => {
  const ran = await exits(0, "relayers freeze r1 --yes -o json --concurrency 1", { service: freezable(TWO) });
  expect(sent(ran)).toEqual(["DELETE a", "DELETE b", "PATCH r1"]);
  expect(ran.writes.at(-1)?.body).toBe('{"paused":true}');
  expect(itemsOf(ran)).toMatchObject([{ id: "r1", paused: true, policies: {} }]);
  expect(freezeOf(ran, "r1")).toEqual({
    state: "paused",
    error: null,
    canceled: ["a"],
    cancellation_requested: ["b"],
    cancellation_failed: [],
    can_still_be_mined: [
      {
        id: "b",
        status: "submitted",
        nonce: 5,
        to: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
        value: "200000000000000000",
        hash: expect.stringMatching(/^0x(fc){32}$/),
        because: "requested",
        until: "2026-11-21T09:38:42.687Z",
      },
    ],
  });
});

test("reports what was applied, what can still be mined, and the command that resumes", async () => {
  const { stderr } = await cli("relayers freeze r1 r2 --confirm '2 relayers'", { service: freezable(TWO) });
  expect(stderr).toContain(
    `${APPLIED}${SERVER}: 2 relayers paused, 1 transaction canceled, 2 cancellations requested, not final yet\n` +
      "can still be mined: 2 transactions\n" +
      "  r1  nonce 5  submitted  0.2 ETH  b  cancellation requested, until 2026-11-21 09:38Z\n" +
      "  r2  nonce 4  submitted  0.2 POL  c  cancellation requested, until 2026-11-21 09:38Z\n",
  );
  expect(stderr).toContain("canceled transactions stay canceled");
  expect(stderr).toContain(`${FOLLOW}relayctl relayers status r1 r2\n`);
  expect(undoIn(stderr)).toEqual(["relayctl relayers resume r1 r2"]);
});

test("asks one question with the counts, and the payments of each network", async () => {
  const service = freezable(TWO);
  const { questions, stderr, writes } = await cli("relayers freeze --all", {
    service,
    terminal: true,
    answers: [""],
  });
  expect([questions, writes]).toEqual([[`Freeze 2 relayers in ${SERVER}? Type "2 relayers" to confirm:`], []]);
  expect(stderr).toContain(
    [
      `freeze 2 relayers in ${SERVER}`,
      "  cancel: 3 transactions of 2 relayers",
      "  payments among them: 0.4 ETH on mainnet (2), 0.2 POL on polygon (1)",
      "    1 not signed yet: canceled at once, unless the service signs it first",
      "    2 signed: cancellation is only a request; the original transaction may still be mined",
      "  pause: 2 relayers: r1, r2",
      "",
    ].join("\n"),
  );
});

test("of one relayer requires a yes, and of several their number", async () => {
  const service = freezable(TWO);
  const one = await cli("relayers freeze r1", { service, terminal: true, answers: [false] });
  expect(one.questions).toEqual([`Freeze 1 relayer in ${SERVER}?`]);
  const several = await ends({ exitCode: 3, writes: [] }, "relayers freeze r1 r2 --yes", { service });
  expect(several.stderr).toContain("hint: relayctl relayers freeze r1 r2 --yes --confirm '2 relayers'");
  expect(await cli("relayers freeze r1 r2 --confirm '3 relayers'", { service })).toMatchObject({ exitCode: 3 });
});

test("pauses a relayer although a cancellation fails, and exits with 12", async () => {
  const instead = {
    "DELETE /relayers/r1/transactions/b": refusal(400, "Invalid transaction state for cancel_transaction"),
  };
  const service = freezable({ ...TWO, instead });
  const ran = await exits(12, "relayers freeze r1 --yes -o json", { service });
  expect(sent(ran)).toContain("PATCH r1");
  expect(freezeOf(ran, "r1")).toMatchObject({
    state: "paused",
    canceled: ["a"],
    cancellation_failed: ["b"],
    can_still_be_mined: [{ id: "b", because: "failed" }],
  });
  expect(printedError(ran.stderr)).toMatchObject({
    code: "partial",
    applied: "yes",
    message: expect.stringContaining("1 of 3 requests failed"),
    details: [{ where: "r1 b", given: "conflict" }],
  });
});

test("freezes the others although one relayer fails", async () => {
  const instead = { "PATCH /relayers/r1": refusal(500, "boom") };
  const ran = await exits(12, "relayers freeze r1 r2 --confirm '2 relayers' -o json --retries 0", {
    service: freezable({ ...TWO, instead }),
  });
  expect([freezeOf(ran, "r1")?.state, freezeOf(ran, "r2")?.state]).toEqual(["unknown", "paused"]);
  expect(printedError(ran.stderr)).toMatchObject({ applied: "unknown", details: [{ where: "r1", given: "unknown" }] });
  expect(printedError(ran.stderr).hint).toBe("relayctl relayers get r1");
  expect(undoIn(ran.stderr)).toEqual(["relayctl relayers resume r2"]);
});

test("reports a disabled relayer, which the service does not pause", async () => {
  const disabled = relayer("r3", {
    system_disabled: true,
    disabled_reason: { type: "NonceSyncFailed", details: "x" },
  });
  const instead = { "PATCH /relayers/r3": refusal(400, "Relayer is disabled") };
  const relayers = [...TWO.relayers, disabled];
  const service = freezable({
    ...TWO,
    relayers,
    transactions: { ...TWO.transactions, r3: [submitted("d")] },
    instead,
  });
  const alone = await exits(6, "relayers freeze r3 --yes -o json", { service });
  expect(sent(alone)).toEqual(["PATCH r3"]);
  expect(alone.stdout).toBe("");
  expect(alone.stderr).toContain(
    "r3  nonce 4  submitted  0.2 ETH  d  the relayer is disabled, until 2026-11-21 09:38Z\n",
  );
  const all = await exits(12, "relayers freeze --all", { service, terminal: true, answers: ["3 relayers"] });
  expect(all.stderr).toContain("disabled, so that the service may refuse the pause: 1 relayer: r3\n");
  expect(all.stderr).toContain("the relayer is disabled");
});

test("sends nothing to a relayer that is paused, and lists its transactions", async () => {
  const relayers = [relayer("r1", { paused: true })];
  const ran = await cli("relayers freeze r1 -o json", { service: freezable({ ...TWO, relayers }) });
  expect(ran).toMatchObject({ exitCode: 0, writes: [] });
  expect(freezeOf(ran, "r1")).toMatchObject({
    state: "already paused",
    can_still_be_mined: [
      { id: "a", because: "paused" },
      { id: "b", because: "paused" },
    ],
  });
  expect(ran.stderr).toContain("1 already paused");
  expect(undoIn(ran.stderr)).toEqual([]);
  expect(ran.stderr).not.toContain(CANNOT_UNDO);
});

test("does not cancel what nodes of the network would refuse", async () => {
  const networks = [{ id: "evm:mainnet", tags: ["optimism-based"], symbol: "ETH" }];
  const ran = await exits(0, "relayers freeze r1 --yes -o json", { service: freezable({ ...TWO, networks }) });
  expect(sent(ran)).toEqual(["DELETE a", "PATCH r1"]);
  expect(freezeOf(ran, "r1")).toMatchObject({ can_still_be_mined: [{ id: "b", because: "network" }] });
  expect(ran.stderr).toContain("nodes on mainnet refuse cancellations until the market rises by 10%");
});

const GWEI = 10n ** 9n;
const TAGGED = { id: "evm:mainnet", chain_id: 1, tags: ["optimism-based"], average_blocktime_ms: 120_000 };
/** The record of `b` pays 10.5 gwei, tip 0.5 gwei. */
const waiting = (maxFee: bigint) => ({
  ...{ hash: HASH, from: TRANSFER.from, to: TRANSFER.to, value: TRANSFER.value, nonce: 5 },
  ...{ maxFee, tip: maxFee / 10n },
});

test.each([
  { market: "has risen by 10%", baseFee: 20n, tip: 2n, pool: [], cancels: true },
  { market: "has risen in one fee alone", baseFee: 20n, tip: 0n, pool: [], cancels: false },
  { market: "has not risen", baseFee: 10n, tip: 1n, pool: [], cancels: false },
  {
    market: "has risen, and another version pays more",
    baseFee: 20n,
    tip: 2n,
    pool: [waiting(30n * GWEI)],
    cancels: false,
  },
])("where no prices are raised, cancels by the market, which $market", async ({ baseFee, tip, pool, cancels }) => {
  const chain = { transactions: pool, market: { baseFee: baseFee * GWEI, tip: tip * GWEI } };
  const service = freezable({
    ...TWO,
    networks: [TAGGED],
    instead: { "POST /relayers/r1/rpc": ({ body = "" }) => rpcReply(chain, String(body)) },
  });
  const ran = await exits(0, "relayers freeze r1 --yes -o json", { service });
  const changes = sent(ran).filter((write) => write !== "POST rpc");
  expect(changes).toEqual(cancels ? ["DELETE a", "DELETE b", "PATCH r1"] : ["DELETE a", "PATCH r1"]);
});

test("pauses relayers of Solana and Stellar, whose transactions cannot be canceled", async () => {
  const relayers = [
    relayer("sol", { network_type: "solana", network: "devnet" }),
    relayer("xlm", { network_type: "stellar", network: "testnet" }),
  ];
  const service = freezable({
    relayers,
    transactions: { sol: [solanaRecord()], xlm: [stellarRecord({ id: "x1" })] },
  });
  const ran = await exits(0, "relayers freeze --all --confirm '2 relayers' -o json", {
    service,
    clock: manualClock(Date.parse("2026-11-21T01:42:00Z")),
  });
  expect(sent(ran).sort()).toEqual(["PATCH sol", "PATCH xlm"]);
  expect(ran.stderr).toContain("Solana has no cancellations, until 2026-11-21 02:09Z");
  expect(ran.stderr).toMatch(/ Stellar has no cancellations\n/);
  expect(JSON.parse(ran.stdout)[1].freeze.can_still_be_mined[0].until).toBeNull();
});

test("pauses a relayer whose transactions cannot be read, and exits with 12", async () => {
  const instead = { "GET /relayers/r1/transactions": refusal(503, "no") };
  const service = freezable({ ...TWO, instead });
  const ran = await exits(12, "relayers freeze r1 r2 --confirm '2 relayers' -o json --retries 0", { service });
  expect(sent(ran).sort()).toEqual(["DELETE c", "PATCH r1", "PATCH r2"]);
  expect(printedError(ran.stderr)).toMatchObject({
    applied: "yes",
    details: [{ where: "transactions of r1", given: "server" }],
  });
  expect(ran.stderr).toContain("not read again after the pause, so there may be more: r1\n");
});

test("lists a transaction that arrived before the pause", async () => {
  const late = submitted("late", { nonce: 9 });
  let reads = 0;
  const instead = {
    "GET /relayers/r1/transactions": () => many(++reads === 1 ? [] : [late]),
  };
  const ran = await cli("relayers freeze r1 --yes -o json", { service: freezable({ ...TWO, instead }) });
  expect(freezeOf(ran, "r1")).toMatchObject({ can_still_be_mined: [{ id: "late", because: "arrived" }] });
});

test("lists what is being canceled although the whole list cannot be read again", async () => {
  let isCanceling = false;
  const frozen = freezable(TWO);
  const service: typeof frozen = async (request, bounds) => {
    isCanceling ||= request.method === "DELETE";
    if (!isCanceling || request.method !== "GET") return await frozen(request, bounds);
    return request.target.includes("status=") ? many([]) : refusal(503, "no");
  };
  const ran = await cli("relayers freeze r1 --yes -o json --retries 0", { service });
  expect(freezeOf(ran, "r1")).toMatchObject({
    cancellation_requested: ["b"],
    can_still_be_mined: [{ id: "b", because: "requested" }],
  });
});

test("shows counts and requests in a dry run, and sends nothing", async () => {
  const ran = await ends({ exitCode: 0, writes: [] }, "relayers freeze --all --dry-run", { service: freezable(TWO) });
  expect(ran.stdout.match(/^(?:DELETE|PATCH) \S+/gm)).toEqual([
    "DELETE /api/v1/relayers/r1/transactions/a",
    "DELETE /api/v1/relayers/r1/transactions/b",
    "PATCH /api/v1/relayers/r1",
    "DELETE /api/v1/relayers/r2/transactions/c",
    "PATCH /api/v1/relayers/r2",
  ]);
  expect(ran.stderr).toContain("cancel: 3 transactions of 2 relayers");
});

test("ends with one summary when it is interrupted", async () => {
  const interrupt = new AbortController();
  const instead = {
    "DELETE /relayers/r1/transactions/a": () => {
      interrupt.abort("interrupted");
      return one(unsigned("a", { status: "canceled" }));
    },
  };
  const ran = await exits(130, "relayers freeze r1 r2 --confirm '2 relayers' --concurrency 1", {
    service: freezable({ ...TWO, instead }),
    interrupt: interrupt.signal,
  });
  expect(sent(ran)).toEqual(["DELETE a"]);
  expect(ran.stderr.match(/not started/g)).toHaveLength(1);
});

test("ends at once when the token is refused", async () => {
  const instead = { "DELETE /relayers/r1/transactions/a": refusal(401, "Unauthorized") };
  const line = "relayers freeze r1 r2 --confirm '2 relayers' --concurrency 1 -o json";
  const ran = await cli(line, { service: freezable({ ...TWO, instead }) });
  expect(sent(ran)).not.toContain("PATCH r2");
  expect(ran.exitCode).toBe(12);
});

test("writes the IDs of the paused relayers to an undo file", async () => {
  const lineFiles = new Map<string, string[]>();
  const relayers = [relayer("r1"), relayer("r2", { paused: true }), relayer("r3")];
  const line = "relayers freeze --all --confirm '3 relayers' --undo-file undo.txt";
  const ran = await exits(0, line, { service: freezable({ relayers }), lineFiles });
  expect(lineFiles.get("undo.txt")?.sort()).toEqual(["r1", "r3"]);
  expect(undoIn(ran.stderr)).toEqual(["relayctl relayers resume - --yes < undo.txt"]);
});

test("refuses -o raw, since it sends several requests", async () =>
  expect(await cli("relayers freeze r1 --yes -o raw")).toMatchObject({ exitCode: 2, requests: [] }));
