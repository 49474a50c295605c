import type { AuditedNonce } from "../../src/audit/classify.ts";
import { openListedAudit, openListedHistory } from "../../src/audit/open-listed-audit.ts";
import { createSpendGroups } from "../../src/audit/spend-groups.ts";
import type { ChainNode, Reading } from "../../src/chain/node/node.ts";
import { timeText } from "../../src/contract/age-text.ts";
import type { JsonObject, JsonValue } from "../../src/contract/json.ts";
import type { Transaction } from "../../src/contract/transaction/transaction.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { intent, outcome } from "../commands/history/recorded.ts";

const XLM = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const MUXED = "MAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCAAAAAAAAAAAA7SBC";
const OTHER = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const SOL = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const RECEIVER = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
const NOW = Date.parse("2026-11-21T03:12:07Z");
const HOUR = 3_600_000;

type Respond = (params: JsonValue) => JsonValue | Reading<JsonValue>;

function nodeOf(methods: Readonly<Record<string, Respond>>): ChainNode & { asked: string[] } {
  const asked: string[] = [];
  return {
    ...{ name: "the node of r-1", asked },
    ask: async (method, params) => {
      asked.push(method);
      const response = methods[method]?.(params as JsonValue) ?? { fault: { kind: "no_method", words: "no method" } };
      return response instanceof Object && ("fault" in response || "value" in response)
        ? (response as Reading<JsonValue>)
        : { value: response as JsonValue };
    },
  };
}

interface Audited {
  rows: AuditedNonce[];
  gapBefore: string | undefined;
}

interface Known {
  since?: number;
  records?: readonly Transaction[];
  journal?: Journal;
}

async function auditOf(
  kind: "solana" | "stellar",
  node: ChainNode,
  { since = NOW - HOUR, records = [], journal }: Known = {},
): Promise<Audited> {
  const list = async function* () {
    yield { items: records };
  };
  const opened = await openListedAudit({
    ...{ relayerId: "r-1", account: kind === "solana" ? SOL : XLM, server: "https://relayer.example.org", since },
    client: { tx: { list } } as never,
    journal,
    openHistory: openListedHistory(kind, node),
  });
  if ("fault" in opened) throw new Error(opened.fault.words);
  const rows: AuditedNonce[] = [];
  for await (const some of opened.value.rows()) rows.push(...some);
  return { rows, gapBefore: opened.value.gapBefore };
}

function spentBy({ rows }: Audited) {
  const groups = createSpendGroups("coin");
  for (const { mined } of rows)
    if (mined)
      groups.addMined(mined, {
        ...{ relayerId: "r-1", coin: "XLM", network: "testnet" },
        time: mined.time,
        to: null,
        label: undefined,
      });
  return groups.list()[0];
}

/** A journal of sends that the service accepted. */
function journalOf(operations: readonly object[]): Journal {
  const time = new Date(NOW - HOUR).toISOString();
  const entries = operations.flatMap((each, index) => [
    outcome(`w-${index}`, { after: { id: `tx-${index}`, hash: null }, time }),
    intent(`w-${index}`, {
      ...{ operation: "tx.send", server: "https://relayer.example.org", ids: { relayer_id: "r-1" }, time },
      body: { operations: each as JsonValue },
    }),
  ]);
  return {
    newestFirst: async function* () {
      yield* entries;
    },
  } as unknown as Journal;
}

const LAST = 60_000_000;
const ledgerTime = (ledger: number) => NOW / 1_000 - (LAST - ledger) * 5;

interface Sent {
  ledger: number;
  source?: string;
  sequence?: bigint;
  payer?: string;
  operations?: JsonObject[];
  charged?: bigint;
  balances?: readonly [bigint, bigint];
  status?: string;
}

let hashes = 0;

/** A transaction in the form of Stellar RPC with `xdrFormat: "json"`. */
function stellar({ ledger, source = XLM, sequence = 1n, payer, operations = [], status = "SUCCESS", ...more }: Sent) {
  const { charged = 100n, balances } = more;
  const number = ++hashes;
  const tx = { tx: { source_account: source, fee: 100, seq_num: String(sequence), memo: "none", operations } };
  const entry = (balance: bigint) => ({ data: { account: { account_id: XLM, balance: String(balance) } } });
  const changes = balances ? [{ state: entry(balances[0]) }, { updated: entry(balances[1]) }] : [];
  const bumped = { tx_fee_bump: { tx: { fee_source: payer ?? "", fee: "200", inner_tx: { tx } } } };
  const inner = { tx_fee_bump_inner_success: { transaction_hash: `e${String(number).padStart(63, "0")}` } };
  return {
    ...{ status, txHash: String(number).padStart(64, "0"), ledger, createdAt: ledgerTime(ledger) },
    envelopeJson: payer === undefined ? { tx } : bumped,
    resultJson: { fee_charged: String(charged), result: payer === undefined ? { tx_success: [] } : inner },
    resultMetaJson: { v4: { operations: status === "SUCCESS" ? [{ changes }] : [] } },
  } satisfies JsonObject;
}

function pay(destination: string, amount: bigint): JsonObject {
  return { source_account: null, body: { payment: { destination, asset: "native", amount: String(amount) } } };
}

interface Ledgers {
  oldest?: number;
  most?: number;
}

function stellarNode(all: readonly ReturnType<typeof stellar>[], { oldest = 100, most = 200 }: Ledgers = {}) {
  return nodeOf({
    getLatestLedger: () => ({ sequence: LAST }),
    getTransactions: (params) => {
      const { startLedger, pagination = {} } = params as { startLedger?: number; pagination?: JsonObject };
      const limit = Number(pagination.limit ?? 50);
      if (limit > most) return { fault: { kind: "unreadable", words: "too large" } };
      const start = Number(pagination.cursor ?? all.findIndex(({ ledger }) => ledger >= (startLedger ?? 0)));
      const shown = start < 0 ? [] : all.slice(start, start + limit);
      return {
        ...{ transactions: shown, cursor: String(start + shown.length), latestLedger: LAST, oldestLedger: oldest },
        oldestLedgerCloseTimestamp: String(ledgerTime(oldest)),
      };
    },
  });
}

describe("an audit on Stellar", () => {
  test("lists what the account sent, paid for, or has an operation in, and nothing else", async () => {
    const found = await auditOf(
      "stellar",
      stellarNode([
        stellar({ ledger: LAST - 900, operations: [pay(OTHER, 1n)] }),
        stellar({
          ledger: LAST - 90,
          sequence: 7n,
          operations: [pay(OTHER, 25_000_001n)],
          balances: [90n ** 9n, 90n ** 9n - 25_000_001n],
        }),
        stellar({ ledger: LAST - 80, source: OTHER, operations: [pay(XLM, 5n)], balances: [1n, 6n] }),
        stellar({ ledger: LAST - 70, source: OTHER, payer: XLM, charged: 301n, operations: [pay(OTHER, 9n)] }),
        stellar({ ledger: LAST - 60, source: MUXED, sequence: 8n, status: "FAILED", operations: [pay(OTHER, 9n)] }),
        stellar({
          ...{ ledger: LAST - 50, source: OTHER, balances: [400n, 0n] },
          operations: [{ source_account: XLM, body: { account_merge: OTHER } }],
        }),
      ]),
    );
    expect(found.gapBefore).toBeUndefined();
    expect(found.rows.map(({ kind, nonce, mined }) => [kind, nonce, mined?.value, mined?.fee, mined?.to])).toEqual([
      ["foreign", 7n, 25_000_001n, 100n, OTHER],
      ["foreign", null, 0n, 301n, null],
      ["foreign", 8n, 0n, 100n, OTHER],
      ["foreign", null, 400n, 0n, OTHER],
    ]);
    expect(spentBy(found)).toMatchObject({ value: 25_000_401n, fee: 501n, sent: 4, reverted: 1 });
  });

  test("knows a transaction by its hash, that of its fee bump, or its sequence number", async () => {
    const sent = [
      stellar({ ledger: LAST - 90, sequence: 7n }),
      stellar({ ledger: LAST - 80, source: OTHER, payer: XLM, operations: [pay(OTHER, 1n)] }),
      stellar({ ledger: LAST - 70, sequence: 8n }),
      stellar({ ledger: LAST - 60, sequence: 9n }),
      stellar({ ledger: LAST - 50, sequence: 10n }),
    ];
    const inner = `e${String(Number(sent[1]?.txHash)).padStart(63, "0")}`;
    const records: Transaction[] = [
      { id: "by-hash", status: "confirmed", hash: sent[0]?.txHash ?? "", sequence_number: "7" },
      { id: "by-inner", status: "confirmed", hash: inner },
      { id: "canceled", status: "canceled", hash: sent[2]?.txHash ?? "", sequence_number: "8" },
      { id: "by-sequence", status: "submitted", hash: "f".repeat(64), sequence_number: 9 },
      { id: "unassigned", status: "pending", hash: null, sequence_number: 0 },
    ];
    const { rows } = await auditOf("stellar", stellarNode(sent), { records });
    expect(rows.map(({ kind }) => kind)).toEqual(["recorded", "recorded", "cancel_lost", "other_version", "foreign"]);
    expect(rows[3]?.evidence).toEqual(["chain", "record:by-sequence", "presumed"]);
  });

  test("knows a payment of the journal that shows neither its hash nor its sequence number, once", async () => {
    const asset = { credit_alphanum4: { asset_code: "USDC", issuer: OTHER } };
    const credit = { source_account: null, body: { payment: { destination: OTHER, asset, amount: "9" } } };
    const sent = [
      ...[10n, 10n, 11n].map((amount) => stellar({ ledger: LAST - 80, operations: [pay(OTHER, amount)] })),
      stellar({ ledger: LAST - 60, operations: [credit] }),
      stellar({ ledger: LAST - 50, operations: [] }),
    ];
    const payment = (amount: number, code: object) => [{ type: "payment", destination: OTHER, amount, asset: code }];
    const journal = journalOf([
      payment(9, { type: "credit4", code: "USDC", issuer: OTHER }),
      payment(10, { type: "native" }),
    ]);
    const { rows } = await auditOf("stellar", stellarNode(sent), { journal });
    expect(rows.map(({ kind }) => kind)).toEqual(["recorded", "foreign", "foreign", "recorded", "foreign"]);
    expect(rows[0]?.evidence).toEqual(["chain", "journal:w-1"]);
  });

  test("does not read a time that no calendar has", async () => {
    const { rows } = await auditOf("stellar", stellarNode([{ ...stellar({ ledger: LAST - 1 }), createdAt: 9e12 }]));
    expect(rows).toMatchObject([{ kind: "unreadable" }]);
  });

  test("says where the node's history begins if that is later", async () => {
    const oldest = LAST - 300;
    const { gapBefore } = await auditOf("stellar", stellarNode([], { oldest }));
    const begins = timeText(ledgerTime(oldest) * 1_000);
    expect(gapBefore).toBe(`the node's history begins at ${begins} with ledger ${oldest}; nothing before it is read`);
  });

  test("reads smaller pages if one is too large, and each transaction once", async () => {
    const sent = Array.from({ length: 300 }, (_, index) =>
      stellar({ ledger: LAST - 600 + index, sequence: BigInt(index) }),
    );
    const node = stellarNode(sent, { most: 60 });
    const { rows } = await auditOf("stellar", node);
    expect(rows.map(({ nonce }) => Number(nonce))).toEqual(sent.map((_, index) => index));
    expect(node.asked.length).toBeLessThan(40);
  });

  test("fails on a node that lists the same transactions for every page", async () => {
    const node = stellarNode([stellar({ ledger: LAST - 10 })]);
    const ask: ChainNode["ask"] = (method, params, ...rest) => {
      const { pagination, ...shown } = (params ?? {}) as { pagination?: JsonObject };
      const same = pagination ? { startLedger: LAST - 20, ...shown, pagination: { limit: 200 } } : params;
      return node.ask(method, same, ...rest);
    };
    await expect(auditOf("stellar", { ...node, ask })).rejects.toThrow("the same transactions again");
  });

  test("fails on a node without JSON, and does not guess", async () => {
    const { envelopeJson: _, ...sent } = stellar({ ledger: LAST - 5 });
    await expect(auditOf("stellar", stellarNode([sent as never]))).rejects.toThrow(
      "does not list transactions as JSON",
    );
  });
});

const SLOT = 400_000_000;
const slotTime = (slot: number) => NOW / 1_000 - (SLOT - slot) * 0.4;

interface Signed {
  slot: number;
  keys?: readonly (readonly [string, boolean])[];
  fee?: number;
  before?: readonly number[];
  after?: readonly number[];
  err?: JsonValue;
  transfers?: readonly (readonly [string, number])[];
}

/** A transaction in the form of Solana's `jsonParsed`. */
function solana({
  slot,
  keys = [[SOL, true]],
  fee = 5_000,
  before = [],
  after = [],
  err = null,
  transfers = [],
}: Signed) {
  const instructions = transfers.map(([destination, lamports]) => ({
    ...{ program: "system", programId: "11111111111111111111111111111111" },
    parsed: { type: "transfer", info: { source: SOL, destination, lamports } },
  }));
  const accountKeys = keys.map(([pubkey, signer]) => ({ pubkey, signer, writable: true, source: "transaction" }));
  return {
    ...{ slot, blockTime: Math.floor(slotTime(slot)), version: 0 },
    meta: { err, fee, preBalances: [...before], postBalances: [...after] },
    transaction: { message: { accountKeys, instructions } },
  } satisfies JsonObject;
}

function solanaNode(all: readonly (JsonObject & { slot: number })[], { first = 0, gone = "" } = {}) {
  const newest = all.map((each, index) => ({ each, signature: `s${index}` })).reverse();
  return nodeOf({
    getSignaturesForAddress: (params) => {
      const [, { before, limit }] = params as [string, { before?: string; limit: number }];
      const start = before === undefined ? 0 : newest.findIndex(({ signature }) => signature === before) + 1;
      return newest.slice(start, start + limit).map(({ each, signature }) => ({
        ...{ signature, slot: each.slot, blockTime: Math.floor(slotTime(each.slot)), err: null },
      }));
    },
    getTransaction: (params) => {
      const [hash] = params as [string];
      return hash === gone ? { value: null } : (newest.find(({ signature }) => signature === hash)?.each ?? null);
    },
    getFirstAvailableBlock: () => first,
    getBlockTime: () => Math.floor(slotTime(first)),
  });
}

describe("an audit on Solana", () => {
  test("lists what the account signed, and moved or paid, to the lamport", async () => {
    const found = await auditOf(
      "solana",
      solanaNode([
        solana({ slot: SLOT - 90_000, before: [9], after: [1] }),
        solana({
          ...{
            slot: SLOT - 500,
            keys: [
              [SOL, true],
              [RECEIVER, false],
            ],
            transfers: [[RECEIVER, 1_000_001]],
          },
          ...{ before: [5_000_000, 0], after: [3_994_999, 1_000_001] },
        }),
        solana({
          slot: SLOT - 400,
          keys: [
            [RECEIVER, true],
            [SOL, false],
          ],
          before: [9_000, 0],
          after: [0, 4_000],
        }),
        solana({ slot: SLOT - 300, before: [7_000], after: [2_000], err: { InstructionError: [0, "Custom"] } }),
        solana({
          slot: SLOT - 200,
          keys: [
            [RECEIVER, true],
            [SOL, true],
          ],
          before: [9_000, 50],
          after: [4_000, 20],
        }),
      ]),
    );
    expect(found.gapBefore).toBeUndefined();
    expect(found.rows.map(({ nonce, mined }) => [nonce, mined?.value, mined?.fee, mined?.to])).toEqual([
      [null, 1_000_001n, 5_000n, RECEIVER],
      [null, 0n, 5_000n, null],
      [null, 30n, 0n, null],
    ]);
    expect(spentBy(found)).toMatchObject({ value: 1_000_031n, fee: 10_000n, sent: 3, reverted: 1 });
  });

  test("knows a transaction by its signature, and the same one within an hour", async () => {
    const twice = { before: [6_000], after: [1_000] };
    const node = solanaNode([solana({ slot: SLOT - 50, ...twice }), solana({ slot: SLOT - 40, ...twice })]);
    const records = [0, 1].map((index) => ({ id: `tx-${index}`, status: "confirmed", signature: `s${index}` }));
    const { rows } = await auditOf("solana", node, { records });
    expect(rows.map(({ kind, evidence }) => [kind, evidence])).toEqual([
      ["recorded", ["chain", "record:tx-0"]],
      ["maybe_doubled", ["chain", "record:tx-1", "alike:s0"]],
    ]);
  });

  test("reads all pages, in order, with one request for each transaction", async () => {
    const sent = Array.from({ length: 2_100 }, (_, at) =>
      solana({ slot: SLOT - 4_000 + at, before: [6_000], after: [1_000] }),
    );
    const node = solanaNode(sent);
    const { rows } = await auditOf("solana", node);
    expect(rows.map(({ mined }) => Number(mined?.block))).toEqual(sent.map(({ slot }) => slot));
    expect(node.asked.length).toBeLessThan(1.1 * sent.length);
  });

  test("ends on a node that lists the same signatures for every page", async () => {
    const page = Array.from({ length: 1_000 }, (_, at) => ({ signature: `s${at}`, blockTime: null }));
    const node = nodeOf({ getSignaturesForAddress: () => page });
    await expect(auditOf("solana", node)).rejects.toThrow("the same signatures again");
    expect(node.asked).toHaveLength(2);
  });

  test("says where the node's history begins, and which transaction it does not have", async () => {
    const first = SLOT - 100;
    const node = solanaNode([solana({ slot: SLOT - 50 })], { first, gone: "s0" });
    const { rows, gapBefore } = await auditOf("solana", node);
    expect(gapBefore).toMatch(`with slot ${first}; nothing before it is read`);
    expect(rows).toMatchObject([{ kind: "unreadable", nonce: null, hash: "s0" }]);
  });
});
