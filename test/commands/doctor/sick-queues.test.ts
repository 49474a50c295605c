import { describe, test } from "vitest";
import type { InjectedFailure } from "../../../src/embedded-server/middleware/failures.ts";
import { altered, expectRow, NOW, type Row, record, solana, stellar, well } from "./sick.ts";

const dead: InjectedFailure = { method: "WORKER", path: "*", status: "dead", rate: 1 };
const low = { max_fee_per_gas: "12500000000" };
const INVALID = [{ url: "https://node.invalid", weight: 100 }];
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

/** What the service's counter is. */
const counter = (nonce: number) => altered(/\/status$/, /"nonce":"[0-9]+"/g, `"nonce":"${nonce}"`);
const mined = (id: string, nonce: number) => record(id, 30, { nonce, status: "confirmed" });

const ROWS: readonly Row[] = [
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
  ["a counter below the chain's nonce", { ...queue([mined("t1", 4)]), alter: counter(3) }, ["fail NONCE-FOREIGN r1"]],
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
];

function at(minutes: number): string {
  return new Date(NOW - minutes * 60_000).toISOString().replace("Z", "+00:00");
}

const chainId = altered(/\/rpc$/, /"result":"0x1"/g, '"result":"0x5"', "eth_chainId");
const oldBlock = altered(
  /\/rpc$/,
  /"timestamp":"0x[0-9a-f]+"/g,
  `"timestamp":"0x${Math.floor(NOW / 1000 - 7200).toString(16)}"`,
  "eth_getBlockByNumber",
);
const balance = (wei: string) => altered(/\/status$/, /"balance":"[0-9]+"/g, `"balance":"${wei}"`);
const network = (urls: object[]) => ({
  id: "evm:mainnet",
  name: "mainnet",
  network_type: "evm",
  chain_id: 1,
  average_blocktime_ms: 12_000,
  rpc_urls: urls,
});

const NODES: readonly Row[] = [
  ["a dead node of an active relayer", { relayers: [well({ custom_rpc_urls: INVALID })] }, ["fail RPC-DOWN r1"]],
  ["a dead node of the network", { more: { networks: [network(INVALID)] as never } }, ["fail RPC-DOWN r1"]],
  ["a dead node of Stellar", { relayers: [stellar({ custom_rpc_urls: INVALID })] }, ["fail RPC-DOWN xlm"]],
  ["a node of another chain", { alter: chainId }, ["fail RPC-CHAIN r1"]],
  ["a node with an old block", { alter: oldBlock }, ["fail RPC-BEHIND r1"]],
  [
    "a balance below the minimum",
    { relayers: [well({}, { min_balance: 5n * 10n ** 18n })] },
    ["fail BAL-BELOW-MIN r1"],
  ],
  [
    "a balance of Stellar below the default minimum",
    { relayers: [stellar()], alter: balance("900000") },
    ["fail BAL-BELOW-MIN xlm"],
  ],
  [
    "a balance that cannot pay for a transfer",
    { relayers: [well({}, { min_balance: 2 })], alter: balance("1000000000") },
    ["fail BAL-TOO-LOW r1"],
  ],
];

describe("doctor finds exactly what holds up transactions, and its commands end it", () => {
  test.each(ROWS)("%s", async (...row) => expectRow(row));
});

describe("doctor finds exactly what is wrong with nodes and balances", () => {
  test.each(NODES)("%s", async (...row) => expectRow(row));
});
