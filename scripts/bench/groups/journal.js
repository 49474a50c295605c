import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { interleaved } from "../rounds.js";
import { serve } from "../server.js";
import { timed } from "../shell.js";
import { costRatio } from "../statistics.js";
import { count } from "../words.js";

const TRANSACTION = "eth-main-1 0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60";
const WRITE = "relayctl relayers update eth-main-1 --name bench --yes";
const LINES = 100_000;
const WRITES_UNTIL_INDEXED = 28;

/** What a large journal costs the lookup of one transaction, and what a journal costs one write. */
export async function journal(world) {
  const server = await serve(world, "--quiet", "--seed", "demo");
  const env = { ...server.env, JOURNAL: writeJournal(world.folder) };
  // Each append adds some megabytes of lines to the lookup files, as far as they lag behind.
  for (let write = 0; write < WRITES_UNTIL_INDEXED; write++)
    await timed(world, `RELAYCTL_JOURNAL=$JOURNAL ${WRITE}`, { env });
  const lines = {
    get: { line: `RELAYCTL_JOURNAL=$JOURNAL relayctl tx get ${TRANSACTION}` },
    getWithout: { line: `RELAYCTL_JOURNAL=off relayctl tx get ${TRANSACTION}` },
    write: { line: `RELAYCTL_JOURNAL=$JOURNAL ${WRITE}` },
    writeWithout: { line: `RELAYCTL_JOURNAL=off ${WRITE}` },
  };
  const runs = await interleaved(world, lines, { rounds: world.plan.shortRounds, env });
  await server.stop();
  const what = `\`tx get\` with a journal of ${count(LINES)} lines / without a journal`;
  return {
    runs,
    rows: [
      { what, atMost: 1.1, ...costRatio(runs.get, runs.getWithout) },
      { what: "one write with that journal / without", atMost: 1.5, ...costRatio(runs.write, runs.writeWithout) },
    ],
  };
}

/** Writes the lines as a program wrote them that died before it could update the head, and returns the folder. */
function writeJournal(folder) {
  const path = join(folder, "journal");
  mkdirSync(path, { mode: 0o700 });
  let prev = "0".repeat(64);
  const lines = Array.from({ length: LINES }, (_, index) => {
    const line = lineOf(index, prev);
    prev = createHash("sha256").update(line).digest("hex");
    return `${line}\n`;
  });
  writeFileSync(join(path, "2026-01.ndjson"), lines.join(""), { mode: 0o600 });
  return path;
}

/** An intent and its outcome in turn, each pair with a separate transaction. */
function lineOf(index, prev) {
  const number = String(Math.floor(index / 2)).padStart(12, "0");
  const time = "2026-01-15T12:00:00.000Z";
  const common = { id: `10000000-0000-4000-8000-${number}`, run: `20000000-0000-4000-8000-${number}` };
  const transaction = `30000000-0000-4000-8000-${number}`;
  const hash = `0x${createHash("sha256").update(number).digest("hex")}`;
  const entry =
    index % 2 === 0
      ? {
          type: "intent",
          user: "ops",
          host: "console",
          server: "https://relayer.example",
          command: "relayctl tx cancel",
          operation: "tx.cancel",
          kind: "once",
          method: "DELETE",
          target: `/api/v1/relayers/eth-main-1/transactions/${transaction}`,
          ids: { relayer_id: "eth-main-1", transaction_id: transaction },
          before: { id: transaction, hash },
        }
      : { type: "outcome", applied: "yes", after: { id: transaction, status: "submitted", hash } };
  return JSON.stringify({ v: 1, prev, time, ...common, ...entry });
}
