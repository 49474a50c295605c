import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { intent } from "../../../commands/history/recorded.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { type Beginning, configOf, type Ended, type Life } from "../real-files.ts";
import type { Row } from "../row.ts";

const FILES = { "config.json": configOf() };
const PENDING = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
/** A transaction that its relayer's cap keeps from being bumped. */
const CAPPED = "2b3c4d5e-6f70-4182-93a4-b5c6d7e8f90a";
const CAP = 80_000_000_000;
const BUMP = `tx bump eth-main-1 ${CAPPED} --raise-cap --yes`;
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const PAY = `tx send base-hot --to ${TO} --value 0.01eth --gas-limit 21000 --speed fast --yes`;
const row = (line: string, more: Partial<Row> = {}): Row => ({ line, files: FILES, ...more });

/** Commands that change transactions, and those that undo or settle what a journal has. */
export const TRANSACTION_ROWS: readonly Row[] = [
  row(`tx replace eth-main-1 ${PENDING} --inherit --speed fastest --yes`, { again: [0, 6] }),
  row(`tx bump eth-main-1 ${PENDING} --yes`, { again: [0, 6] }),
  row(BUMP, { after: restoresCap }),
  row(`${BUMP} --keep-raised`, { again: [0, 6] }),
  row(`tx cancel eth-main-1 ${PENDING} --yes`, { again: [0, 6] }),
  row("tx cancel-pending eth-main-1 --yes"),
  row("undo --yes", { before: ["relayers update base-hot --name treasury --diff --yes"], again: [0, 5, 6] }),
  row("relayers pause eth-main-1 --yes", {
    before: ["relayers pause base-hot --yes", (life) => appendFileSync(monthOf(life), '{"v":1,"type":"int')],
  }),
  row("relayers pause eth-main-1 --yes", { before: [nearlyIndexed] }),
  row("history settle", { before: [PAY], respond: losing("POST") }),
  row("history settle", { before: [BUMP], respond: losing("PATCH"), ends: 13, after: restoresCap }),
  row("history costs --since 30d", { before: [`${PAY} --wait`] }),
  row("audit base-hot"),
  row("audit base-hot --state FOLDER/nonces"),
  row("spend base-hot --state FOLDER/nonces"),
];

/** A journal whose lines are not in its lookup files yet, until the next line is. */
async function nearlyIndexed(life: Life): Promise<void> {
  const journal = life.journal();
  const entry = (index: number, length: number) =>
    intent(`00000000-0000-4000-9000-${String(index).padStart(12, "0")}`, {
      time: "2026-11-20T00:00:00.000Z",
      command: "x".repeat(length),
    });
  const length = 60_000;
  await Promise.all(Array.from({ length: 17 }, (_, index) => journal.append(entry(index, length))));
  const size = statSync(monthOf(life)).size;
  const line = Math.round(size / 17) - length;
  await journal.append(entry(17, 2 ** 20 - size - line - 300));
}

function monthOf({ folder }: Life): string {
  return join(folder, "journal", "2026-11.ndjson");
}

/** A service that loses its response to the last request for a write that comes before the command. */
function losing(method: "POST" | "PATCH"): NonNullable<Beginning["respond"]> {
  return () => {
    let left = method === "POST" ? 1 : 2;
    return async (request, reply) => {
      if (request.method === method && !request.target.endsWith("/rpc") && left > 0) {
        left--;
        if (left === 0) {
          if (method === "POST") await reply();
          throw lost();
        }
      }
      return await reply();
    };
  };
}

/** A cap that is left raised is restored by `history settle`, or by a command that was printed. */
async function restoresCap(life: Life, { stderr, exitCode }: Ended): Promise<string[]> {
  const settled = await life.run("history settle");
  const { stdout } = await life.run("relayers get eth-main-1 -o json");
  if (JSON.parse(stdout).policies.gas_price_cap === CAP) return [];
  const printed = /relayers update eth-main-1 --policy gas_price_cap=80gwei/.test(stderr);
  return printed ? [] : [`the cap stays raised, exit ${exitCode}: ${stderr}; settled: ${settled.stderr}`];
}
