import {
  CANCELLATION,
  hash,
  ORIGINAL,
  PUT,
  REPLACED,
  REPLACEMENT,
  record,
  THIRD,
  TRANSFER,
} from "../../../chain/verdict/records.ts";
import { exited, exitedSaying } from "../../../helpers/exited.ts";
import { BEFORE_LABEL, NOW_LABEL } from "../../../helpers/receipts.ts";
import { broken, run, type WaitStory } from "../waiting-service.ts";

const REPLACE = `tx replace evm-1 tx-1 --to 0x${"3c".repeat(20)} --value 2000wei --gas-limit 21000 --speed fast --yes`;
const CANCEL = "tx cancel evm-1 tx-1 --yes";

function story(more: Partial<WaitStory>): WaitStory {
  return { record: () => record(), written: () => record(), chain: () => ({}), ...more };
}
const capped = (gas_price_cap: string) => ({ relayer: { policies: { gas_price_cap } } });
const market = (baseFee: bigint, tip: bigint) => () => ({
  market: { baseFee: baseFee * 10n ** 9n, tip: tip * 10n ** 9n },
  balance: 10n ** 18n,
  transactions: [TRANSFER],
});
const methodsOf = (requests: readonly { target: string; body?: string | undefined }[]) =>
  requests.flatMap(({ target, body }) =>
    target.endsWith("/rpc") ? (/"method":"(\w+)"/.exec(body ?? "")?.[1] ?? []) : [],
  );
const tagged = { network: { tags: ["optimism"] } };

describe("a replacement of a submitted transaction", () => {
  test("that the cap keeps from being broadcast is refused, with the cap that suffices", async () => {
    const ran = await exited(6, run(REPLACE, story(capped("11500000000"))));
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toContain("never broadcast it below 12.1 gwei (for max_fee_per_gas)\n");
    expect(ran.stderr).toContain("nothing was sent\n");
    expect(ran.stderr).toContain("relayctl relayers update evm-1 --policy gas_price_cap=12.1gwei\n");
    expect(ran.stderr).toContain("relayctl tx cancel evm-1 tx-1\n");
  });

  test("is sent with --force, with a warning", async () => {
    const ran = await run(`${REPLACE} --force`, story(capped("11500000000")));
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain("warning: gas_price_cap is 11.5 gwei");
  });

  test("is sent if the cap suffices", async () => {
    const ran = await run(REPLACE, story(capped("12100000000")));
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).not.toContain("never broadcast");
  });

  test("on a tagged network does not mention the cap, and is sent if the node cannot be asked", async () => {
    const ran = await run(REPLACE, story({ ...capped("11500000000"), ...tagged }));
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain("note: the market's price could not be read, and was not checked");
    expect(ran.stderr).not.toContain("gas_price_cap");
  });

  test("is refused on a tagged network until the market has risen by a tenth in both members", async () => {
    const ran = await exited({ exitCode: 6, writes: [] }, run(REPLACE, story({ ...tagged, chain: market(10n, 1n) })));
    expect(ran.stderr).toContain(
      "error: on this network the service raises no price, so nodes refuse this replacement until the market has risen by 10%: max_priority_fee_per_gas is 1 gwei and must reach 1.1 gwei\n",
    );
    expect(ran.stderr).toContain("  wait until the market reaches 11 gwei, tip 1.1 gwei\n");
    expect(ran.stderr).not.toContain("tx cancel");
    const later = await run(REPLACE, story({ ...tagged, chain: market(10n, 2n) }));
    expect(later.writes).toHaveLength(1);
  });

  test("is compared on a tagged network with the version that waits at the node", async () => {
    const raised = { ...TRANSFER, maxFee: 10n ** 12n, tip: 10n ** 11n };
    const chain = () => ({ ...market(10n, 2n)(), transactions: [raised] });
    await exitedSaying(6, run(REPLACE, story({ ...tagged, chain })), "and must reach 1100 gwei");
  });

  test("that the balance does not cover is refused, with what is missing", async () => {
    const ran = await exited(6, run(REPLACE, story({ chain: () => ({ balance: 10n ** 14n }) })));
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toContain(
      "error: the relayer's balance is 0.0001 ETH, and nodes refuse this replacement below 0.000254100000002 ETH\n",
    );
    expect(ran.stderr).toContain("  send 0.000154100000002 ETH or more to the relayer's address\n");
  });

  test("is sent if the balance suffices, or cannot be read, which is noted", async () => {
    const rich = await run(REPLACE, story({ chain: () => ({ balance: 10n ** 18n }) }));
    expect([rich.writes.length, rich.stderr.includes("balance")]).toEqual([1, false]);
    const unread = await run(REPLACE, story({ chain: () => ({}) }));
    expect(unread.writes).toHaveLength(1);
    expect(unread.stderr).toContain("note: the relayer's balance could not be read, and was not checked: ");
  });

  test("asks for no balance if the new version costs less than the one at the node, or cannot work anyway", async () => {
    const costly = { record: () => record({ gas_limit: 30_000 }), chain: () => ({ balance: 0n }) };
    const ran = await run(REPLACE, story(costly));
    expect(ran.writes).toHaveLength(1);
    const both = await run(REPLACE, story({ ...capped("11500000000"), chain: () => ({ balance: 0n }) }));
    expect(methodsOf(both.requests)).toEqual(["eth_feeHistory"]);
  });

  test("asks a node that did not respond no further question", async () => {
    const ran = await run(REPLACE, story({ ...capped("12100000000"), chain: () => broken }));
    expect(ran.writes).toHaveLength(1);
    expect(methodsOf(ran.requests)).toEqual(["eth_feeHistory"]);
  });
});

test("the question of a replacement shows the fee in one row, before and after", async () => {
  const chain = () => ({ ...market(10n, 1n)(), balance: 10n ** 18n, transactions: [TRANSFER] });
  const ran = await run(REPLACE.replace(" --yes", ""), story({ chain }), { terminal: true, answers: [false] });
  expect(ran.writes).toEqual([]);
  expect(ran.stderr).toMatch(/^ {2}fee +10 gwei, tip 1 gwei +at least [0-9.]+ gwei, tip 1\.21 gwei$/m);
  expect(ran.stderr).not.toMatch(/fee now|broadcast {2}|set by the service/);
});

describe("a cancellation", () => {
  test("is not capped", async () => {
    const ran = await run(CANCEL, story(capped("1")));
    expect(ran.writes).toHaveLength(1);
  });

  test("is refused on a tagged network until the market has risen, and sent with --force", async () => {
    const calm = story({ ...tagged, chain: market(10n, 1n) });
    const ran = await exited(6, run(CANCEL, calm));
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toContain("so nodes refuse this cancellation until the market has risen by 10%");
    const forced = await run(`${CANCEL} --force`, calm);
    expect(forced.writes).toHaveLength(1);
  });

  test("shows the prices in its question, and how many transactions wait for it", async () => {
    const other = { ...TRANSFER, hash: hash("e"), nonce: 5 };
    const chain = () => ({ ...market(10n, 1n)(), balance: 10n ** 18n, transactions: [TRANSFER, other] });
    const ran = await run("tx cancel evm-1 tx-1", story({ ...capped("30000000000"), chain }), {
      terminal: true,
      answers: [false],
    });
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toMatch(/^ {2}fee now +10 gwei, tip 1 gwei$/m);
    expect(ran.stderr).toMatch(
      /^ {2}new fee +at least 23\.80697345 gwei, tip 1\.1 gwei \(the service quotes 10 gwei first\)$/m,
    );
    expect(ran.stderr).not.toMatch(/^ {2}cap /m);
    expect(ran.stderr).toMatch(/^ {2}base fee +10 gwei$/m);
    expect(ran.stderr).toMatch(/^ {2}queue +1 transaction waits behind it$/m);
  });
});

describe("on a terminal, after the receipt", () => {
  const inFrontOf = { terminal: true, stdoutTerminal: false };
  const later = { ...REPLACEMENT, hash: THIRD };
  const resent = (second: number) => record(second === 0 ? {} : later);

  test("a replacement is followed until it is on its way, and the newest record is printed", async () => {
    const chain = (second: number) => ({ balance: 10n ** 18n, transactions: [second < 2 ? TRANSFER : REPLACED] });
    const written = () => record(REPLACEMENT);
    const shown = (second: number) => (second < 2 ? record(second === 0 ? {} : REPLACEMENT) : record(later));
    const ran = await exited(0, run(`${REPLACE} -o json`, story({ record: shown, written, chain }), inFrontOf));
    expect(ran.stderr).toContain(`${BEFORE_LABEL}${ORIGINAL}\n${NOW_LABEL}${PUT}\n`);
    expect(ran.stderr).toContain(
      `\non its way as ${THIRD} at 12.1 gwei, which the service signed after its response\n`,
    );
    expect(JSON.parse(ran.stdout).hash).toBe(THIRD);
  });

  test("a replacement that is never broadcast is a warning, with what will be mined", async () => {
    const written = () => record(REPLACEMENT);
    const chain = () => ({ balance: 10n ** 18n, transactions: [TRANSFER] });
    const ran = await run(`${REPLACE} --force`, story({ ...capped("11500000000"), written, chain }), inFrontOf);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(`warning: the replacement is never broadcast: ${ORIGINAL} will be mined instead\n`);
  });

  test("a cancellation that comes too late is a warning", async () => {
    const chain = (second: number) => ({ transactions: [second < 3 ? TRANSFER : { ...TRANSFER, block: 99 }] });
    const written = () => record(CANCELLATION);
    const ran = await run(
      CANCEL,
      story({ record: (second) => (second === 0 ? record() : written()), written, chain }),
      inFrontOf,
    );
    expect(ran.stderr).toContain(`warning: the original was mined: ${ORIGINAL}\n`);
  });

  test("what is not known is said, and an ended record is shown", async () => {
    const written = () => record(REPLACEMENT);
    const waiting = await run(REPLACE, story({ record: resent, written }), inFrontOf);
    expect(waiting.stderr).toContain("note: it is not known yet whether the transaction was broadcast\n");
    const failed = (second: number) => (second === 0 ? record() : record({ ...REPLACEMENT, status: "failed" }));
    const ended = await run(REPLACE, story({ record: failed, written }), inFrontOf);
    expect(ended.stderr).toContain("the transaction is failed now\n");
  });

  test("an interrupt ends the wait, and says that the replacement was accepted", async () => {
    const interrupt = new AbortController();
    const shown = (second: number) => {
      if (second > 0) interrupt.abort("interrupted");
      return record();
    };
    const world = { ...inFrontOf, interrupt: interrupt.signal };
    const ran = await exited(130, run(REPLACE, story({ record: shown, written: () => record(REPLACEMENT) }), world));
    expect(ran.stderr).toContain(
      "Interrupted. The replacement was accepted; whether it is on its way is not known yet.\n  continue relayctl tx wait evm-1 tx-1\n",
    );
  });

  test("nothing is followed without a terminal", async () => {
    const ran = await run(REPLACE, story({ written: () => record(REPLACEMENT) }));
    expect(methodsOf(ran.requests)).toEqual(["eth_getBalance"]);
    expect(ran.stderr).toContain("the hash may change once more before the broadcast (services up to v1.8)\n");
  });
});
