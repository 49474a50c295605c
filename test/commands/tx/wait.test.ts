import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { ClosedPipe } from "../../../src/terminal/streams/output.ts";
import { CANCELLATION, mined, NOOP, ORIGINAL, REPLACEMENT, record, TO, TRANSFER } from "../../chain/verdict/records.ts";
import { exited, exitedSaying, printedError, runHere, testApp } from "../../helpers/cli.ts";
import { DEEP } from "../../helpers/deep.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { broken, events, notFound, run, unauthorized, type WaitStory, waitingWorld } from "./waiting-service.ts";

const WAIT = "tx wait evm-1 tx-1";
const SUBMITTED = record();
const pool = { transactions: [TRANSFER] };

const PAID: WaitStory = { record: () => SUBMITTED, chain: (second) => (second < 3 ? pool : mined(100, 101)) };
const always = (found: ReturnType<WaitStory["record"]>, chain: object = pool): WaitStory => ({
  record: () => found,
  chain: () => chain,
});

describe("into a pipe", () => {
  test("prints an object for each change, and what was mined and paid at the end", async () => {
    const { stdout } = await exited({ exitCode: 0, stderr: "" }, run(WAIT, PAID));
    const [first, last, ...more] = events(stdout);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      time: "2026-11-21T03:12:07.000Z",
      event: "seen",
      id: "tx-1",
      end: null,
      verdict: "pending",
      status: "submitted",
      ahead: 0,
      why: "it waits to be mined",
    });
    expect(last).toEqual({
      time: "2026-11-21T03:12:10.000Z",
      event: "ended",
      relayer_id: "evm-1",
      id: "tx-1",
      end: "reached",
      verdict: "confirmed",
      why: "the version that the record shows is on the chain",
      by_record: false,
      status: "submitted",
      nonce: 4,
      ahead: null,
      hash: ORIGINAL,
      block: 100,
      to: TO,
      value: "1000",
      fee_paid: "252000000000000",
      reason: null,
      revert_data: null,
      missing: [],
    });
  });

  test("prints the result alone with -o json, and changes as notes", async () => {
    const { stdout, stderr } = await run(`${WAIT} -o json`, PAID);
    expect(JSON.parse(stdout)).toMatchObject([{ id: "tx-1", end: "reached", value: "1000" }]);
    expect(stderr.split("\n")[0]).toBe("evm-1/tx-1: submitted: it waits to be mined");
  });

  test.each([
    [0, PAID],
    [13, always(SUBMITTED, { transactions: [{ ...TRANSFER, block: 90, reverted: true }] })],
    [15, always(SUBMITTED)],
  ])("ends with %i although the reader of the events has left", async (code, story) => {
    await exited(code, run(WAIT, story, { stdoutFault: new ClosedPipe() }));
  });

  test("prints chosen fields at the end", async () =>
    expect((await run(`${WAIT} --fields id,verdict,block -o tsv`, PAID)).stdout).toContain("tx-1\tconfirmed\t100"));

  test("reports an outage once, and its end", async () => {
    const story: WaitStory = { ...PAID, record: (second) => (second < 2 ? broken : SUBMITTED) };
    const { stderr } = await exited(0, run(WAIT, story));
    expect(stderr.match(/retrying|responding again/g)).toEqual(["retrying", "responding again"]);
  });
});

describe("on a terminal", () => {
  const terminal = { terminal: true } as const;

  test("shows the transaction live, and what became of it at the end", async () => {
    const { stdout } = await exited(0, run(WAIT, PAID, terminal));
    const [live = "", end = ""] = stdout.split("\u001b[?1049l");
    expect(live.replaceAll(/\u001b\[\d+m/g, "")).toContain("tx-1  evm-1 · localhost · nonce 4 · 5m 10s");
    expect(live).toContain("● submitted");
    expect(live).toContain("10 gwei, base fee 10 gwei");
    expect(live).toContain(ORIGINAL);
    expect(end.replaceAll(/\u001b\[\d+m/g, "")).toBe(
      [
        "✓ confirmed  0.000000000000001 ETH from evm-1",
        `  to     ${TO}`,
        "  id     tx-1",
        `  hash   ${ORIGINAL}`,
        "  block  100",
        "  fee    0.000252 ETH",
        "  nonce  4",
        "  time   3s",
        "",
      ].join("\n"),
    );
  });

  test.each([
    ["a terminal that takes links", { FORCE_HYPERLINK: "1" }, true],
    ["any other terminal", {}, false],
  ])("links the hash to its explorer for %s", async (_, env, isLinked) => {
    const story = { ...PAID, network: { explorer_urls: ["https://explorer.example.org"] } };
    const world = { ...terminal, env: { RELAYCTL_SERVER: "http://127.0.0.1:1", RELAYCTL_TOKEN: "t", ...env } };
    const link = `\u001b]8;;https://explorer.example.org/tx/${ORIGINAL}\u001b\\${ORIGINAL}\u001b]8;;\u001b\\`;
    expect((await run(WAIT, story, world)).stdout.includes(link)).toBe(isLinked);
    expect((await run(WAIT, story, { ...world, terminal: false })).stdout).not.toContain("\u001b");
  });

  test("shows the command that replaces a transaction whose fee is below the base fee", async () => {
    const low = record({ max_fee_per_gas: "9000000000" });
    const { stdout } = await run(`${WAIT} --deadline 30s`, always(low), terminal);
    expect(stdout).toContain("9 gwei, base fee 10 gwei: likely too low");
    expect(stdout).toContain("relayctl tx replace evm-1 tx-1 --inherit --speed fastest");
  });

  test("shows the command that finds what a transaction waits for", async () => {
    const queued = { transactions: [{ ...TRANSFER, nonce: 6 }] };
    const { stdout } = await run(`${WAIT} --deadline 30s`, always(record({ nonce: 6 }), queued), terminal);
    expect(stdout).toContain("nonce 6 (2 before it)");
    expect(stdout).toContain("relayctl tx get evm-1 --nonce 4");
  });

  test("shows the cancellation that is waited for as the last step", async () => {
    const before = record();
    const story: WaitStory = {
      written: () => record(CANCELLATION),
      record: (second) => (second < 1 ? before : record(CANCELLATION)),
      chain: (second) => (second < 3 ? pool : { height: 101, transactions: [{ ...NOOP, block: 100 }] }),
    };
    const { stdout } = await exited(0, run("tx cancel evm-1 tx-1 --yes --wait", story, terminal));
    expect(stdout).toContain("○ canceled");
  });

  test("prints lines instead of a screen for a screen reader", async () => {
    const { stdout, stderr } = await run(WAIT, PAID, {
      ...terminal,
      env: { RELAYCTL_SERVER: "http://127.0.0.1:1", RELAYCTL_TOKEN: "t", RELAYCTL_ACCESSIBLE: "1" },
    });
    expect(stdout).not.toContain("\u001b[?1049h");
    expect(stderr).toContain("evm-1/tx-1: submitted: it waits to be mined");
  });
});

describe("the exit code", () => {
  const LOST = record({ status: "confirmed", ...REPLACEMENT, hash: ORIGINAL });

  test.each<[string, WaitStory, number, string]>([
    [
      "a reverted transaction",
      always(SUBMITTED, { transactions: [{ ...TRANSFER, block: 90, reverted: true }] }),
      13,
      "reverted",
    ],
    [
      "a canceled one",
      always(record({ ...CANCELLATION, hash: NOOP.hash }), { transactions: [{ ...NOOP, block: 90 }] }),
      13,
      "canceled",
    ],
    ["a cancellation that came too late", always(record(CANCELLATION), mined(90, 100)), 14, "cancel_too_late"],
    ["another version on the chain", always(LOST, mined(90, 100)), 14, "earlier_version"],
    ["one in progress", always(SUBMITTED), 15, "pending"],
  ])("of %s", async (_, story, exitCode, verdict) => {
    const ran = await exited(exitCode, run(`${WAIT} -o json`, story));
    expect(printedError(ran.stderr)).toMatchObject({
      exit_code: exitCode,
      applied: "no",
      details: [{ where: "evm-1/tx-1", given: verdict }],
    });
    expect(printedError(ran.stderr).hint).toMatch(/^relayctl tx (?:get|wait) evm-1 tx-1/);
  });

  test("of a record that expired is 15 if the chain does not settle it", async () =>
    expect(
      await run(WAIT, { record: (second) => (second < 2 ? SUBMITTED : notFound), chain: () => ({}) }),
    ).toMatchObject({
      exitCode: 15,
      stderr: expect.stringContaining("the record was deleted, and the chain does not show"),
    }));

  test("of a version that will never be sent is 13 at once, with the command that helps", async () => {
    const story: WaitStory = {
      record: (second) => (second < 1 ? SUBMITTED : record(REPLACEMENT)),
      chain: () => pool,
      relayer: { policies: { gas_price_cap: "11500000000" } },
    };
    const ran = await run(`${WAIT} -o json`, story);
    expect(printedError(ran.stderr)).toMatchObject({ exit_code: 13, hint: "relayctl tx cancel evm-1 tx-1" });
  });

  test("of several is the worst: 14 before 13 before 15", async () => {
    const at = (nonce: number) => `0x${nonce.toString(16).padStart(64, "0")}`;
    const own = (id: string): Transaction => {
      const nonce = 3 + Number(id.slice(3));
      const lost = id === "tx-3" ? CANCELLATION : {};
      return record({ id, nonce, hash: at(nonce), ...lost });
    };
    const chain = {
      transactions: [
        { ...TRANSFER, nonce: 4, hash: at(4), block: 90 },
        { ...TRANSFER, nonce: 5, hash: at(5), block: 91, reverted: true },
        { ...TRANSFER, nonce: 6, hash: at(6), block: 92 },
        { ...TRANSFER, nonce: 7, hash: at(7) },
      ],
    };
    const story: WaitStory = { record: (_, id) => own(id), chain: () => chain };
    const ran = await exited(14, run("tx wait evm-1 tx-1 tx-2 tx-3 tx-4 -o json", story));
    expect(JSON.parse(ran.stdout).map(({ id }: { id: string }) => id)).toEqual(["tx-3", "tx-2", "tx-4", "tx-1"]);
    expect((await run("tx wait evm-1 tx-1 tx-2 tx-4", story)).exitCode).toBe(13);
    if (DEEP) expect((await run("tx wait evm-1 tx-1 tx-4", story)).exitCode).toBe(15);
    expect((await run("tx wait evm-1 tx-1", story)).exitCode).toBe(0);
    const onTerminal = await run("tx wait evm-1 tx-1 tx-2 tx-3 tx-4 --color never", story, { terminal: true });
    expect(onTerminal.stdout).toMatch(/Z · \S+ · 1 submitted · 3 of 4 ended · \d+s · Ctrl-C to stop/);
    expect(onTerminal.stderr).toMatch(/^1 confirmed, 2 failed, 1 in progress; 10m 0s$/m);
  });

  test("of a refused token is 4", async () =>
    expect(await run(WAIT, always(unauthorized))).toMatchObject({ exitCode: 4 }));

  test("of an unknown transaction is 5", async () =>
    expect(await run(WAIT, always(notFound))).toMatchObject({ exitCode: 5, stdout: "" }));
});

describe("what to wait for", () => {
  test("is all pending transactions with --pending", async () => {
    const story: WaitStory = {
      record: (_, id) => (id === "tx-1" ? SUBMITTED : id === "tx-2" ? record({ id, status: "confirmed" }) : null),
      chain: () => mined(90, 100),
    };
    const { stdout } = await exited(0, run("tx wait evm-1 --pending", story));
    expect(events(stdout).map(({ id }) => id)).toEqual(["tx-1"]);
  });

  test("is nothing if nothing is pending", async () =>
    expect(await run("tx wait evm-1 --pending", always(null))).toMatchObject({ exitCode: 0, stdout: "" }));

  test("comes from stdin as lines with relayer and ID", async () => {
    const { stdout } = await run("tx wait -", PAID, { stdin: "evm-1/tx-1\n" });
    expect(events(stdout).at(-1)).toMatchObject({ relayer_id: "evm-1", id: "tx-1", end: "reached" });
  });

  test.each([
    ["tx wait evm-1", "", "missing required argument 'tx-ids', or --pending"],
    ["tx wait evm-1 -", "", "stdin contains no transaction IDs"],
    ["tx wait evm-1 tx-1 tx-1", "", "specified twice"],
    ["tx wait -", "evm-1/a\nevm-1/a\n", "specified twice, first as stdin line 1"],
    ["tx wait -", "evm-1\n", "must be a relayer ID, a slash, and a transaction ID"],
    ["tx wait -", "", "contains no transactions"],
    ["tx wait evm-1 tx-1 --pending", "", "cannot be combined with transaction IDs"],
    [`${WAIT} --confirmations -1`, "", "--confirmations"],
    [`${WAIT} --confirmations 1.5`, "", "must be a whole number"],
    [`${WAIT} --for nothing`, "", "one of broadcast, mined, confirmed, final"],
    [`${WAIT} --node not-a-url`, "", "must begin with https:// or http://"],
    [`${WAIT} --no-chain --confirmations 3`, "", "cannot be combined with --no-chain"],
    [`${WAIT} --no-chain --for final`, "", "cannot be combined with --no-chain"],
    [`${WAIT} --for mined --confirmations 3`, "", "cannot be combined with --for mined"],
  ])("%s is refused with nothing sent", (line, stdin, words) =>
    exitedSaying({ exitCode: 2, requests: [] }, run(line, PAID, { stdin }), words),
  );

  test("of another relayer is refused before the wait, with the command for the right one", async () => {
    const { exitCode, stdout, stderr } = await run(`${WAIT} -o json`, always(record({ relayer_id: "evm-2" })));
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(printedError(stderr)).toMatchObject({
      message: "transaction tx-1 belongs to relayer evm-2, not to evm-1",
      hint: "relayctl tx wait evm-2 tx-1",
    });
  });

  test("is prompted for on a terminal", async () => {
    const answers = ["evm-1", "tx-1"];
    const story: WaitStory = { record: (_, id) => record({ id }), chain: () => mined(90, 100) };
    const ran = await run("tx wait --for mined", story, { terminal: true, answers });
    expect(ran.questions).toEqual(["Relayer:", "Transaction:"]);
    expect(ran.stdout).toContain("confirmed");
  });
});

describe("a node", () => {
  test("without a final block is refused with --for final", async () => {
    const ran = await exited(2, run(`${WAIT} --for final`, always(SUBMITTED, { ...mined(90, 100), final: null })));
    expect(ran.stderr).toContain("has no final block");
  });

  test("on another chain leaves the outcome open", async () => {
    const ran = await run(`${WAIT} -o json --deadline 30s`, always(record({ status: "confirmed" }), { chainId: 5 }));
    expect(ran.exitCode).toBe(15);
    expect(printedError(ran.stderr).message).toContain("chain 5");
  });

  test("of a paused relayer lets the record count", async () => {
    const refused = reply(403, { success: false, data: null, error: "Relayer is paused" });
    const { stdout } = await exited(0, run(WAIT, always(record({ status: "confirmed" }), refused)));
    expect(events(stdout).at(-1)).toMatchObject({ verdict: "confirmed", by_record: true });
  });

  test("is not asked with --no-chain", async () => {
    const { requests } = await exited(0, run(`${WAIT} --no-chain`, always(record({ status: "confirmed" }))));
    expect(requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });
});

test("a dry run shows the read", async () =>
  expect((await run(`${WAIT} --dry-run`, PAID)).stdout).toContain("GET /api/v1/relayers/evm-1/transactions/tx-1"));

test("Ctrl-C says where each transaction stands", async () => {
  const interrupt = new AbortController();
  const chain = (second: number) => {
    if (second >= 3) interrupt.abort("interrupted");
    return pool;
  };
  const made = testApp(waitingWorld({ record: () => SUBMITTED, chain }, { interrupt: interrupt.signal }));
  const ran = await exited(130, runHere(made, ["tx", "wait", "evm-1", "tx-1"]));
  expect(ran.stderr).toContain("tx-1 of evm-1: pending: it waits to be mined");
  expect(ran.stderr).toMatch(/^Interrupted\. 0 of 1 transaction confirmed\.\n/m);
  expect(ran.stderr).toContain("continue: relayctl tx wait evm-1 tx-1");
});

test("an oversized response of a node leaves the outcome open", async () => {
  const huge = success(JSON.stringify("x".repeat(9 * 2 ** 20)));
  await exited(15, run(`${WAIT} --deadline 5s`, always(record({ status: "confirmed" }), huge)));
});
