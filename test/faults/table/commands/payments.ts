import { createHash } from "node:crypto";
import type { Entry } from "../../../../src/journal/journal.ts";
import type { Command } from "../command.ts";

const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const OTHER = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const FILE = `to,value,gas_limit\n${TO},5,30000\n`;
const TWO = `to,value,gas_limit\n${OTHER},7,30000\n${TO},5,30000\n`;
const PATH = "/api/v1/relayers/evm-1/transactions";
const REQUEST = { method: "POST", path: PATH };
const METHOD = { method: "POST", target: PATH };

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The list proves a payment: no other row has its gas limit. */
const SENDING: Command = {
  name: "tx send-many",
  argv: ["tx", "send-many", "evm-1", "-f", "payouts.csv", "--speed", "fast", "--confirm", "5wei"],
  files: { "payouts.csv": FILE },
  journal: () => [],
  request: REQUEST,
  kind: "once",
  bodies: [`{"speed":"fast","to":"${TO}","value":"5","gas_limit":30001}`],
  item: "row 1",
  provable: true,
  readsFirst: true,
  needsRoutes: true,
  outwaits: true,
  reports: true,
  sendsRows: "all",
  passes: true,
};

const RUN = "3f2a91c0-5d1e-4b7a-9c46-0a1b2c3d4e5f";

/** A run of two rows, of which the first was paid, and the second one refused. */
function halfPaid(origin: string): readonly Entry[] {
  const shared = { run: RUN, time: "2026-11-20T12:00:00.000Z", user: "ada", host: "console", server: origin };
  const sends = { command: "relayctl tx send-many", operation: "tx.send", kind: "once" as const, ...METHOD };
  const file = { file: "/home/ada/two.csv", sha256: sha256(TWO), rows: 2, total: "12" };
  const intent = (row: number): Entry => ({
    ...{ ...shared, ...sends, type: "intent", id: `w-${row}`, ids: { relayer_id: "evm-1" } },
    body: { speed: "fast", to: row === 1 ? OTHER : TO, value: row === 1 ? "7" : "5", gas_limit: 30_000 + row },
    payment: { row },
  });
  return [
    {
      ...shared,
      ...sends,
      operation: "tx.send-many",
      type: "intent",
      id: "w-0",
      ids: { relayer_id: "evm-1" },
      payments: file,
    },
    { type: "outcome", run: RUN, time: shared.time, id: "w-0", applied: "no" },
    intent(1),
    { type: "outcome", run: RUN, time: shared.time, id: "w-1", applied: "yes", after: { id: "tx-paid" } },
    intent(2),
    { type: "outcome", run: RUN, time: shared.time, id: "w-2", applied: "no", message: "no funds", status: 400 },
  ];
}

/** Only the row that was not paid is sent, whatever happens to it. */
const RESUMING: Command = {
  ...SENDING,
  name: "tx send-many --resume",
  argv: ["tx", "send-many", "evm-1", "-f", "two.csv", "--speed", "fast", "--confirm", "5wei", "--resume"],
  files: { "two.csv": TWO },
  journal: halfPaid,
  bodies: [`{"speed":"fast","to":"${TO}","value":"5","gas_limit":30002}`],
  item: "row 2",
  sendsRows: "rest",
};

export const paymentCommands: readonly Command[] = [SENDING, RESUMING];
