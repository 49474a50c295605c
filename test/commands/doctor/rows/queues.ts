import type { InjectedFailure } from "../../../../src/contract/serving.ts";
import { emptySimChain, signedFromRecord } from "../../../../src/embedded-server/chain/sim-chain.ts";
import type { Resource } from "../../../../src/embedded-server/state/collection.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { intent, outcome } from "../../history/recorded.ts";
import { altered, NOW, type Row, record, solana, stellar } from "../sick.ts";
import { KEPT } from "./here.ts";

const dead: InjectedFailure = { method: "WORKER", path: "*", status: "dead", rate: 1 };
const low = { max_fee_per_gas: "12500000000" };
const unsent = { status: "sent", sent_at: null };
const HOUR = 60;
const LONG = "af095236-f78d-4298-b2b9-c0422af53fe1";

/** The state of relayer `r1` with these records. */
const queue = (records: readonly object[], more: object = {}) => ({
  more: { transactions: records as never, lifecycles: steps(records), ...more },
});
/** What is at the node is mined once it can be. */
const steps = (records: readonly object[]) =>
  (records as { id: string; status: string }[])
    .filter(({ status }) => status === "submitted")
    .map(({ id }) => ({ id, next: "mined" as const, due: 0 }));

const counter = (nonce: number) => altered(/\/status$/, /"nonce":"[0-9]+"/g, `"nonce":"${nonce}"`);
const mined = (id: string, nonce: number) => record(id, 30, { nonce, status: "confirmed" });

/** A chain of which nothing is mined, with these at its node, which are not mined within the next hour. */
const pool = (...records: readonly Resource[]) => {
  const waiting = records.map((each) => signedFromRecord(each, NOW + HOUR * 60_000));
  return { chains: [["evm:mainnet", { ...emptySimChain(), waiting }]] };
};

const FEW = queue([5, 4, 3].map((nonce) => record(`t${nonce}`, 12 - nonce, { nonce, status: "confirmed" })));
const accepted = (id: string, minutes: number) => [
  intent(id, { operation: "tx.send", ids: { relayer_id: "r1" }, time: at(minutes) }),
  outcome(id, { time: at(minutes), after: { id } }),
];

export const QUEUES: readonly Row[] = [
  ["a fee below the base fee", queue([record("t1", 30, low)]), ["fail NONCE-JAM r1"]],
  [
    "a fee below the base fee, and others that wait",
    queue([record("t1", 30, low), record("t2", 20, { nonce: 1 }), record("t3", 10, { nonce: 2 })]),
    ["fail NONCE-JAM r1", "note NONCE-BACKLOG r1"],
  ],
  [
    "a malformed receiver",
    queue([record("t1", 5, { ...unsent, status: "pending", hash: null, signature: null, to: "0x12" })]),
    ["fail NONCE-JAM r1"],
  ],
  [
    "a signer that does not sign",
    {
      failures: [dead],
      ...queue([record("t1", 5, { status: "pending", hash: null, signature: null, sent_at: null })]),
    },
    ["fail NONCE-JAM r1"],
  ],
  [
    "a gap in front of a transaction",
    { failures: [dead], ...queue([mined("t1", 0), record("t2", 5, { nonce: 2 })]) },
    ["fail NONCE-GAP r1"],
  ],
  [
    "a gap further back",
    { failures: [dead], ...queue([record("t1", 1), record("t2", 1, { nonce: 2 })]) },
    ["fail NONCE-GAP r1"],
  ],
  ["a price that the node refused", queue([record("t1", 30, { ...unsent, ...low })]), ["fail NONCE-UNBROADCAST r1"]],
  [
    "a payment above the balance",
    queue([record("t1", 30, { ...unsent, value: String(50n * 10n ** 18n) })]),
    ["fail NONCE-UNBROADCAST r1"],
  ],
  [
    "a worker that does not send",
    { failures: [dead], ...queue([record("t1", 30, unsent)]) },
    ["fail NONCE-UNBROADCAST r1"],
  ],
  [
    "a worker that does not prepare",
    { failures: [dead], ...queue([record("t1", 5, { ...unsent, status: "pending", nonce: null, hash: null })]) },
    ["fail NONCE-UNBROADCAST r1"],
  ],
  [
    "a transaction that pays enough and is not mined",
    queue([record("t1", 30)], pool(record("t1", 30))),
    ["fail NONCE-JAM r1"],
  ],
  [
    "a transaction that is at the node, although its record reads sent",
    queue([record("t1", 30, unsent)], pool(record("t1", 30))),
    ["fail NONCE-JAM r1"],
  ],
  ["a transaction that the node does not have anymore", queue([record("t1", 30)], pool()), ["fail TX-PHANTOM r1"]],
  [
    "a transaction of another program with the key",
    queue([record("t2", 30, { nonce: 1 })], pool(record("t1", 31), record("t2", 30, { nonce: 1 }))),
    ["fail NONCE-FOREIGN r1"],
  ],
  ["a counter below the chain's nonce", { ...queue([mined("t1", 4)]), alter: counter(3) }, ["fail NONCE-FOREIGN r1"]],
  [
    "a transaction that was confirmed, and is on the chain no more",
    { ...queue([record("t1", 30, { status: "confirmed", confirmed_at: at(29) })], pool()), alter: counter(1) },
    ["warn NONCE-DRIFT r1"],
  ],
  ["a counter above the chain's nonce", { ...queue([mined("t1", 4)]), alter: counter(9) }, ["warn NONCE-DRIFT r1"]],
  [
    "a version that was never broadcast",
    queue([record("t1", 30, { ...low, hash: `0x${"ab".repeat(32)}` })], { broadcast: [record("t1", 31, low)] }),
    ["fail TX-PHANTOM r1"],
  ],
  [
    "a record of a version that lost",
    queue([record("t1", 30, { hash: `0x${"ab".repeat(32)}` })], {
      broadcast: [record("t1", 31, { status: "confirmed" })],
      lifecycles: [],
    }),
    ["fail TX-PHANTOM r1"],
  ],
  [
    "pending transactions of Stellar",
    {
      relayers: [stellar()],
      ...queue([
        { id: "s1", relayer_id: "xlm", status: "submitted", created_at: at(20), source_account: "G" },
        { id: "s2", relayer_id: "xlm", status: "submitted", created_at: at(30), source_account: "G" },
      ]),
    },
    ["warn TX-OLD xlm", "note NONCE-BACKLOG xlm"],
  ],
  [
    "an old transaction of Solana",
    {
      relayers: [solana()],
      ...queue([{ id: "s1", relayer_id: "sol", status: "submitted", created_at: at(HOUR), transaction: "AQ==" }]),
    },
    ["warn TX-OLD sol"],
  ],
  ["a transaction of yesterday", { failures: [dead], ...queue([record("t1", 20 * HOUR)]) }, ["warn TX-OLD r1"]],
  [
    "long IDs",
    {
      relayers: [stellar({ id: LONG })],
      ...queue(
        ["6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50", "1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9"].map((id) => ({
          ...{ id, relayer_id: LONG, status: "submitted", created_at: at(HOUR), source_account: "G" },
        })),
      ),
    },
    [`warn TX-OLD ${LONG}`, `note NONCE-BACKLOG ${LONG}`],
  ],
  [
    "transactions that reverted",
    queue([
      record("t2", 50, { status: "confirmed" }),
      record("t1", 60, {
        nonce: null,
        status: "failed",
        status_reason: "Transaction reverted on-chain (receipt status: failed)",
      }),
    ]),
    ["warn TX-REVERTS r1"],
  ],
  [
    "a transaction of this machine without a record after minutes",
    {
      ...FEW,
      world: { env: KEPT, journal: memoryJournal({ entries: [...accepted("t2", 15), ...accepted("t3", 9)] }) },
    },
    ["warn TX-EXPIRY r1"],
  ],
  [
    "final records that are all from the last minutes, on a new service",
    { ...FEW, world: { env: KEPT, journal: memoryJournal({ entries: accepted("t3", 9) }) } },
    [],
  ],
];

function at(minutes: number): string {
  return new Date(NOW - minutes * 60_000).toISOString().replace("Z", "+00:00");
}
