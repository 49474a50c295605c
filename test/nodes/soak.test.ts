import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenInTest } from "../helpers/service/listen.ts";
import { anvil, hex } from "./nodes.ts";
import { direct, type Served, serveOn } from "./served.ts";

/** How many payments are sent: a tenth of a whole run, unless `SOAK` says otherwise. */
const COUNT = Number(process.env.SOAK ?? 200);
const SEED = Number(process.env.SOAK_SEED ?? 1);
const MOST_RUNS = 12;
/** An hour of blocks of 12 seconds. */
const HOUR_OF_BLOCKS = 300;

function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

async function openLossyProxy(origin: string, next: () => number): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const isPayment = incoming.method === "POST" && /\/transactions$/.test(incoming.url ?? "");
    const luck = isPayment ? next() : 1;
    if (luck < 0.02) return void incoming.socket.destroy();
    const { method, headers, url } = incoming;
    const passed = request(`${origin}${url}`, { method, headers }, (response) => {
      if (luck < 0.07) return void incoming.socket.destroy();
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    passed.on("error", () => incoming.socket.destroy());
    incoming.pipe(passed);
  });
  return `http://127.0.0.1:${await listenInTest(proxy)}`;
}

const receiver = (row: number) => `0x5200000000000000${row.toString(16).padStart(24, "0")}`;
const value = (row: number) => 1_000 + row;

/** Drops a transaction of the pool, or undoes up to three blocks, now and then. */
function troubled(served: Served, next: () => number): () => Promise<void> {
  return async () => {
    const luck = next();
    if (luck < 0.05) {
      const { pending } = (await served.node.call("txpool_content")) as { pending: Record<string, object> };
      const hashes = Object.values(pending).flatMap((byNonce) => Object.values(byNonce) as { hash: string }[]);
      const chosen = hashes[Math.floor(next() * hashes.length)];
      if (chosen) await direct(served, "dropTransaction", chosen.hash);
    } else if (luck < 0.08) await direct(served, "reorg", 1 + Math.floor(next() * 3), []).catch(() => {});
  };
}

interface Row {
  /** From 1. */
  row: number;
  state: string;
}

const SETTLED: readonly string[] = ["confirmed", "unknown"];

async function countRows(served: Served, rows: readonly Row[]): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const { row: number, state } of rows) {
    const row = number - 1;
    const balance = BigInt(String(await served.node.call("eth_getBalance", receiver(row), "latest")));
    expect([0n, BigInt(value(row))], `row ${row} was paid ${balance} wei`).toContain(balance);
    if (state === "confirmed") expect([row, balance]).toEqual([row, BigInt(value(row))]);
    else if (state !== "unknown" && state !== "sent") expect([row, state, balance]).toEqual([row, state, 0n]);
    const word = state === "unknown" && balance > 0n ? "unknown, but paid" : state;
    counted[word] = (counted[word] ?? 0) + 1;
  }
  return counted;
}

test.skipIf(anvil.program === undefined)(
  `of ${COUNT} payments with lost responses, drops, and reorganizations, none is made twice, and no verdict is false`,
  async () => {
    const served = await serveOn(anvil, "1x");
    onTestFinished(() => served.stop());
    const next = chance(SEED);
    const folder = mkdtempSync(join(tmpdir(), "relayctl-soak-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "payments.csv");
    const rows = Array.from({ length: COUNT }, (_, row) => row);
    const sum = rows.reduce((all, row) => all + value(row), 0);
    writeFileSync(file, `to,value\n${rows.map((row) => `${receiver(row)},${value(row)}wei`).join("\n")}\n`);
    const env = {
      RELAYCTL_SERVER: await openLossyProxy(served.origin, next),
      RELAYCTL_JOURNAL: join(folder, "journal"),
    };
    const words = [
      "-f",
      file,
      "--speed",
      "fast",
      "--confirm",
      `${sum}wei`,
      "--stop-after",
      String(COUNT),
      "--concurrency",
      "50",
    ];
    let shown = "";
    let runs = 0;
    for (let isDone = false; runs < MOST_RUNS && !isDone; runs++) {
      const again = runs === 0 ? [] : ["--resume"];
      const sending = served.runWith(
        env,
        ...["tx", "send-many", "evm-local", ...words, ...again, "--wait", "--deadline", "120s", "-o", "json"],
      );
      const ran = await served.mining(sending, troubled(served, next), 6_000);
      expect([0, 11, 12, 13, 14, 15], ran.stderr).toContain(ran.exitCode);
      shown = ran.stdout;
      // What is still unknown never arrived, or was dropped for good: no further run may send it again.
      isDone = runs > 0 && (JSON.parse(shown) as Row[]).every(({ state }) => SETTLED.includes(state));
      if (!isDone) await served.mining(served.runWith(env, "relayers", "unstick", "evm-local", "--yes"));
    }
    await direct(served, "mine", hex(HOUR_OF_BLOCKS));
    const counted = await countRows(served, JSON.parse(shown) as Row[]);
    process.stdout.write(`${served.node.version}, seed ${SEED}: ${JSON.stringify(counted)} after ${runs} runs\n`);
  },
);
