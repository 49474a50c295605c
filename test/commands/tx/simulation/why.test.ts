import { hash, record, TO, TRANSFER } from "../../../chain/verdict/records.ts";
import { cli, exitedSaying } from "../../../helpers/cli.ts";
import { run, type WaitStory } from "../waiting-service.ts";
import { solanaRecord } from "../wire.ts";
import { worldWithout } from "./embedded-world.ts";
import { word } from "./simulating-world.ts";

const CONTRACT = "0x52908400098527886e0f7030069857d2e416c0de";
const BURN = `0x42966c68${word(10n ** 12n + 1n)}`;
const TRANSFER_FROM = `0x23b872dd${word(1)}${word(2)}${word(3)}`;
const PANIC = "Panic(0x11): arithmetic overflow or underflow";
const PANIC_DATA = `0x4e487b71${word(0x11)}`;

async function sent(world: ReturnType<typeof worldWithout>, data = BURN): Promise<string> {
  const line = `tx send base-hot --to ${CONTRACT} --value 0 --gas-limit 100000 --speed fast --data ${data} --yes -o name`;
  const { stdout } = await cli(line, world);
  await world.clock.sleep(60_000);
  return stdout.trim();
}

const whyOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).why;
const GET = "tx get evm-1 tx-1 --why -o json";
const story = (fields: object, chain: WaitStory["chain"] = () => ({})): WaitStory => ({
  record: () => record(fields),
  chain,
});

describe("a transaction that reverted", () => {
  test.each([
    ["eth_simulateV1", {}],
    ["debug_traceCall", { eth_simulateV1: -32_601 }],
    ["an override", { eth_simulateV1: -32_601, debug_traceCall: -32_601 }],
  ])("has its reason through %s, as a member of JSON", async (_, codes) => {
    const world = worldWithout(codes);
    const id = await sent(world);
    const ran = await cli(`tx get base-hot ${id} --why -o json`, world);
    expect([ran.exitCode, whyOf(ran)]).toMatchObject([
      0,
      { verdict: "reverted", by_record: false, reason: PANIC, revert_data: PANIC_DATA },
    ]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ id, status: "failed" });
  });

  test("shows the reason below the record on a terminal, and the data of a custom error whole", async () => {
    const world = worldWithout();
    const id = await sent(world, TRANSFER_FROM);
    const { stdout } = await cli(`tx get base-hot ${id} --why --color never`, { ...world, terminal: true });
    expect(stdout).toMatch(/^calls +transferFrom\(/m);
    expect(stdout).toMatch(/^why +ERC20InsufficientAllowance\(.*needed 3\)$/m);
    expect(stdout).toMatch(/^revert data\n +0xfb8f41b20{63}1[0-9a-f]{128}$/m);
  });

  test("adds columns at the end of tsv", async () => {
    const world = worldWithout();
    const id = await sent(world);
    const [plain, explained] = [
      await cli(`tx get base-hot ${id} -o tsv`, world),
      await cli(`tx get base-hot ${id} --why -o tsv`, world),
    ];
    const words = "it was mined and reverted: the nonce and the fee are spent";
    expect(explained.stdout).toBe(`${plain.stdout.trimEnd()}\treverted\t${words}\t${PANIC}\t${PANIC_DATA}\n`);
  });

  test.each([
    [-32_601, /^the reason could not be read: .*-32601/],
    [
      -32_602,
      /^the reason could not be read: the node probably no longer has the state of that block \(code -32602\)$/,
    ],
  ])("says so if the node refuses every method with code %d", async (code, words) => {
    const world = worldWithout({ eth_simulateV1: code, debug_traceCall: code, eth_call: code });
    const id = await sent(world);
    expect(whyOf(await cli(`tx get base-hot ${id} --why -o json`, world))).toMatchObject({
      verdict: "reverted",
      reason: null,
      revert_data: null,
      missing: [expect.stringMatching(words)],
    });
  });

  test("says so if the node no longer has the state", async () => {
    const world = worldWithout();
    const id = await sent(world);
    await world.clock.sleep(3_600_000);
    expect(whyOf(await cli(`tx get base-hot ${id} --why -o json`, world))).toMatchObject({
      revert_data: null,
      missing: [expect.stringMatching(/^the reason could not be read: .*\(code: -32000\)$/)],
    });
  });

  test("is named as such by tx get, with the command that shows the reason", async () => {
    const world = worldWithout();
    const id = await sent(world);
    const { stderr } = await cli(`tx get base-hot ${id}`, world);
    expect(stderr).toContain(`see: relayctl tx get base-hot ${id} --why\n`);
  });
});

describe("the data of a revert in the record", () => {
  const REVERTED = { transactions: [{ ...TRANSFER, block: 90, reverted: true }] };
  const recorded = (data: string, fields: object = {}) =>
    story(
      { status: "failed", status_reason: `Transaction reverted on-chain (revert_data: ${data})`, ...fields },
      () => REVERTED,
    );

  test("is decoded, without asking the node for it", async () => {
    const ran = await run(GET, recorded(PANIC_DATA));
    expect(whyOf(ran)).toMatchObject({ verdict: "reverted", reason: PANIC, revert_data: PANIC_DATA, missing: [] });
    expect(ran.requests.map(({ body }) => body ?? "").join("")).not.toMatch(/eth_simulateV1|eth_call|debug_trace/);
  });

  test.each([
    ["is cut", `${PANIC_DATA}...(truncated)`, {}],
    ["is not hex", "0x4e4", {}],
    ["is of another version than the mined one", PANIC_DATA, { hash: hash("b") }],
  ])("is not believed if it %s", async (_, data, fields) => {
    const ran = await run(`${GET} --was ${hash("a")}`, recorded(data, fields));
    expect(whyOf(ran).revert_data).toBeNull();
  });
});

describe("a transaction that failed before it was mined", () => {
  const UNSIGNED = { hash: null, nonce: null, sent_at: null };
  const REASON = "Insufficient balance: Relayer balance 1 is insufficient";

  test.each([
    ["failed", { verdict: "failed", by_record: true, reason: REASON, revert_data: null }],
    ["expired", { verdict: "expired", by_record: true, reason: REASON }],
    ["canceled", { verdict: "canceled", by_record: true, reason: REASON }],
  ])("has the reason of its record, and asks no node: %s", async (status, why) => {
    const ran = await run(GET, story({ ...UNSIGNED, status, status_reason: REASON }));
    expect([ran.exitCode, whyOf(ran)]).toMatchObject([0, why]);
    expect(ran.requests.filter(({ target }) => target.endsWith("/rpc"))).toEqual([]);
  });

  test("has the reason of its record if it is of another kind of network", async () => {
    const failed = { ...solanaRecord({ status: "failed", status_reason: "Blockhash not found" }), id: "tx-1" };
    const ran = await run(GET, { record: () => failed, relayer: { network_type: "solana" } });
    expect(whyOf(ran)).toMatchObject({ verdict: "failed", by_record: true, reason: "Blockhash not found" });
  });
});

describe("a transaction that did not fail", () => {
  test("has no reason", async () => {
    const ran = await run(
      GET,
      story({ status: "confirmed" }, () => ({ transactions: [{ ...TRANSFER, block: 90 }] })),
    );
    expect(whyOf(ran)).toMatchObject({ verdict: "confirmed", reason: null, revert_data: null });
  });

  test("has not ended while it is pending", async () => {
    const ran = await run(
      GET,
      story({}, () => ({ transactions: [TRANSFER] })),
    );
    expect(whyOf(ran)).toMatchObject({ verdict: "pending", why: expect.stringMatching(/^it has not ended: /) });
  });
});

test("the chain that cannot be read leaves what the record shows, and is named", async () => {
  const refused = { status: 503, headers: {}, body: new Uint8Array() };
  const fields = { status: "failed", status_reason: "Transaction reverted on-chain (receipt status: failed)" };
  const ran = await run(
    GET,
    story(fields, () => refused),
  );
  expect([ran.exitCode, whyOf(ran)]).toMatchObject([
    0,
    { by_record: true, revert_data: null, missing: [expect.stringMatching(/^the chain could not be read: /)] },
  ]);
});

test.each([
  ["tx get evm-1 tx-1 --why --on-chain", "--why: cannot be combined with --on-chain"],
  ["tx get evm-1 tx-1 --why --watch", "--why: cannot be combined with --watch"],
  ["tx get evm-1 tx-1 tx-2 --why", "--why: explains one transaction"],
])("is refused: %s", (line, words) => exitedSaying({ exitCode: 2, requests: [] }, run(line, story({ to: TO })), words));
