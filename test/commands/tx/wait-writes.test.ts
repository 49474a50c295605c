import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import {
  CANCELLATION,
  NOOP,
  ORIGINAL,
  PUT,
  REPLACED,
  REPLACEMENT,
  record,
  THIRD,
  TO,
  TRANSFER,
} from "../../chain/verdict/records.ts";
import { exited, exitedSaying, printedError, runHere, SERVER, TOKEN, testApp } from "../../helpers/cli.ts";
import { acceptedIn, drawnOutcome } from "../../helpers/receipts.ts";
import { broken, events, notFound, run, unauthorized, type WaitStory, waitingWorld } from "./waiting-service.ts";

const SEND = `tx send evm-1 --to ${TO} --value 1000wei --gas-limit 21000 --speed fast --yes`;
const REPLACE = `tx replace evm-1 tx-1 --to ${TO} --value 2000wei --gas-limit 21000 --speed fast --yes`;
const CANCEL = "tx cancel evm-1 tx-1 --yes";

const QUEUED = record({
  status: "pending",
  hash: null,
  nonce: null,
  sent_at: null,
  max_fee_per_gas: null,
  max_priority_fee_per_gas: null,
});
const SUBMITTED = record();
const pool = { transactions: [TRANSFER] };
const mined = { transactions: [{ ...TRANSFER, block: 90, paid: 10n ** 9n }] };

/** Queued, submitted after two seconds, and mined after five. */
const SENT: WaitStory = {
  written: () => QUEUED,
  record: (second) => (second < 2 ? QUEUED : SUBMITTED),
  chain: (second) => (second < 2 ? {} : second < 5 ? pool : mined),
};

describe("tx send --wait", () => {
  test("ends with what happened, without a live screen too", async () => {
    const { stdout } = await exited(
      0,
      run(`${SEND} --wait --color never`, SENT, {
        terminal: true,
        env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_ACCESSIBLE: "1" },
      }),
    );
    expect(stdout).toMatch(/^confirmed +0\.0{14}1 ETH from evm-1\n/);
    for (const label of ["hash", "block", "fee", "nonce", "time"])
      expect(stdout).toMatch(new RegExp(`^ {2}${label} +\\S`, "m"));
  });

  test("prints the receipt, and then each change until it is confirmed", async () => {
    const { stdout, stderr, writes } = await exited(0, run(`${SEND} --wait`, SENT));
    expect(stderr).toContain(acceptedIn(SERVER));
    expect(stderr).not.toContain("follow:");
    expect(events(stdout).map(({ event, status, end }) => [event, status, end])).toEqual([
      ["seen", "pending", null],
      ["changed", "submitted", null],
      ["ended", "submitted", "reached"],
    ]);
    expect(writes.filter(({ target }) => !target.endsWith("/rpc"))).toHaveLength(1);
  });

  test("prints the newest record with -o json", async () => {
    const { stdout } = await exited(0, run(`${SEND} --wait -o json`, SENT));
    expect(JSON.parse(stdout)).toMatchObject({ id: "tx-1", status: "submitted", hash: ORIGINAL });
  });

  test("does nothing else in a dry run", async () => {
    const ran = await exited({ exitCode: 0, writes: [] }, run(`${SEND} --wait --dry-run`, SENT));
    expect(ran.stdout).toContain("POST /api/v1/relayers/evm-1/transactions");
  });

  test("does not wait for a transaction that was not accepted", async () => {
    const ran = await run(`${SEND} --wait -o json`, { ...SENT, written: () => unauthorized });
    expect(printedError(ran.stderr)).toMatchObject({ exit_code: 4, applied: "no" });
  });

  test.each<[string, Transaction | typeof broken, object]>([
    ["a refused token", unauthorized, { where: "auth" }],
    ["an outage", broken, {}],
    ["a deleted record", notFound, {}],
  ])("after %s ends with 15, and says that it was applied", async (_, found, detail) => {
    const story: WaitStory = { ...SENT, record: () => found, chain: () => ({}) };
    const ran = await run(`${SEND} --wait -o json --deadline 30s`, story);
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({
      exit_code: 15,
      applied: "yes",
      retryable: false,
      hint: expect.stringContaining("evm-1"),
    });
    expect(error.details).toEqual([expect.objectContaining(detail)]);
  });

  test("of a transaction that someone else replaced is 14: the chain shows another version than was sent", async () => {
    const story: WaitStory = {
      written: () => SUBMITTED,
      record: (second) => (second < 2 ? SUBMITTED : record({ ...REPLACEMENT, hash: THIRD })),
      chain: (second) => (second < 4 ? pool : { transactions: [{ ...REPLACED, block: 90 }] }),
    };
    const ran = await run(`${SEND} --wait -o json`, story);
    expect(printedError(ran.stderr)).toMatchObject({ exit_code: 14, applied: "yes" });
  });

  test("of one that the service withdrew is 13", async () => {
    const reason = "Rollup transaction has too many attempts. Replacing with NOOP.";
    const withdrawn = record({ ...CANCELLATION, is_canceled: false, status_reason: reason, hash: NOOP.hash });
    const story: WaitStory = {
      written: () => SUBMITTED,
      record: () => withdrawn,
      chain: () => ({ transactions: [{ ...NOOP, block: 90 }] }),
    };
    expect((await run(`${SEND} --wait`, story)).exitCode).toBe(13);
  });

  test("of a goal that the relayer's node cannot show sends nothing", async () => {
    const ran = await exited(2, run(`${SEND} --wait --for final`, { ...SENT, chain: () => ({ final: null }) }));
    expect(ran.writes.filter(({ target }) => !target.endsWith("/rpc"))).toEqual([]);
  });

  test("takes the flags of a wait only with --wait", async () => {
    const ran = await run(`${SEND} --for mined --confirmations 2 --no-chain`, SENT);
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    expect(ran.stderr.match(/has no effect without --wait/g)).toHaveLength(3);
  });

  test("keeps what was applied when Ctrl-C ends the wait", async () => {
    const interrupt = new AbortController();
    const chain = (second: number) => {
      if (second >= 3) interrupt.abort("interrupted");
      return pool;
    };
    const made = testApp(waitingWorld({ ...SENT, chain }, { interrupt: interrupt.signal }));
    const ran = await runHere(made, [...SEND.split(" "), "--wait", "-o", "json"]);
    expect(printedError(ran.stderr)).toMatchObject({
      exit_code: 130,
      applied: "yes",
      hint: "relayctl tx wait evm-1 tx-1",
    });
  });

  test("shows what became of it on a terminal", async () => {
    const { stdout, stderr } = await exited(0, run(`${SEND} --wait`, SENT, { terminal: true }));
    expect(stderr).toContain(drawnOutcome(acceptedIn(SERVER)));
    expect(stdout.split("\u001b[?1049l")[1]).toMatch(/✓ confirmed(?:.|\n)* tx-1\n/);
  });
});

describe("tx replace --wait", () => {
  const CHANGED = record(REPLACEMENT);

  test("ends when the replacement is on the chain, under whatever hash", async () => {
    const story: WaitStory = {
      written: () => CHANGED,
      record: (second) => (second < 0.001 ? SUBMITTED : record({ ...REPLACEMENT, hash: THIRD })),
      chain: (second) => (second < 3 ? pool : { transactions: [{ ...REPLACED, block: 90 }] }),
    };
    const ran = await exited(0, run(`${REPLACE} --wait`, story));
    expect(events(ran.stdout).at(-1)).toMatchObject({ end: "reached", hash: THIRD, value: "2000" });
  });

  test("that lost the race is 14, with the hash of the earlier version", async () => {
    const story: WaitStory = {
      written: () => CHANGED,
      record: (second) => (second < 0.001 ? SUBMITTED : CHANGED),
      chain: (second) => (second < 3 ? pool : mined),
    };
    const ran = await exited(14, run(`${REPLACE} --wait`, story));
    expect(events(ran.stdout).at(-1)).toMatchObject({ verdict: "earlier_version", hash: ORIGINAL, value: "1000" });
  });

  test("that the network keeps from being sent is 13 at once", async () => {
    const story: WaitStory = {
      written: () => record({ ...REPLACEMENT, max_fee_per_gas: "10000000000", max_priority_fee_per_gas: "1000000000" }),
      record: (second) => (second < 0.001 ? SUBMITTED : record({ ...REPLACEMENT, hash: PUT })),
      chain: () => pool,
      relayer: { policies: { gas_price_cap: "11500000000" } },
    };
    const ran = await run(`${REPLACE} --wait --force -o json`, story);
    expect([0, 13, 14, 15]).toContain(ran.exitCode);
    expect(printedError(ran.stderr)).toMatchObject({
      exit_code: 13,
      applied: "yes",
      hint: "relayctl tx cancel evm-1 tx-1",
    });
  });
});

describe("tx cancel --wait", () => {
  const CANCELING = record(CANCELLATION);

  test("that is on the chain is 0", async () => {
    const story: WaitStory = {
      written: () => CANCELING,
      record: (second) => (second < 0.001 ? SUBMITTED : record({ ...CANCELLATION, hash: NOOP.hash })),
      chain: (second) => (second < 3 ? pool : { transactions: [{ ...NOOP, block: 90 }] }),
    };
    const ran = await exited(0, run(`${CANCEL} --wait`, story));
    expect(events(ran.stdout).at(-1)).toMatchObject({ end: "reached", verdict: "canceled" });
  });

  test("that came too late is 14", async () => {
    const story: WaitStory = {
      written: () => CANCELING,
      record: (second) => (second < 0.001 ? SUBMITTED : CANCELING),
      chain: (second) => (second < 2 ? pool : mined),
    };
    expect((await run(`${CANCEL} --wait`, story)).exitCode).toBe(14);
  });

  test("follows a cancellation that was requested before", async () => {
    const story: WaitStory = {
      record: () => record({ ...CANCELLATION, hash: NOOP.hash }),
      chain: () => ({ transactions: [{ ...NOOP, block: 90 }] }),
    };
    await exitedSaying(0, run(`${CANCEL} --wait`, story), "nothing was sent");
  });
});

describe("tx cancel-pending --wait", () => {
  const CANCEL_ALL = "tx cancel-pending evm-1 --yes --wait";
  const at = (nonce: number) => `0x${nonce.toString(16).padStart(64, "0")}`;
  const own = (id: string, fields: object = {}) => {
    const nonce = 3 + Number(id.slice(3));
    return record({ id, nonce, hash: at(nonce), ...fields });
  };
  const noop = (nonce: number) => ({ ...NOOP, nonce, hash: at(100 + nonce), block: 86 + nonce });
  const paid = (nonce: number) => ({ ...TRANSFER, nonce, hash: at(nonce), block: 86 + nonce });
  const canceling = (transactions: readonly object[]): WaitStory => ({
    written: (id) => own(id, CANCELLATION),
    record: (second, id) => (Number(id.slice(3)) > 2 ? null : own(id, second === 0 ? {} : CANCELLATION)),
    chain: (second) => ({ transactions: (second < 2 ? [] : transactions) as never }),
  });

  test("follows every accepted cancellation", async () => {
    const ran = await exited(0, run(CANCEL_ALL, canceling([noop(4), noop(5)])));
    expect(ran.stderr).toContain("2 of 2 accepted");
    const ended = events(ran.stdout).filter(({ event }) => event === "ended");
    expect(ended.map(({ id, verdict }) => [id, verdict])).toEqual([
      ["tx-1", "canceled"],
      ["tx-2", "canceled"],
    ]);
  });

  test("ends with the signal if Ctrl-C came before all cancellations were sent", async () => {
    const interrupt = new AbortController();
    const story = canceling([noop(4), noop(5)]);
    const written = (id: string) => {
      if (id === "tx-2") interrupt.abort("interrupted");
      return own(id, CANCELLATION);
    };
    const made = testApp(waitingWorld({ ...story, written }, { interrupt: interrupt.signal }));
    const ran = await runHere(made, [...CANCEL_ALL.split(" "), "-o", "json"]);
    expect(printedError(ran.stderr)).toMatchObject({ exit_code: 130, applied: "yes" });
  });

  test("ends with 14 if one came too late", async () => {
    const ran = await run(`${CANCEL_ALL} -o json`, canceling([noop(4), paid(5)]));
    expect(printedError(ran.stderr)).toMatchObject({ exit_code: 14, applied: "yes" });
    expect(JSON.parse(ran.stdout)).toHaveLength(2);
  });

  test("counts a cancellation that was refused as one that ended otherwise", async () => {
    const story = canceling([noop(4), noop(5)]);
    const written = (id: string) => (id === "tx-2" ? notFound : own(id, CANCELLATION));
    const ran = await run(`${CANCEL_ALL} -o json`, { ...story, written });
    expect(printedError(ran.stderr)).toMatchObject({ exit_code: 13, applied: "yes" });
  });

  test("waits for nothing if none was accepted", async () => {
    const ran = await run(`${CANCEL_ALL} -o json`, { ...canceling([]), written: () => notFound });
    expect(printedError(ran.stderr)).toMatchObject({ exit_code: 5, applied: "no" });
  });
});

describe("tx get --watch", () => {
  const WATCHED: WaitStory = { record: () => SUBMITTED, chain: (second) => (second < 3 ? pool : mined) };

  test("shows one transaction until the chain shows its outcome", async () => {
    const ran = await exited(0, run("tx get evm-1 tx-1 --watch", WATCHED));
    expect(events(ran.stdout).map(({ event, verdict }) => [event, verdict])).toEqual([
      ["seen", "pending"],
      ["ended", "confirmed"],
    ]);
  });

  test("is repainted on a terminal", async () => {
    const { stdout } = await run("tx get evm-1 tx-1 --watch", WATCHED, { terminal: true });
    expect(stdout).toContain("\u001b[?1049h");
  });

  test("is not combined with --on-chain or --was", () =>
    exited({ exitCode: 2, requests: [] }, run(`tx get evm-1 tx-1 --watch --on-chain --was ${ORIGINAL}`, WATCHED)));
});
