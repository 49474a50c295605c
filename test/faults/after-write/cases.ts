import { DEEP } from "../../helpers/deep.ts";
import type { FaultServerOptions } from "../server/fault-server.ts";
import { numberOf } from "../table/combinations.ts";
import { type Fault, HANG, READ, send, sendReply } from "../table/fault.ts";
import { fine } from "../table/faults/fine.ts";
import { lost } from "../table/faults/lost.ts";
import { ELSEWHERE, limited, refused } from "../table/faults/refused.ts";
import { unreadable } from "../table/faults/unreadable.ts";
import { OUTCOMES, type Outcome, serviceWith } from "./outcome.ts";

const HUGE = 100 * 2 ** 20;
const CHUNKED = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n";

/** Responses that are too much for memory. */
const huge: readonly Fault[] = [
  {
    name: "100 MB",
    steps: [
      READ,
      send(`${CHUNKED}\r\n${HUGE.toString(16)}\r\n`),
      { do: "flood" as const, text: " ", bytes: HUGE },
      send("\r\n0\r\n\r\n"),
    ],
  },
  {
    name: "a gzip bomb",
    steps: [
      READ,
      send("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n"),
      { do: "gzip bomb" as const, bytes: HUGE },
      HANG,
    ],
  },
].map((fault) => ({ ...fault, row: "unreadable", code: 9 }));

const ADDRESS = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const OTHER_HASH = `0x${"e".repeat(64)}`;
const LIE = {
  hash: OTHER_HASH,
  transactionHash: OTHER_HASH,
  from: ADDRESS,
  to: ADDRESS,
  value: "0x1",
  input: "0x",
  nonce: "0x7",
  number: "0x78",
  timestamp: "0x5e0be100",
  blockNumber: "0x64",
  status: "0x1",
  transactions: [],
};

/** What a node returns in place of every result. */
const RESULTS: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["the ID of another chain", "0x1"],
  ["a number", 31_337],
  ["a negative quantity", "-0x1"],
  ["a quantity that is not hex", "0xzz"],
  ["100,000 digits", `0x${"9".repeat(100_000)}`],
  ["an empty object", {}],
  ["an empty list", []],
  ["something about another transaction", LIE],
  ["a block above the newest one", { ...LIE, blockNumber: "0xffffff" }],
  ["a block of the future", { ...LIE, timestamp: "0xffffffffff" }],
  ["a status that is neither 0 nor 1", { ...LIE, status: "0x2" }],
];

const json = (body: string) => sendReply(200, body, { "content-type": "application/json" });

const results: readonly Fault[] = [
  ...RESULTS.map(([name, result]) => [`the result ${name}`, JSON.stringify({ jsonrpc: "2.0", id: 1, result })]),
  ["a number of 100,000 digits", `{"jsonrpc":"2.0","id":1,"result":${"9".repeat(100_000)}}`],
  ["deep nesting", `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ...[-32_603, -32_601, -32_005, -32_000, 3].map((code) => [
    `the JSON-RPC error ${code}`,
    JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message: "no" } }),
  ]),
].map(([name = "", body = ""]) => ({ name, row: "unreadable", code: 9, steps: [READ, json(body)] }));

/** Faults of reads: none that only a write can reveal, and none of a whole connection. */
const ofReads = [fine, lost, unreadable, refused, limited]
  .flat()
  .filter(({ only, onAccept, greeting }) => only !== "writes" && !onAccept && greeting === undefined);

const anyRead: readonly Fault[] = [...ofReads, ...huge];

const anyRpc: readonly Fault[] = [...anyRead, ...results];

/** Of so many combinations one is run. */
const ONE_IN = DEEP ? 1 : 300;

/** A fault of reads that follow a write, and what becomes of the write. */
interface Case {
  name: string;
  match: { method: string; path?: string };
  fault: Fault;
  outcome: Outcome;
}

/** The reads that follow a write. */
const READS: readonly { name: string; match: { method: string; path?: string }; faults: readonly Fault[] }[] = [
  { name: "every read", match: { method: "GET" }, faults: anyRead },
  { name: "the relayer", match: { method: "GET", path: "/api/v1/relayers/evm-1" }, faults: anyRead },
  { name: "the network", match: { method: "GET", path: "/api/v1/networks/evm:testnet" }, faults: anyRead },
  { name: "the node", match: { method: "POST", path: "/api/v1/relayers/evm-1/rpc" }, faults: anyRpc },
];

const cases: readonly Case[] = READS.flatMap(({ name, match, faults }) =>
  faults.flatMap((fault) =>
    OUTCOMES.map((outcome) => ({ name: `${outcome}, ${name}: ${fault.name}`, match, fault, outcome })),
  ),
);

export function sampleFor(command: string): Case[] {
  return cases.filter(({ name }) => numberOf(`${command} ${name}`) % ONE_IN === 0);
}

/** Returns the service with a fault. @param elsewhere an origin that is never to be asked */
export function worldOf({ match, fault, outcome }: Omit<Case, "name">, elsewhere: string): FaultServerOptions {
  const steps = fault.steps.map((step) =>
    step.do === "send" ? { ...step, text: step.text.replaceAll(ELSEWHERE, elsewhere) } : step,
  );
  return {
    service: serviceWith(outcome),
    scripts: [{ match: { ...match, afterWrite: true, ...(fault.once && { nth: 1 }) }, steps }],
  };
}
