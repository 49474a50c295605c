import type { WireRequest } from "../../../src/contract/wire.ts";
import { cli, exits, printedError } from "../../helpers/cli.ts";
import { worldWithout } from "./simulation/embedded-world.ts";
import { answering, evmRecord, node, OWN, onChain, one, receipt, relayerRecord, TO } from "./wire.ts";

const CONTRACT = "0x52908400098527886e0f7030069857d2e416c0de";
const word = (value: bigint) => value.toString(16).padStart(64, "0");
/** A transfer of more tokens than anyone holds, and what else the contract does not do. */
const TRANSFER = `0xa9059cbb${word(1n)}${word(10n ** 12n + 1n)}`;
const BURN = `0x42966c68${word(10n ** 12n + 1n)}`;
const TRANSFER_FROM = `0x23b872dd${word(1n)}${word(2n)}${word(3n)}`;
const UNKNOWN = "0x12345678";
const NO_ALLOWANCE = `ERC20InsufficientAllowance(spender 0x${"0".repeat(39)}1, allowance 0, needed 3)`;

const SEND = `tx send base-hot --to ${CONTRACT} --value 0 --gas-limit 100000 --speed fast --yes --wait`;
const TRANSFER_REASON = "reason: ERC20: transfer amount exceeds balance";

async function sent(world: ReturnType<typeof worldWithout>, data = TRANSFER): Promise<string> {
  const { stdout } = await exits(13, `${SEND} --data ${data} -o json`, world);
  await world.clock.sleep(30_000);
  return JSON.parse(stdout).id;
}

const methodsOf = (requests: readonly WireRequest[]) =>
  requests.flatMap(({ target, body = "" }) => (target.endsWith("/rpc") ? [JSON.parse(body).method] : []));
const SIMULATES = ["eth_simulateV1", "debug_traceCall", "eth_call"];

describe.each([
  ["the service", false],
  ["the real service", true],
])("a transaction of %s that reverted", (_, isReal) => {
  test.each<[string, Record<string, number>, string]>([
    ["eth_simulateV1", {}, "\n"],
    ["debug_traceCall", { eth_simulateV1: -32_601 }, "\n"],
    [
      "an override",
      { eth_simulateV1: -32_601, debug_traceCall: -32_601 },
      "\nnote: simulated with code at the sender's address: tx.origin, the sender's code, and the sender's balance differ\n",
    ],
  ])("has its reason through %s", async (_, codes, more) => {
    const world = worldWithout(codes, isReal);
    const id = await sent(world);
    const { exitCode, stderr, requests } = await cli(`tx get base-hot ${id} --on-chain`, world);
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(new RegExp(`${TRANSFER_REASON}${more}$`))]);
    const asked = methodsOf(requests).filter((method) => SIMULATES.includes(method));
    const ways = SIMULATES.slice(0, Object.keys(codes).length + 1);
    // A plain call confirms what an override shows.
    expect(asked).toEqual(ways.includes("eth_call") ? [...ways, "eth_call"] : ways);
  });

  test("has no reason through plain eth_call, without failing", async () => {
    const world = worldWithout({ eth_simulateV1: -32_601, debug_traceCall: -32_601, eth_call: 3 }, isReal);
    const id = await sent(world);
    const { exitCode, stderr, requests } = await cli(`tx get base-hot ${id} --on-chain`, world);
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(/\nnote: the reason is unknown: the node shows only that the call reverts\n$/),
    ]);
    expect(methodsOf(requests).filter((method) => SIMULATES.includes(method))).toHaveLength(4);
  });

  test("has no reason on a node that lacks every way but plain eth_call", async () => {
    const lacking = { eth_simulateV1: -32_601, debug_traceCall: -32_601, "eth_call with override": -32_602 };
    const world = worldWithout(lacking, isReal);
    const id = await sent(world);
    const { stderr } = await cli(`tx get base-hot ${id} --on-chain`, world);
    expect(stderr).toMatch(/\nnote: the reason is unknown: the node shows only that the call reverts\n$/);
  });

  test("has no reason on a node that no longer has the state", async () => {
    const world = worldWithout({}, isReal);
    const id = await sent(world);
    await world.clock.sleep(3_600_000);
    const got = await cli(`tx get base-hot ${id} --on-chain`, world);
    expect([got.exitCode, got.stderr]).toEqual([
      0,
      expect.stringMatching(/\nnote: the reason could not be read: .*\(code: -32000\)\n$/),
    ]);
    const { stdout } = await cli(`tx wait base-hot ${id} -o json`, world);
    expect(JSON.parse(stdout)).toMatchObject([
      { verdict: "reverted", reason: null, revert_data: null, missing: [expect.stringContaining("(code: -32000)")] },
    ]);
  });
});

describe("the reason of a revert", () => {
  test.each<[string, string, string]>([
    [TRANSFER, "ERC20: transfer amount exceeds balance", "0x08c379a0"],
    [BURN, "Panic(0x11): arithmetic overflow or underflow", "0x4e487b71"],
    [TRANSFER_FROM, NO_ALLOWANCE, "0xfb8f41b2"],
    [UNKNOWN, "no reason given", "0x"],
  ])("of %s is in the result and the error of a wait: %s", async (data, reason, start) => {
    const world = worldWithout();
    const written = await cli(`${SEND} --data ${data} -o json`, world);
    expect(printedError(written.stderr).details[0].rule).toContain(`; reason: ${reason}`);
    const { id } = JSON.parse(written.stdout);
    const { exitCode, stdout, stderr } = await cli(`tx wait base-hot ${id} -o json`, world);
    expect([exitCode, JSON.parse(stdout)[0]]).toMatchObject([13, { verdict: "reverted", reason, missing: [] }]);
    expect(JSON.parse(stdout)[0].revert_data.startsWith(start)).toBe(true);
    expect(printedError(stderr).message).toContain(`; reason: ${reason}`);
  });

  test("of a custom error comes with its data", async () => {
    const world = worldWithout();
    const id = await sent(world, TRANSFER_FROM);
    const { stderr } = await cli(`tx get base-hot ${id} --on-chain`, world);
    expect(stderr).toContain(`reason: ${NO_ALLOWANCE}\n`);
    expect(stderr).toMatch(/revert data: 0xfb8f41b20{63}1[0-9a-f]{128}\n$/);
  });

  test("is shown on a terminal when the wait ends", async () => {
    const world = worldWithout();
    const id = await sent(world);
    const { stdout } = await cli(`tx wait base-hot ${id} --color never`, { ...world, terminal: true });
    expect(stdout.replace(/\s+/g, " ")).toContain(TRANSFER_REASON);
  });
});

describe("a replay", () => {
  const ID = "314029b7-9b9b-4c3b-b61a-c71e85190346";
  const GET = `tx get evm-1 ${ID} --on-chain`;
  const MINED = {
    eth_getTransactionByHash: onChain(),
    eth_getTransactionReceipt: receipt({ status: "0x0" }),
    "eth_getBlockByNumber latest": { number: "0x64", timestamp: "0x1" },
  };
  const reverting = (data: string) => [{ calls: [{ status: "0x0", returnData: data, gasUsed: "0x5208" }] }];
  const serving = (record: object, results: object) =>
    answering({
      [`GET /relayers/evm-1/transactions/${ID}`]: one(evmRecord(record)),
      "GET /relayers/evm-1": one(relayerRecord()),
      "POST /relayers/evm-1/rpc": node({ ...MINED, ...results }),
    });
  const FAILED = { status: "failed", status_reason: "Transaction reverted on-chain (receipt status: failed)" };

  test("calls with what was mined, at the block before", async () => {
    const { requests } = await cli(GET, { service: serving(FAILED, { eth_simulateV1: reverting("0x") }) });
    const [replayed] = requests
      .map(({ body = "{}" }) => JSON.parse(body))
      .filter(({ method }) => method === "eth_simulateV1");
    const call = { from: OWN, to: TO, value: "0x3e8", data: "0x", gas: "0x5208" };
    expect(replayed.params).toEqual([{ blockStateCalls: [{ calls: [call] }], validation: false }, "0x29"]);
  });

  test("that succeeds finds no reason", async () => {
    const succeeding = [{ calls: [{ status: "0x1", returnData: "0x", gasUsed: "0x5208" }] }];
    const { exitCode, stderr } = await cli(GET, { service: serving(FAILED, { eth_simulateV1: succeeding }) });
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(
        /\nnote: no reason was found: replayed at the block before its own, the transaction succeeds\n$/,
      ),
    ]);
  });

  test("is never made of a transaction that did not revert", async () => {
    const service = serving({ status: "confirmed" }, { eth_getTransactionReceipt: receipt() });
    const { exitCode, requests } = await cli(GET, { service });
    expect([exitCode, methodsOf(requests).filter((method) => SIMULATES.includes(method))]).toEqual([0, []]);
  });

  test("puts the reason into the details if the record contradicts the chain", async () => {
    const data = `0x1234abcd${word(7n)}`;
    const service = serving({ status: "confirmed" }, { eth_simulateV1: reverting(data) });
    const { exitCode, stderr } = await cli(`${GET} -o json`, { service });
    expect([exitCode, printedError(stderr).details]).toMatchObject([
      14,
      expect.arrayContaining([
        { where: "reason", rule: "custom error 0x1234abcd" },
        { where: "revert data", rule: data },
      ]),
    ]);
  });

  test("cannot write control characters of a reason to a terminal", async () => {
    const text = Buffer.from("\x1b[2Jgone\u202e\x07").toString("hex");
    const data = `0x08c379a0${word(32n)}${word(BigInt(text.length / 2))}${text.padEnd(64, "0")}`;
    const service = serving(FAILED, { eth_simulateV1: reverting(data) });
    const { stderr } = await cli(`${GET} --color never`, { service, terminal: true });
    expect(stderr).toContain("reason: \\u{1b}[2Jgone\\u{202e}\\u{7}");
  });
});
