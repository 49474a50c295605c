import type { WireRequest } from "../../../src/contract/wire.ts";
import { ask, calmWorld, hex, mine, minedValue, pass, REPLACEMENT, submitted } from "./facts.ts";
import { marketPrice } from "./pricing.ts";
import { IGNORED } from "./service.ts";
import { EARLIER, GWEI, OWN } from "./world.ts";

function passed(world: ReturnType<typeof calmWorld>, relayer: string, method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const request: WireRequest = { method: "POST", target: `/api/v1/relayers/${relayer}/rpc`, headers: {}, body };
  const reply = world.service(request, IGNORED);
  return { status: reply.status, body: JSON.parse(new TextDecoder().decode(reply.body)) };
}

describe("a node", () => {
  test("responds through the service with its code alone", () => {
    const world = calmWorld();
    expect(passed(world, "evm-1", "eth_nope")).toEqual({
      status: 200,
      body: {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32_603, message: "Internal error", description: "RPC error occurred (code: -32601)" },
      },
    });
    expect(passed(world, "evm-1", "eth_chainId").body).toEqual({ jsonrpc: "2.0", id: 1, result: "0x7a69" });
  });

  test("is refused by a disabled relayer until the service enables it again", () => {
    const world = calmWorld();
    world.relayer.disabled = "RpcValidationFailed";
    expect(passed(world, "evm-1", "eth_chainId")).toMatchObject({ status: 403, body: { error: "Relayer disabled" } });
    world.relayer.disabled = undefined;
    expect(passed(world, "evm-1", "eth_chainId").status).toBe(200);
  });

  test("is refused by a paused relayer, while its sibling passes requests on", () => {
    const world = calmWorld();
    world.fleet.change("evm-1", { paused: true });
    expect(passed(world, "evm-1", "eth_chainId").status).toBe(403);
    expect(passed(world, "evm-2", "eth_chainId").status).toBe(200);
  });

  test("keeps the state of its newest blocks only, and all bodies", () => {
    const world = calmWorld({ state: 4 });
    const stored = submitted(world);
    mine(world, 8);
    const count = (back: number) => ask(world, "eth_getTransactionCount", OWN, hex(world.chain.head.number - back));
    expect([count(0), count(3), count(4)]).toEqual(["0x6", "0x6", { code: -32_000 }]);
    expect(ask(world, "eth_getBlockByNumber", "0x3e9", true)).toMatchObject({ transactions: [{ hash: stored.hash }] });
    expect(ask(world, "eth_getBlockByNumber", "0x64", false)).toMatchObject({ number: "0x64", transactions: [] });
  });

  test("counts by block what each account has sent", () => {
    const world = calmWorld();
    submitted(world);
    mine(world, 1);
    submitted(world);
    mine(world, 1);
    const at = (number: number) => ask(world, "eth_getTransactionCount", OWN, hex(number));
    const first = world.chain.blocks[0]?.number ?? 0;
    expect([first - 1, first, world.chain.head.number].map(at)).toEqual([EARLIER, EARLIER + 1, EARLIER + 2].map(hex));
  });

  test("finds a transaction by sender and nonce if it keeps such an index", () => {
    const [indexed, plain] = [calmWorld(), calmWorld({ isIndexed: false })];
    const stored = submitted(indexed);
    expect(ask(indexed, "eth_getTransactionBySenderAndNonce", OWN, "0x5")).toMatchObject({ hash: stored.hash });
    mine(indexed, 1);
    expect(ask(indexed, "eth_getTransactionBySenderAndNonce", OWN, "0x5")).toMatchObject({ blockNumber: "0x3e9" });
    expect(ask(plain, "eth_getTransactionBySenderAndNonce", OWN, "0x5")).toEqual({ code: -32_601 });
  });

  test("forgets a version once it accepted a higher one", () => {
    const world = calmWorld();
    const stored = submitted(world);
    const { hash } = stored;
    world.worker.replace(stored, REPLACEMENT);
    expect(ask(world, "eth_getTransactionByHash", hash)).toMatchObject({ blockNumber: null });
    pass(world, 4_000);
    expect(ask(world, "eth_getTransactionByHash", hash)).toBeNull();
    expect(ask(world, "eth_getTransactionByHash", stored.hash)).toMatchObject({ blockNumber: null });
  });
});

describe("a reorganization", () => {
  test.each([1, 2])("of depth %s returns transactions to the pool, and may mine another version", (depth) => {
    const world = calmWorld();
    const stored = submitted(world);
    world.worker.replace(stored, REPLACEMENT);
    pass(world, 4_000);
    mine(world, depth);
    expect(minedValue(world, stored)).toBe(2_000n);
    const { number } = world.chain.head;
    world.minesEarlier = () => 0;
    world.chain.reorganize(depth);
    expect(world.chain.head.number).toBe(number + 1);
    expect(minedValue(world, stored)).toBe(1_000n);
  });

  test("leaves deeper blocks alone", () => {
    const world = calmWorld();
    const stored = submitted(world);
    mine(world, 3);
    const before = world.chain.minedBy(OWN, 5);
    world.chain.reorganize(2);
    expect(world.chain.minedBy(OWN, 5)).toBe(before);
    expect(before?.transaction.hash).toBe(stored.hash);
  });
});

test("the market price is the tip of the speed, and the base fee as it may rise in 90 seconds", () => {
  const { chain } = calmWorld({ blockTime: 12_000 });
  const tip = (GWEI * 120n) / 100n;
  // 1.125 to the seventh power, cut to nine decimals.
  expect(marketPrice({ chain }, "fast")).toEqual({ tip, maxFee: 22_806_973_450n + tip });
});
