import { exited } from "../helpers/exited.ts";
import { alternating, type Direction, hex, type RealNode, until } from "./nodes.ts";
import { direct, RECEIVER, receiptOf, type Served, sendElsewhere, setBaseFee } from "./served.ts";

/** What must hold on every node. */
export interface Row {
  ability: string;
  needs?: Direction;
  /** When its chain begins, in seconds since 1970: now, unless it says so. */
  begin?(): number;
  hold(served: Served): Promise<void>;
}

const HOUR = 3_600;

const GWEI = 10n ** 9n;
const pay = ["--to", RECEIVER, "--value", "5wei"];

function errorData(words: string): string {
  const text = Buffer.from(words).toString("hex").padEnd(64, "0");
  return `08c379a0${"20".padStart(64, "0")}${words.length.toString(16).padStart(64, "0")}${text}`;
}

function revertCode(data: string): string {
  const words = data.padEnd(Math.ceil(data.length / 64) * 64, "0").match(/.{64}/g) ?? [];
  const stores = words.map((word, index) => `7f${word}60${(index * 32).toString(16).padStart(2, "0")}52`).join("");
  return `${stores}60${(data.length / 2).toString(16).padStart(2, "0")}6000fd`;
}

function deploying(code: string): string {
  const size = (code.length / 2).toString(16).padStart(2, "0");
  return `0x60${size}80600b6000396000f3${code}`;
}

async function deploy(served: Served, code: string): Promise<string> {
  const { hash } = await served.send("--data", deploying(code), "--value", "0", "--gas-limit", "300000");
  await served.mine();
  const receipt = (await served.node.call("eth_getTransactionReceipt", hash)) as { contractAddress: string };
  await served.mine();
  return receipt.contractAddress;
}

const word = (hex: string) => hex.padStart(64, "0");

/** Kinds of reverts: the code of a contract that does nothing else, and the words that must be said. */
const REVERTS: readonly (readonly [string, string, RegExp])[] = [
  ["a reason", revertCode(errorData("no")), /\bno\b/],
  ["a custom error", revertCode(`cf479181${word("5")}${word("7")}`), /InsufficientBalance.* 5.* 7/],
  ["a panic", revertCode(`4e487b71${word("11")}`), /Panic\(0x11\): arithmetic overflow or underflow/],
  ["no reason", "60006000fd", /no reason given|revert/],
  ["no gas left", "5b600056", /out of gas|all of its gas/],
];

function lastLine(stdout: string): Record<string, unknown> {
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as Record<string, unknown>;
}

async function waitFor(served: Served, id: string): Promise<{ exitCode: number; verdict: Record<string, unknown> }> {
  const ran = await served.mining(served.run("tx", "wait", "evm-local", id, "-o", "json", "--deadline", "240s"));
  const [verdict = {}] = JSON.parse(ran.stdout) as Record<string, unknown>[];
  return { exitCode: ran.exitCode, verdict };
}

/** The service resubmits by itself: a command that finds a changed record sends nothing, and is run again. */
async function runUntilSteady(served: Served, ...words: string[]): Promise<Awaited<ReturnType<Served["run"]>>> {
  const ran = await served.run(...words);
  return ran.stderr.includes("has changed since it was read") ? await runUntilSteady(served, ...words) : ran;
}

async function diagnose(
  served: Served,
): Promise<{ findings: { code: string; message: string }[]; step: { action: string } | null }> {
  const { stdout } = await served.run("relayers", "unstick", "evm-local", "--dry-run", "-o", "json");
  return JSON.parse(stdout) as Awaited<ReturnType<typeof diagnose>>;
}

/** Starts a second node of the same kind, whose chain has two blocks and no payment. */
async function startOther({ kind, address }: Served): Promise<RealNode> {
  const other = await kind.start();
  await other.fund(address, 10n ** 20n);
  for (let block = 0; block < 2; block++) await other.call("evm_mine");
  return other;
}

/** Expects that nothing is said of a mined payment that the chain contradicts, by a node that does not have it, or by one of two. */
async function expectNoFalseWord(served: Served, id: string, url: string): Promise<void> {
  const words = ["tx", "wait", "evm-local", id, "--node", url, "--deadline", "4s", "-o", "json"];
  const { stdout, exitCode } = await served.run(...words);
  const [{ verdict, by_record: byRecord }] = JSON.parse(stdout) as [{ verdict: string; by_record: boolean }];
  expect(["pending", "confirmed"]).toContain(verdict);
  expect(exitCode).toBe(verdict === "pending" ? 15 : 0);
  if (verdict === "pending") expect(byRecord).toBe(false);
  const unstick = await served.run("relayers", "unstick", "evm-local", "--dry-run", "--node", url, "-o", "json");
  expect(JSON.parse(unstick.stdout)).toMatchObject({ step: null });
}

/** The abilities, each with what the chain itself must say. */
export const CATALOG: readonly Row[] = [
  {
    ability: "send, and follow until it is confirmed",
    async hold(served) {
      const sent = served.run("tx", "send", "evm-local", ...pay, "--speed", "fast", "--yes", "--wait", "-o", "ndjson");
      const ran = await exited({ exitCode: 0 }, served.mining(sent));
      const end = lastLine(ran.stdout);
      expect(end).toMatchObject({ verdict: "confirmed", by_record: false, value: "5" });
      expect(await receiptOf(served, String(end.hash))).toMatchObject({ status: "0x1" });
    },
  },
  {
    ability: "a payment is followed to mined, and to final",
    async hold(served) {
      const { id, hash } = await served.send(...pay);
      for (const goal of ["mined", "final"]) {
        const words = ["tx", "wait", "evm-local", id, "--for", goal, "-o", "json", "--deadline", "120s"];
        const { stdout } = await exited(0, served.mining(served.run(...words)));
        expect(JSON.parse(stdout)).toMatchObject([{ end: "reached", verdict: "confirmed", by_record: false, hash }]);
      }
      const receipt = await receiptOf(served, hash);
      const final = (await served.node.call("eth_getBlockByNumber", "finalized", false)) as { number: string };
      expect(Number(final.number)).toBeGreaterThanOrEqual(Number(receipt?.blockNumber));
    },
  },
  {
    ability: "a replacement for which one fee was raised reports the fees that were set",
    needs: "blocks",
    async hold(served) {
      const fees = (most: string, tip: string) => ["--max-fee-per-gas", most, "--max-priority-fee-per-gas", tip];
      const words = ["--gas-limit", "21000", "--yes", "-o", "json"];
      const sent = await served.run("tx", "send", "evm-local", ...pay, ...fees("20gwei", "2gwei"), ...words);
      const { id } = JSON.parse(sent.stdout) as { id: string };
      await until(async () => (await served.read(id)).hash !== "");
      const { hash } = await served.read(id);
      const again = ["tx", "replace", "evm-local", id, "--inherit", ...fees("30gwei", "2gwei"), "--yes", "-o", "json"];
      const ran = await served.run(...again);
      expect(ran).toMatchObject({ exitCode: 14, stderr: expect.stringContaining("max_fee_per_gas: requested") });
      await until(async () => (await served.read(id)).hash !== hash);
      expect(await waitFor(served, id)).toMatchObject({ exitCode: 0, verdict: { verdict: "confirmed" } });
      expect(await receiptOf(served, hash)).toBeNull();
    },
  },
  ...["the newer", "the older"].map((which) => ({
    ability: `of two versions of a payment ${which} one is mined, and it is paid once`,
    needs: which === "the newer" ? ("blocks" as const) : ("reorganizations" as const),
    async hold(served: Served) {
      const { id, hash: older } = await served.send(...pay);
      const raw = which === "the older" ? await served.node.call("eth_getRawTransactionByHash", older) : undefined;
      const bumped = await runUntilSteady(served, "tx", "bump", "evm-local", id, "--speed", "fastest", "--yes");
      expect(bumped, bumped.stderr).toMatchObject({ exitCode: 0 });
      await until(async () => (await served.read(id)).hash !== older);
      const { hash: newer } = await served.read(id);
      if (raw !== undefined) {
        await direct(served, "dropTransaction", newer);
        await served.node.call("eth_sendRawTransaction", raw);
        await served.mine();
      }
      const mined = raw === undefined ? newer : older;
      const { exitCode, verdict } = await waitFor(served, id);
      const expected = { verdict: "confirmed", hash: mined, value: "5", by_record: false };
      expect([exitCode, verdict]).toMatchObject([0, expected]);
      expect(await receiptOf(served, mined)).toMatchObject({ status: "0x1" });
      expect(await receiptOf(served, raw === undefined ? older : newer)).toBeNull();
      expect(BigInt(String(await served.node.call("eth_getBalance", RECEIVER, "latest")))).toBe(5n);
    },
  })),
  {
    ability: "a fee below the base fee is named, and bump frees it",
    needs: "blocks",
    async hold(served) {
      const { id, hash } = await served.send(...pay);
      await setBaseFee(served, 500n * GWEI);
      await served.mine();
      expect(await diagnose(served)).toMatchObject({ findings: [{ code: "underpriced" }], step: { action: "bump" } });
      await exited({ exitCode: 0 }, served.run("tx", "bump", "evm-local", id, "--speed", "fastest", "--yes"));
      expect(await waitFor(served, id)).toMatchObject({
        exitCode: 0,
        verdict: { verdict: "confirmed", by_record: false },
      });
      expect(await receiptOf(served, hash)).toBeNull();
    },
  },
  {
    ability: "a cancellation is mined in place of the payment",
    needs: "blocks",
    async hold(served) {
      const { id, hash, nonce } = await served.send(...pay);
      const words = ["tx", "cancel", "evm-local", id, "--wait", "--yes", "-o", "json"];
      const ran = await served.mining(runUntilSteady(served, ...words));
      const paid = await receiptOf(served, hash);
      const { status } = await served.read(id);
      // A block may take the payment first; then nothing may say that it was canceled.
      expect([ran.exitCode === 0, status === "canceled"]).toEqual([paid === null, paid === null]);
      const count = await served.node.call("eth_getTransactionCount", served.address, "latest");
      expect(Number(count)).toBe(nonce + 1);
    },
  },
  {
    ability: "a queue of 20 behind a head with too low a fee is freed by bumping its head alone",
    needs: "blocks",
    async hold(served) {
      const head = await served.send(...pay);
      const behind: string[] = [];
      for (let sent = 0; sent < 19; sent++) behind.push((await served.send(...pay)).id);
      await setBaseFee(served, 900n * GWEI);
      await served.mine();
      // anvil drops a whole queue whose head cannot pay the base fee; a single transaction stays in its pool.
      const isInPool = (await served.node.call("eth_getTransactionByHash", head.hash)) !== null;
      const code = (await diagnose(served)).findings[0]?.code;
      // The worker may have sent it again at what the market asks now.
      const isSentAgain = (await served.read(head.id)).hash !== head.hash;
      if (!isSentAgain) expect(code).toBe(isInPool ? "underpriced" : "dropped");
      const freed = await served.mining(served.run("relayers", "unstick", "evm-local", "--yes"));
      expect([0, 13]).toContain(freed.exitCode);
      for (const id of [head.id, ...behind]) expect(await waitFor(served, id)).toMatchObject({ exitCode: 0 });
    },
  },
  {
    ability: "a transaction that the pool dropped is sent again by bump",
    needs: "blocks",
    async hold(served) {
      const { id, hash } = await served.send(...pay);
      await direct(served, "dropTransaction", hash);
      await served.mine();
      // It may be too young to be missed, but nothing else may be said of it.
      const { findings } = await diagnose(served);
      expect(["in_progress", "dropped"]).toContain(findings[0]?.code);
      await served.run("tx", "bump", "evm-local", id, "--speed", "fastest", "--yes");
      expect(await waitFor(served, id)).toMatchObject({ exitCode: 0, verdict: { verdict: "confirmed" } });
    },
  },
  ...REVERTS.map(([what, code, words]) => ({
    ability: `a revert with ${what} is simulated before, and reported after`,
    async hold(served: Served) {
      const contract = await deploy(served, code);
      const to = ["--to", contract, "--data", "0x12345678", "--value", "0", "--gas-limit", "100000"];
      const sending = ["tx", "send", "evm-local", ...to, "--speed", "fast", "--yes", "--simulate"];
      expect(await served.run(...sending)).toMatchObject({ exitCode: 7, stderr: expect.stringMatching(words) });
      const sent = await served.send(...to);
      const { exitCode, verdict } = await waitFor(served, sent.id);
      expect([exitCode, verdict]).toMatchObject([13, { verdict: "reverted", reason: expect.stringMatching(words) }]);
      expect(await receiptOf(served, sent.hash)).toMatchObject({ status: "0x0" });
    },
  })),
  {
    ability: "a nonce that somebody else used with the key is not called this payment",
    needs: "blocks",
    async hold(served) {
      const { id, hash, nonce } = await served.send(...pay);
      await direct(served, "dropTransaction", hash);
      const other = await sendElsewhere(served, nonce);
      const { exitCode, verdict } = await waitFor(served, id);
      expect([exitCode, verdict]).toMatchObject([14, { verdict: "earlier_version", hash: other, value: "153" }]);
      expect(verdict.why).toContain("perhaps an earlier version");
    },
  },
  {
    ability: "a gap is named with its nonce, and nothing is sent into it",
    needs: "blocks",
    async hold(served) {
      const first = await served.send(...pay);
      await direct(served, "dropTransaction", first.hash);
      const behind = await served.send(...pay);
      const { stdout } = await served.run("tx", "stuck", "evm-local", "-o", "json");
      const rows = JSON.parse(stdout) as { id: string; waits_for?: string | null }[];
      expect(Number(rows.find(({ id }) => id === behind.id)?.waits_for ?? first.nonce)).toBe(first.nonce);
      await served.mining(served.run("relayers", "unstick", "evm-local", "--yes"));
      for (const { id } of [first, behind]) expect(await waitFor(served, id)).toMatchObject({ exitCode: 0 });
    },
  },
  {
    ability: "a queue of 20 is canceled, and each nonce is used once",
    needs: "blocks",
    async hold(served) {
      const ids: string[] = [];
      for (let sent = 0; sent < 20; sent++) ids.push((await served.send(...pay)).id);
      await exited(0, served.run("tx", "cancel-pending", "evm-local", "--yes"));
      let paid = 0;
      for (const id of ids) {
        const { verdict, hash } = (await waitFor(served, id)).verdict;
        expect(["canceled", "confirmed", "cancel_too_late"]).toContain(verdict);
        if (verdict !== "canceled") paid++;
        expect(await receiptOf(served, String(hash))).toMatchObject({ status: "0x1" });
      }
      const balance = BigInt(String(await served.node.call("eth_getBalance", RECEIVER, "latest")));
      expect(balance).toBe(BigInt(5 * paid));
      expect(Number(await served.node.call("eth_getTransactionCount", served.address, "latest"))).toBe(20);
    },
  },
  {
    ability: "a hash of another sender is nobody's here",
    async hold(served) {
      const { hash } = await served.send(...pay);
      await served.mine();
      const [other] = (await served.node.call("eth_accounts")) as string[];
      const payment = { from: other, to: RECEIVER, value: "0x7" };
      const foreign = String(await served.node.call("eth_sendTransaction", payment));
      await served.mine();
      expect(await receiptOf(served, foreign)).toMatchObject({ status: "0x1" });
      const stranger = `${hash.slice(0, -1)}${hash.endsWith("0") ? "1" : "0"}`;
      expect(await served.run("find", hash)).toMatchObject({ exitCode: 0 });
      for (const unknown of [stranger, foreign]) {
        const { exitCode, stdout, stderr } = await served.run("find", unknown);
        expect([exitCode, stdout]).toEqual([5, ""]);
        expect(stderr).toContain(`"${unknown}" not found in ${served.origin}`);
      }
    },
  },
  ...[1, 3].map((depth) => ({
    ability: `a reorganization of ${depth === 1 ? "1 block" : "3 blocks"} after the payment was mined is noticed`,
    needs: "blocks" as const,
    async hold(served: Served) {
      const { id, hash } = await served.send(...pay);
      const before = await served.node.call("evm_snapshot");
      await served.mine(depth);
      expect(await receiptOf(served, hash)).not.toBeNull();
      await served.node.call("evm_revert", before);
      await direct(served, "dropTransaction", hash);
      await served.mine(depth);
      expect(await receiptOf(served, hash)).toBeNull();
      const found = await served.run("tx", "get", "evm-local", id, "--on-chain", "-o", "json");
      expect(found.stdout + found.stderr).not.toMatch(/"verdict": ?"confirmed"/);
      expect(await waitFor(served, id)).toMatchObject({ exitCode: 0, verdict: { verdict: "confirmed" } });
    },
  })),
  {
    ability: "balance, nonce, and chain are those of the node",
    async hold(served) {
      const { stdout } = await served.run("relayers", "balance", "evm-local", "-o", "json");
      const balance = BigInt(String(await served.node.call("eth_getBalance", served.address, "latest")));
      expect(stdout.replaceAll(/\D/g, "")).toContain(String(balance));
      await exited({ exitCode: 0 }, served.run("relayers", "status", "evm-local", "-o", "json"));
    },
  },
  {
    ability: "a node on another chain is not believed",
    needs: "blocks",
    async hold(served) {
      const { id } = await served.send(...pay);
      await served.mine(3);
      const other = await served.kind.start({ chainId: 1 });
      const words = ["--node", other.url, "--deadline", "3s", "-o", "json"];
      const ran = await served.run("tx", "wait", "evm-local", id, ...words);
      await other.stop();
      expect(ran.stdout + ran.stderr).toContain("chain");
      expect(JSON.parse(ran.stdout)).toMatchObject([{ verdict: "pending" }]);
    },
  },
  {
    ability: "by a node that is behind nothing is said that the chain contradicts",
    needs: "blocks",
    async hold(served) {
      const behind = await startOther(served);
      const { id } = await served.send(...pay);
      await served.mine(3);
      expect(await behind.call("eth_blockNumber")).toBe("0x2");
      await expectNoFalseWord(served, id, behind.url);
      await behind.stop();
    },
  },
  {
    ability: "by two nodes that disagree nothing is said that the chain contradicts",
    needs: "blocks",
    async hold(served) {
      const other = await startOther(served);
      const { id } = await served.send(...pay);
      await served.mine(3);
      // The other node continues without the payment: its blocks have other hashes.
      for (let block = 0; block < 3; block++) await other.call("evm_mine");
      const both = await alternating([served.node.url, other.url]);
      await expectNoFalseWord(served, id, both.url);
      await both.stop();
      await other.stop();
    },
  },
  {
    ability: "the runway is that of the balances of real blocks",
    needs: "blocks",
    begin: () => Math.floor(Date.now() / 1_000) - 20 * HOUR,
    async hold(served) {
      const jump = (seconds: number) => served.node.call("evm_increaseTime", seconds);
      await served.mine(5);
      await jump(10 * HOUR);
      await served.mine();
      await served.send("--to", RECEIVER, "--value", "1eth");
      await served.mine();
      await jump(10 * HOUR - 120);
      await served.mine(4);
      const status = await served.run("relayers", "status", "evm-local", "--fields", "relayer.id,runway", "-o", "json");
      const [{ runway }] = JSON.parse(status.stdout) as [{ runway: number | null }];
      // One coin and a fee of 100 in 20 hours.
      expect(Number(runway) / HOUR).toBeGreaterThan(1_950);
      expect(Number(runway) / HOUR).toBeLessThan(2_000);
    },
  },
  {
    ability: "a receiver and a value as they are typed, up to the last wei",
    async hold(served) {
      const before = BigInt(String(await served.node.call("eth_getBalance", RECEIVER, "latest")));
      const { id } = await served.send("--to", RECEIVER, "--value", "0.123456789123456789eth");
      expect(await waitFor(served, id)).toMatchObject({ exitCode: 0 });
      const after = BigInt(String(await served.node.call("eth_getBalance", RECEIVER, "latest")));
      expect(hex(after - before)).toBe(hex(123_456_789_123_456_789n));
    },
  },
];
