import { record } from "../../../chain/verdict/records.ts";
import { cli, exited, exitedSaying, printedError } from "../../../helpers/cli.ts";
import {
  BUMP,
  CALLING,
  DATA,
  type NodeStory,
  type Outcome,
  REPLACE,
  SEND,
  simulated,
  TOKEN,
  WAYS,
  word,
} from "./simulating-world.ts";

const SUCCESS: Outcome = { isReverted: false, data: `0x${word(1)}` };
const EMPTY: Outcome = { isReverted: true, data: "0x", error: "execution reverted" };
const LATE: Outcome = { isReverted: true, data: "0x", error: "execution reverted: too late" };
const node = (more: Partial<NodeStory> = {}): NodeStory => ({ ways: WAYS, outcome: () => SUCCESS, ...more });
const SIMULATE = "--simulate --yes";
const PLAIN = `tx send evm-1 --to ${TOKEN} --value 1wei --speed fast`;
const PENDING = { nonces: { latest: 4, pending: 6 } };

describe("a transfer without data", () => {
  test("is simulated on a terminal without a word, unless the receiver refuses it", async () => {
    const ran = await simulated(PLAIN, node(), { terminal: true, answers: [true] });
    expect(ran.asked.map(({ method }) => method)).toContain("eth_simulateV1");
    expect(ran.stderr).not.toContain("simulated");
    expect(ran.sent).toHaveLength(1);
    const refused = await simulated(PLAIN, node({ outcome: () => LATE }), { terminal: true });
    expect([refused.exitCode, refused.sent]).toEqual([7, []]);
    expect(refused.stderr).toContain("error: the call would revert: too late\n");
  });

  test("is sent without a word if no node simulates it", async () => {
    const ran = await simulated(PLAIN, node({ ways: [] }), { terminal: true, answers: [true] });
    expect(ran.stderr).not.toContain("simulated");
    expect(ran.sent).toHaveLength(1);
  });

  test("is not simulated in a script", async () => {
    const ran = await simulated(`${PLAIN} --yes`, node({ outcome: () => LATE }));
    expect(ran.asked.map(({ method }) => method)).not.toContain("eth_simulateV1");
    expect(ran.sent).toHaveLength(1);
  });

  test("is simulated with --simulate: a contract may refuse what it receives", async () => {
    const ran = await simulated(`${PLAIN} ${SIMULATE}`, node({ outcome: () => LATE }));
    expect([ran.exitCode, ran.sent]).toEqual([7, []]);
    expect(ran.stderr).toContain("error: the call would revert: too late\n");
  });
});

describe("a gas limit", () => {
  const outcome =
    (least: bigint, failure = EMPTY) =>
    (gas: bigint | undefined) =>
      gas !== undefined && gas < least ? failure : SUCCESS;

  test.each([SEND, REPLACE, BUMP])("that is too low is refused with what the call uses: %s", (line) =>
    exitedSaying(
      { exitCode: 7, sent: [] },
      simulated(`${line} ${SIMULATE}`, node({ outcome: outcome(200_000n) })),
      "error: gas limit 100000 is too low: without a limit, the call succeeds and uses 51234 gas\n",
    ),
  );

  test("that is too low is known without the gas from a node that has only eth_call", async () => {
    const ran = await simulated(`${SEND} ${SIMULATE}`, node({ ways: ["call"], outcome: outcome(200_000n) }));
    expect(ran.stderr).toContain("error: gas limit 100000 is too low: without a limit, the call succeeds\n");
  });

  test("is not blamed for a revert with a reason", async () => {
    const failure = { isReverted: true, data: `0xfb8f41b2${word(1)}`, error: "execution reverted" };
    const ran = await simulated(`${SEND} ${SIMULATE}`, node({ outcome: outcome(200_000n, failure) }));
    expect(ran.stderr).toContain("error: the call would revert: custom error 0xfb8f41b2\n");
  });

  test("is that of a transfer for a replacement without one", async () => {
    const line = REPLACE.replace("--gas-limit 100000", "--no-gas-limit");
    const ran = await simulated(`${line} ${SIMULATE}`, node({ outcome: outcome(200_000n) }));
    expect(ran.stderr).toContain("error: gas limit 21000 is too low");
  });

  test("below what EIP-7623 requires is warned about unless the node runs the call with it", async () => {
    const data = `0x${"ff".repeat(100)}`;
    const line = SEND.replace(DATA, data).replace("100000", "24000");
    const words = "warning: gas limit 24000 is below 25000, which networks with EIP-7623 require for this data\n";
    const unknown = await simulated(`${line} ${SIMULATE}`, node({ ways: [] }));
    expect([unknown.stderr.includes(words), unknown.sent.length]).toEqual([true, 1]);
    const run = await simulated(`${line} ${SIMULATE}`, node());
    expect([run.stderr.includes("EIP-7623"), run.sent.length]).toEqual([false, 1]);
  });
});

describe("data", () => {
  const NOTHING = { outcome: (): Outcome => ({ isReverted: false, data: "0x" }) };
  const WORDS = `warning: ${TOKEN} has no code, so the data has no effect\n`;

  test.each(WAYS)("for an address without code is warned about, and sent, by %s", async (way) => {
    const ran = await simulated(`${SEND} ${SIMULATE}`, node({ ways: [way], ...NOTHING, code: "0x" }));
    expect([ran.exitCode, ran.stderr.includes(WORDS), ran.sent.length]).toEqual([0, true, 1]);
  });

  test("for an address without code is warned about if the node cannot simulate", async () => {
    const ran = await simulated(`${SEND} ${SIMULATE}`, node({ ways: [], code: "0x" }));
    expect(ran.stderr).toContain(WORDS);
  });

  test("for a contract that returns nothing is not", async () => {
    const ran = await simulated(`${SEND} ${SIMULATE}`, node(NOTHING));
    expect(ran.stderr).not.toContain("no code");
  });

  test("for a precompiled contract is not, and its code is not read", async () => {
    const line = SEND.replace(TOKEN, `0x${"00".repeat(19)}04`);
    const ran = await simulated(`${line} ${SIMULATE}`, node({ ...NOTHING, code: "0x" }));
    expect(ran.stderr).not.toContain("no code");
    expect(ran.asked.map(({ method }) => method)).not.toContain("eth_getCode");
  });

  test("that creates a contract is simulated without a receiver", async () => {
    const line = `tx send evm-1 --value 0 --data 0x6080 --speed fast ${SIMULATE}`;
    const ran = await simulated(line, node({ outcome: () => LATE }));
    expect([ran.exitCode, ran.sent]).toEqual([7, []]);
    expect(JSON.stringify(ran.asked[0]?.params)).not.toContain('"to"');
  });
});

describe("the state", () => {
  const afterPending = (_: bigint | undefined, block: string) => (block === "pending" ? SUCCESS : LATE);

  test("of a new transaction is that after the newest block", async () => {
    const ran = await simulated(`${SEND} ${SIMULATE}`, node(PENDING));
    expect(ran.asked.map(({ method, params }) => [method, params[1]])).toEqual([["eth_simulateV1", "latest"]]);
  });

  test("of a new transaction that reverts there is that after the relayer's pending ones", async () => {
    const ran = await simulated(`${SEND} ${SIMULATE}`, node({ ...PENDING, outcome: afterPending }));
    expect([ran.exitCode, ran.sent.length]).toEqual([0, 1]);
  });

  test("of a new transaction is never pending if nothing is", async () => {
    const none = { nonces: { latest: 4, pending: 4 } };
    await exited({ exitCode: 7, sent: [] }, simulated(`${SEND} ${SIMULATE}`, node({ ...none, outcome: afterPending })));
  });

  test("of a replacement is never pending: the earlier version is part of that", async () => {
    const ran = await simulated(`${REPLACE} ${SIMULATE}`, node({ ...PENDING, outcome: afterPending }));
    expect([ran.exitCode, ran.sent]).toEqual([7, []]);
    expect(ran.asked.filter(({ params }) => params[1] === "pending")).toEqual([]);
  });

  test("may change through pending transactions, which a refusal says", async () => {
    const ran = await simulated(`${SEND} ${SIMULATE}`, node({ ...PENDING, outcome: () => LATE }));
    expect(ran.stderr).toContain("  2 pending transactions are mined before it, which may change the result\n");
    const before = { nonces: { latest: 3, pending: 6 } };
    const replaced = await simulated(`${REPLACE} ${SIMULATE}`, node({ ...before, outcome: () => LATE }));
    expect([replaced.exitCode, replaced.sent]).toEqual([7, []]);
    expect(replaced.stderr).toContain("  1 pending transaction is mined before it, which may change the result\n");
  });

  test("may change through pending transactions, so a bump is only warned about", async () => {
    const before = { nonces: { latest: 3, pending: 6 } };
    const ran = await simulated(`${BUMP} ${SIMULATE}`, node({ ...before, outcome: () => LATE }));
    expect(ran.stderr).toContain(
      "warning: the call would revert: too late; 1 pending transaction is mined before it, which may change the result\n",
    );
    expect(ran.sent).toHaveLength(1);
  });
});

describe("a state override", () => {
  const CAVEAT = "simulated with code at the sender's address";

  test("is named where only it shows the reason", async () => {
    const failure = { isReverted: true, data: `0xfb8f41b2${word(1)}`, error: "execution reverted" };
    const ran = await simulated(`${SEND} ${SIMULATE}`, node({ ways: ["override", "call"], outcome: () => failure }));
    expect(ran.stderr).toContain(`  ${CAVEAT}`);
    expect(ran.stderr).toContain("custom error 0xfb8f41b2");
  });

  test.each([true, false])("does not decide if a plain call shows otherwise, reverted: %s", async (isReverted) => {
    // A contract that checks who calls it: the override puts code at the sender's address.
    const outcome = () => (isReverted ? { ...EMPTY, relayed: SUCCESS } : { ...SUCCESS, relayed: EMPTY });
    const ran = await simulated(`${SEND} ${SIMULATE}`, node({ ways: ["override", "call"], outcome }));
    expect([ran.exitCode, ran.sent.length]).toEqual(isReverted ? [7, 0] : [0, 1]);
    if (isReverted) expect(ran.stderr).toContain("error: the call would revert, and the node does not show why\n");
  });
});

describe("a dry run", () => {
  test("of tx send reads nothing", async () => {
    const ran = await simulated(`${SEND} --dry-run`, node({ outcome: () => LATE }), { terminal: true });
    expect([ran.exitCode, ran.requests]).toEqual([0, []]);
  });

  test.each([SEND, REPLACE, BUMP])("with --simulate reads and simulates, and sends nothing: %s", async (line) => {
    const ran = await simulated(`${line} --dry-run --simulate`, node());
    expect([ran.exitCode, ran.sent]).toEqual([0, []]);
    expect(ran.stderr).toMatch(/^ {2}simulated +succeeds, uses 51234 of 100000 gas$/m);
    expect(ran.stdout).toMatch(/^(?:POST|PUT) /);
    await exited({ exitCode: 7, stdout: "" }, simulated(`${line} --dry-run --simulate`, node({ outcome: () => LATE })));
  });
});

describe("a slow node", () => {
  test.each([SEND, REPLACE, BUMP])("holds up a command for some seconds at most: %s", async (line) => {
    const ran = await simulated(`${line} ${SIMULATE}`, node({ ways: [], delay: 4_000 }));
    expect(ran.stderr).toContain("note: not simulated: the time limit was reached\n");
    expect(ran.asked.filter(({ method }) => /simulate|trace|eth_call/.test(method))).toHaveLength(2);
    expect(ran.sent).toHaveLength(1);
  });

  test("is not asked for each of several bumps", async () => {
    const story = { record: (_: number, id: string) => ({ ...CALLING, id }) };
    const line = `tx bump evm-1 tx-1 tx-2 tx-3 ${SIMULATE}`;
    const ran = await simulated(line, node({ ways: [], delay: 4_000 }), {}, story);
    expect(ran.stderr).toContain("note: 3 of 3 transactions not simulated: the time limit was reached\n");
    expect(ran.asked.filter(({ method }) => /simulate|trace|eth_call/.test(method))).toHaveLength(2);
    expect(ran.sent).toHaveLength(3);
  });
});

describe("several bumps", () => {
  const TOO_MUCH = "0xa9059cbb99";
  const story = {
    record: (_: number, id: string) => ({ ...CALLING, id, ...(id === "tx-2" && { data: TOO_MUCH }) }),
    written: (id: string) => ({ ...CALLING, id }),
  };
  const failing = node({ outcome: (_, __, data) => (data === TOO_MUCH ? LATE : SUCCESS) });

  test("are all refused if one would revert", async () => {
    const ran = await simulated(`tx bump evm-1 tx-1 tx-2 ${SIMULATE}`, failing, {}, story);
    expect([ran.exitCode, ran.sent]).toEqual([7, []]);
    expect(ran.stderr).toContain("error: 1 of 2 transactions would revert; nothing was sent\n");
    expect(ran.stderr).toContain("  evm-1/tx-2: the call would revert: too late\n");
  });

  test("leave out what would revert if the stuck ones are meant", async () => {
    const listed = (second: number, id: string) => (["tx-1", "tx-2"].includes(id) ? story.record(second, id) : null);
    const line = `tx bump evm-1 --stuck 1s ${SIMULATE}`;
    const ran = await simulated(line, failing, {}, { ...story, record: (second, id) => listed(second, id) });
    expect(ran.stderr).toContain("note: tx-2 is left out: the call would revert: too late\n");
    expect(ran.sent.map(({ target }) => target.split("/").at(-1))).toEqual(["tx-1"]);
  });

  test("are sent with --even-if-it-reverts, each warned about by its ID", async () => {
    const line = `tx bump evm-1 tx-1 tx-2 ${SIMULATE} --even-if-it-reverts`;
    const ran = await simulated(line, failing, {}, story);
    expect(ran.stderr).toContain("warning: tx-2: the call would revert: too late\n");
    expect(ran.sent).toHaveLength(2);
  });
});

test("a bump of a cancellation is not simulated", async () => {
  const canceling = record({ is_canceled: true, to: `0x${"70".repeat(20)}`, value: "0x0", data: "0x" });
  const ran = await simulated(`${BUMP} ${SIMULATE}`, node(), {}, { record: () => canceling, written: () => canceling });
  expect(ran.asked.map(({ method }) => method)).not.toContain("eth_simulateV1");
});

describe("a custom error", () => {
  const ABI = [
    { type: "function", name: "close", inputs: [] },
    { type: "error", name: "TooLate", inputs: [{ name: "deadline", type: "uint256" }] },
  ];
  const failure = { isReverted: true, data: `0x691e5682${word(7)}`, error: "execution reverted" };

  test("is decoded by the ABI of the line", async () => {
    const line = `tx send evm-1 --to ${TOKEN} --value 0 --call close --abi abi.json --speed fast ${SIMULATE}`;
    const world = { files: { "abi.json": JSON.stringify(ABI) } };
    const ran = await simulated(line, node({ outcome: () => failure }), world);
    expect(ran.stderr).toMatch(/^error: the call would revert: TooLate\(deadline\s7\)$/m);
    expect(ran.stderr).toContain(`  revert data: ${failure.data}\n`);
  });
});

test.each([SEND, REPLACE, BUMP])("Ctrl-C during a simulation sends nothing: %s", async (line) => {
  const abort = new AbortController();
  const interrupted = () => {
    abort.abort("interrupted");
    return SUCCESS;
  };
  const world = { interrupt: abort.signal };
  await exited({ exitCode: 130, sent: [] }, simulated(`${line} ${SIMULATE}`, node({ outcome: interrupted }), world));
});

describe("for programs", () => {
  test("the error has the reason, the whole data, and the method as details", async () => {
    const data = `0xfb8f41b2${word(7).repeat(40)}`;
    const failure = { isReverted: true, data, error: "execution reverted" };
    const ran = await simulated(`${SEND} ${SIMULATE} -o json`, node({ outcome: () => failure }));
    expect(printedError(ran.stderr)).toMatchObject({
      code: "rejected",
      exit_code: 7,
      applied: "no",
      retryable: false,
      details: [
        { where: "reason", rule: "custom error 0xfb8f41b2" },
        { where: "revert data", rule: data },
        { where: "simulated with", rule: "eth_simulateV1" },
      ],
    });
    expect(ran.stdout).toBe("");
  });

  test("--simulate is refused for what no node simulates", async () => {
    const line =
      "tx send xlm-treasury --network mainnet --source-account GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM";
    const ran = await cli(`${line} --transaction-xdr AAAA --simulate --yes`);
    expect([ran.exitCode, ran.writes]).toEqual([2, []]);
    expect(ran.stderr).toContain("--simulate: only EVM transactions are simulated, and this is a Stellar transaction");
  });

  test("a hostile reason cannot write control characters", async () => {
    const text = Buffer.from("\u001b[2Jgone\u202e\u0007").toString("hex");
    const data = `0x08c379a0${word(32)}${word(text.length / 2)}${text.padEnd(64, "0")}`;
    const failure = { isReverted: true, data, error: "execution reverted" };
    const ran = await simulated(`${SEND} --yes`, node({ outcome: () => failure }), { terminal: true });
    expect(ran.stderr).toContain("would revert: \\u{1b}[2Jgone\\u{202e}\\u{7}");
  });
});
