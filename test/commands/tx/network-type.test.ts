import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { record, TRANSFER } from "../../chain/verdict/records.ts";
import { DEEP } from "../../helpers/deep.ts";
import { run } from "./waiting-service.ts";

const KINDS = ["evm", "solana", "stellar"] as const;

/** What is read or sent for a relayer of each kind, and whether its chain is asked with the records of a status. */
const COMMANDS: Readonly<Record<string, { asks: readonly string[] | "never"; writes?: "evm" | "all" }>> = {
  "tx get evm-1 tx-1": { asks: ["confirmed"] },
  "tx get evm-1 tx-1 --on-chain": { asks: ["confirmed", "failed", "submitted"] },
  "tx get evm-1 tx-1 --why": { asks: ["confirmed", "failed", "submitted"] },
  "tx get evm-1 tx-1 --watch --deadline 5s": { asks: ["confirmed", "failed", "submitted"] },
  "tx wait evm-1 tx-1 --deadline 5s": { asks: ["confirmed", "failed", "submitted"] },
  "tx wait evm-1 tx-1 --no-chain --deadline 5s": { asks: "never" },
  "tx list evm-1": { asks: "never" },
  "tx stuck evm-1 --older 1s": { asks: ["submitted"] },
  "tx cancel evm-1 tx-1 --yes": { asks: "never", writes: "all" },
  "tx cancel-pending evm-1 --yes": { asks: "never", writes: "all" },
  "tx replace evm-1 tx-1 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 5wei --gas-limit 21000 --yes": {
    asks: "never",
    writes: "evm",
  },
  "tx bump evm-1 tx-1 --yes": { asks: ["submitted"], writes: "evm" },
  "relayers freeze evm-1 --yes": { asks: "never", writes: "evm" },
};

const MEMBERS = ["hash", "nonce", "gas_price", "max_fee_per_gas", "data", "gas_limit", "from", "to", "is_canceled"];
const OTHERS = { source_account: "G", sequence_number: "7", transaction: "AA", instructions: [], signature: "5ig" };

/** What a record of a status may look like. */
function shapesOf(status: string): Record<string, Transaction> {
  const whole = { ...record({ status }), nonce: 4 };
  const shapes: Record<string, Transaction> = { whole };
  for (const member of [...MEMBERS, "relayer_id", "speed", "sent_at"]) {
    const { [member]: _, ...rest } = whole as Record<string, unknown>;
    shapes[`without ${member}`] = rest as unknown as Transaction;
  }
  for (const [member, value] of Object.entries(OTHERS))
    shapes[`with ${member}`] = { ...whole, [member]: value } as Transaction;
  const { id, created_at } = whole;
  shapes["as of Stellar"] = { id, status, created_at, hash: "bb".repeat(32), source_account: "G", fee: 100 } as never;
  shapes["as of Solana"] = { id, status, created_at, transaction: "AQABAg==", signature: "5ig" } as never;
  return shapes;
}

const CASES = Object.keys(COMMANDS).flatMap((line) =>
  KINDS.flatMap((kind) =>
    ["submitted", "confirmed", "failed"].flatMap((status) =>
      Object.entries(shapesOf(status)).map(([shape, shown]) => ({ line, kind, status, shape, shown })),
    ),
  ),
);

/** Each line, kind, status, and look is among those that `npm test` tries. */
const EVERY = 29;

/** What a command decided: which chain it asked, what it sent, and which kind its words name. */
async function decisionsOf({ line, kind, shown }: (typeof CASES)[number]) {
  const ran = await run(line, {
    record: (_, id) => (id === "tx-1" ? shown : null),
    chain: () => ({ transactions: [{ ...TRANSFER, ...(shown.status === "submitted" ? {} : { block: 90 }) }] }),
    relayer: { network_type: kind, ...(kind !== "evm" && { address: "G" }) },
    written: () => ({ ...shown, is_canceled: true }),
  });
  const methods = ran.requests.flatMap(({ target, body = "" }) =>
    target.endsWith("/rpc") ? [String(JSON.parse(body).method)] : [],
  );
  return {
    exitCode: ran.exitCode,
    stderr: ran.stderr,
    evm: methods.some((method) => method.startsWith("eth_")),
    other: methods.some((method) => !method.startsWith("eth_")),
    changes: ran.writes.filter(({ method, target }) => /\/transactions\//.test(target) && method !== "POST").length > 0,
    named: ["Solana", "Stellar"].filter((name) => new RegExp(`\\b${name}\\b`).test(ran.stderr)),
  };
}

/** Whether a record has too little to look anything up on a chain. */
function isTooLittle({ hash, nonce, from }: Transaction): boolean {
  return !/^0x/.test(String(hash)) && (nonce === undefined || from === undefined);
}

/** Returns what is wrong with a decision. */
async function faultsOf(each: (typeof CASES)[number]): Promise<string[]> {
  const { line, kind, status, shown } = each;
  const { asks, writes } = COMMANDS[line] as (typeof COMMANDS)[string];
  const decided = await decisionsOf(each);
  const isEvm = kind === "evm";
  const mustAsk = isEvm && asks !== "never" && asks.includes(status) && !isTooLittle(shown);
  const others = decided.named.filter((name) => name.toLowerCase() !== kind);
  const faults = {
    "asks an EVM node": decided.evm && !isEvm,
    "asks no EVM node": !decided.evm && mustAsk,
    "asks another chain": decided.other && isEvm,
    "changes a transaction": decided.changes && !isEvm && writes === "evm",
    "ends in a bug": decided.exitCode === 1,
    [`names ${others}`]: others.length > 0,
  };
  return Object.entries(faults).flatMap(([words, isFault]) => (isFault ? [words, decided.stderr] : []));
}

test("the relayer's type of network decides which chain is asked and what is sent, and no record does", async () => {
  const wrong: unknown[] = [];
  for (const each of CASES.filter((_, index) => DEEP || index % EVERY === 0)) {
    const found = await faultsOf(each);
    if (found.length > 0) wrong.push({ ...each, found });
  }
  expect(wrong).toEqual([]);
});
