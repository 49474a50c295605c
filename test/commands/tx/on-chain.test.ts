import type { Transport } from "../../../src/client/transport/transport.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { cli, ends, exits, printedError, SERVER, says, TOKEN } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { reply } from "../../helpers/service/reply.ts";
import {
  answering,
  EARLIER,
  evmRecord,
  HASH,
  many,
  NOOP,
  node,
  OWN,
  onChain,
  one,
  receipt,
  relayerRecord,
  TO,
} from "./wire.ts";

const ID = "314029b7-9b9b-4c3b-b61a-c71e85190346";
const GET = `tx get evm-1 ${ID}`;
const BY_HASH = "eth_getTransactionByHash";
const RECEIPT = "eth_getTransactionReceipt";
const SEE = `see: relayctl ${GET} --on-chain`;
const REFUSED = reply(403, { success: false, data: null, error: "Relayer paused" });

const confirmed = (fields: object = {}) => evmRecord({ status: "confirmed", ...fields });

/** A service with one record and a relayer whose node returns these results. */
function serving(record: object, rpc: Parameters<typeof answering>[0][string], more: object = {}) {
  return answering({
    [`GET /relayers/evm-1/transactions/${ID}`]: one(record),
    "GET /relayers/evm-1": one(relayerRecord()),
    "POST /relayers/evm-1/rpc": rpc,
    ...more,
  });
}

const holding = (found: unknown, more: object = {}) => node({ [BY_HASH]: found, [RECEIPT]: receipt(), ...more });
const methodsOf = (requests: readonly WireRequest[]) =>
  requests.flatMap(({ body }) => (body === undefined ? [] : [JSON.parse(body).method]));

describe("tx get of a record that reads confirmed", () => {
  test("costs four requests more, and prints nothing if the chain holds what the record shows", async () => {
    const { exitCode, stderr, requests } = await cli(`${GET} -o json`, {
      service: serving(confirmed(), holding(onChain())),
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(requests).toHaveLength(5);
    expect(methodsOf(requests)).toEqual([BY_HASH, RECEIPT, "eth_getBlockByNumber"]);
  });

  test.each(["pending", "sent", "submitted", "mined", "failed", "canceled", "expired"])(
    "does not cost a call if it reads %s",
    async (status) => {
      const service = serving(evmRecord({ status }), holding(onChain()));
      expect((await cli(`${GET} -o json`, { service })).requests).toHaveLength(1);
    },
  );

  test("shows that another version was mined, and keeps the service's own data", async () => {
    const recovered = confirmed({ value: "0x7d0" });
    const service = serving(recovered, holding(onChain()));
    const { exitCode, stdout, stderr } = await cli(`${GET} -o json`, { service });
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, recovered]);
    expect(stderr).toBe(
      [
        "confirmed · a different version was mined than the record shows",
        "warning: a different version was mined than the record shows",
        `chain: ${HASH} was mined in block 42: 1000 wei to ${TO}`,
        SEE,
        "",
      ].join("\n"),
    );
    const shown = await cli(`${GET} --color never`, { service, terminal: true });
    expect(shown.stdout).toMatch(/^status +confirmed · a different version was mined than the record shows$/m);
  });

  test("shows a cancellation that came too late, and one that did not", async () => {
    const late = confirmed({ is_canceled: true, ...NOOP });
    expect((await cli(GET, { service: serving(late, holding(onChain())) })).stderr).toContain(
      "confirmed · too late to cancel: the original was mined\n",
    );
    const old = confirmed({
      is_canceled: null,
      ...NOOP,
      status_reason: "Transaction canceled by user, replacing with NOOP",
    });
    const noop = onChain({ to: OWN, value: "0x0" });
    expect((await cli(GET, { service: serving(old, holding(noop)) })).stderr).toContain(
      "confirmed · the cancellation is on the chain\n",
    );
  });

  test("guesses nothing from an earlier hash if the chain was asked", async () => {
    const service = serving(confirmed(), holding(onChain()));
    expect((await cli(`${GET} --was ${EARLIER}`, { service })).stderr).toBe("");
    const late = serving(confirmed({ is_canceled: true, ...NOOP }), holding(onChain()));
    expect((await cli(`${GET} --was ${HASH}`, { service: late })).stderr).not.toContain("the hash is unchanged");
  });

  test("is not settled if the node does not know the hash, or it still waits", async () => {
    for (const found of [null, onChain({ blockNumber: null })])
      await says(0, GET, ["confirmed · not settled: ", SEE], { service: serving(confirmed(), holding(found)) });
  });

  test("is confirmed by the record if the chain cannot be asked", async () => {
    await ends(
      { exitCode: 0, stderr: "confirmed (by the record)\nnote: the chain could not be checked: HTTP 404\n" },
      GET,
      { service: serving(confirmed(), reply(404)) },
    );
  });

  test.each<[string, unknown]>([
    ["a transaction with another hash", onChain({ hash: EARLIER })],
    ["a text", "0x1"],
    ["a list", [onChain()]],
    ["a value that is not a quantity", onChain({ value: "1000" })],
  ])("does not believe %s", async (_, found) => {
    const { stderr } = await exits(0, GET, { service: serving(confirmed(), holding(found)) });
    expect(stderr).toMatch(/^confirmed \(by the record\)\nnote: the chain could not be checked: the response to eth_/);
  });

  test("asks the node of a sibling if the relayer is paused, and prints which", async () => {
    const siblings = {
      "GET /relayers": many([relayerRecord(), relayerRecord({ id: "evm-2", custom_rpc_urls: null })]),
    };
    const more = { ...siblings, "POST /relayers/evm-2/rpc": holding(onChain()) };
    const { exitCode, stderr } = await cli(GET, { service: serving(confirmed(), REFUSED, more) });
    expect([exitCode, stderr]).toEqual([0, "the chain was read through the node of evm-2\n"]);
    const alone = await cli(GET, { service: serving(confirmed(), REFUSED) });
    expect(alone.stderr).toContain("confirmed (by the record)\nnote: the chain could not be checked: Relayer paused\n");
  });
});

describe("tx get --on-chain with a record that the chain contradicts", () => {
  const clock = manualClock(Date.parse("2026-11-21T03:12:07Z"));
  const NEWEST = { "eth_getBlockByNumber latest": { number: "0x64", timestamp: "0x6b010c00" } };
  const TAGGED = { id: "evm:local", chain_id: 1, tags: ["optimism"], required_confirmations: 1 };
  const PHANTOM = evmRecord({ value: "0x7d0", max_fee_per_gas: "11550000000", max_priority_fee_per_gas: "550000000" });
  const WAITING = { [`${BY_HASH} ${EARLIER}`]: onChain({ hash: EARLIER, blockNumber: null }) };

  test("exits with 13 if a cap keeps a replacement from being sent, and shows what will be mined", async () => {
    const capped = relayerRecord({ policies: { gas_price_cap: "12000000000" } });
    const results = { ...WAITING, ...NEWEST, eth_getTransactionCount: "0x4" };
    const service = serving(PHANTOM, node(results), { "GET /relayers/evm-1": one(capped) });
    const { stderr } = await exits(13, `${GET} --on-chain --was ${EARLIER} -o json`, { service, clock });
    expect(printedError(stderr)).toMatchObject({
      code: "unmet",
      hint: `relayctl tx cancel evm-1 ${ID}`,
      details: [
        { where: "verdict", given: "never_broadcast" },
        { where: "chain", rule: `${EARLIER} waits to be mined: 1000 wei to ${TO}` },
      ],
    });
  });

  test("exits with 13 if the network does not raise the price, unless the market has risen since", async () => {
    const unraised = evmRecord({ value: "0x7d0" });
    const fees = (baseFee: string) => ({
      baseFeePerGas: [baseFee, baseFee, baseFee, baseFee, baseFee],
      reward: Array.from({ length: 4 }, () => ["0x77359400", "0x77359400", "0x77359400", "0x77359400"]),
    });
    const network = { "GET /networks/evm%3Alocal": one(TAGGED) };
    const results = { ...WAITING, ...NEWEST, eth_getTransactionCount: "0x4", eth_chainId: "0x1" };
    const at = (baseFee: string) => serving(unraised, node({ ...results, eth_feeHistory: fees(baseFee) }), network);
    const level = await exits(13, `${GET} --on-chain --was ${EARLIER} -o json`, { service: at("0x1"), clock });
    // A cancellation would fail in the same way.
    expect(printedError(level.stderr).hint).toBe(null);
    await says(14, `${GET} --on-chain --was ${EARLIER}`, "verdict pending", { service: at("0x2540be400") });
  });

  test("exits with 13 if the transaction expired although its record reads confirmed", async () => {
    const reason = { status_reason: "Transaction is expired. Replacing with NOOP." };
    const service = serving(confirmed({ ...NOOP, ...reason }), holding(onChain({ to: OWN, value: "0x0" })));
    expect(await cli(`${GET} --on-chain`, { service })).toMatchObject({
      exitCode: 13,
      stderr: expect.stringContaining("verdict expired: it expired, and the no-op that replaced it is on the chain"),
    });
  });

  test("exits with 15 if the receipt is that of another transaction, and prints what is missing", async () => {
    const failed = evmRecord({ status: "failed" });
    const results = { [RECEIPT]: receipt({ transactionHash: EARLIER }) };
    const { stderr } = await exits(15, `${GET} --on-chain`, {
      service: serving(failed, holding(onChain(), results)),
    });
    expect(stderr).toContain("  missing: the response to eth_getTransactionReceipt is about another transaction\n");
  });
});

describe("a node of the user", () => {
  const ORIGIN = "https://rpc.example.org";
  const URL_WITH_KEY = `${ORIGIN}/v3/0123456789abcdef0123456789abcdef`;
  const NETWORK = { "GET /networks/evm%3Alocal": one({ id: "evm:local", chain_id: 31_337 }) };
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
  const service = serving(confirmed(), reply(500), NETWORK);

  /** A world with the node, and the requests that the node received. */
  function worldWith(results: object = {}) {
    const received: WireRequest[] = [];
    const respond = node({ eth_chainId: "0x7a69", [BY_HASH]: onChain(), [RECEIPT]: receipt(), ...results });
    const transport: Transport = async (request) => {
      received.push(request);
      return respond(request);
    };
    return { received, world: { service, nodes: { [ORIGIN]: transport } } };
  }

  test("is asked in place of the relayer's, and its key is never printed", async () => {
    const { received, world } = worldWith();
    const ran = await exits(0, `${GET} --on-chain --node ${URL_WITH_KEY}`, world);
    expect(ran.stderr).toContain("the chain was read through https://rpc.example.org/***\n");
    expect(ran.stdout + ran.stderr).not.toContain("0123456789abcdef");
    expect(received[0]).toMatchObject({ method: "POST", target: "/v3/0123456789abcdef0123456789abcdef" });
    expect(received.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
    expect(methodsOf(received).slice(0, 2)).toEqual(["eth_chainId", BY_HASH]);
    expect(methodsOf(ran.requests)).toEqual([]);
  });

  test("comes from a variable named after the network, or from the context", async () => {
    const variable = { ...env, RELAYCTL_NODE_LOCAL: URL_WITH_KEY };
    for (const flags of ["", " --on-chain"]) {
      const ran = await cli(GET + flags, { ...worldWith().world, env: variable });
      expect([ran.exitCode, ran.stderr.includes("through https://rpc.example.org/***")]).toEqual([0, true]);
    }
    const contexts = { prod: { server: SERVER, token: TOKEN, nodes: { local: URL_WITH_KEY } } };
    const ran = await cli(`${GET} --on-chain`, {
      ...worldWith().world,
      env: {},
      config: { version: 1, current: "prod", contexts },
    });
    expect([ran.exitCode, ran.stderr.includes("through https://rpc.example.org/***")]).toEqual([0, true]);
  });

  test("is not asked about other networks", async () => {
    const variable = { ...env, RELAYCTL_NODE_MAINNET: URL_WITH_KEY };
    const { received, world } = worldWith();
    const ran = await cli(`${GET} --on-chain`, { ...world, env: variable });
    expect([ran.exitCode, received]).toEqual([9, []]);
  });

  test.each<[string, object, string]>([
    ["is on another chain", { eth_chainId: "0x1" }, "is on chain 1, the network is chain 31337"],
    ["returns nonsense", { eth_chainId: "mainnet" }, "the response to eth_chainId is not what that method returns"],
  ])("that %s is rejected: exit 15", async (_, results, words) => {
    const ran = await exits(15, `${GET} --on-chain --node ${URL_WITH_KEY} -o json`, worldWith(results).world);
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: ID });
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({ code: "pending", exit_code: 15, retryable: true });
    expect(error.message).toContain(words);
  });

  test.each([
    [`${GET} --on-chain --node rpc.example.org`, "--node: must begin with https:// or http://"],
    [`${GET} --on-chain --node ''`, "--node: is empty"],
    [`${GET} --on-chain --node 'https://rpc.example.org/a b'`, "--node: is not a valid URL"],
    [`${GET} --on-chain --node https://rpc.example.org/%zz`, "--node: is not a valid URL"],
    [`${GET} --node https://rpc.example.org`, "--node: has no effect without --on-chain"],
    [`${GET} --demo --on-chain --node https://rpc.example.org`, "--node: cannot be combined with --demo"],
  ])("rejects %s", (line, words) => says({ exitCode: 2, requests: [] }, line, words));

  test("with an invalid URL in its variable is exit 2, and the URL is not printed", async () => {
    const variable = { ...env, RELAYCTL_NODE_LOCAL: "rpc.example.org/0123456789abcdef0123" };
    const ran = await exits(2, `${GET} --on-chain`, { ...worldWith().world, env: variable });
    expect(ran.stderr).toContain("RELAYCTL_NODE_LOCAL: must begin with https:// or http://");
    expect(ran.stderr).not.toContain("0123456789");
  });
});

test("the chain's value is in the coin for people, next to a pipe as well, and in wei for programs", async () => {
  const line = "tx get base-hot a1b2c3d4-e5f6-4718-a93a-4b5c6d7e8f90 --on-chain --demo";
  expect((await cli(line)).stderr).toContain("  value 0 ETH: the chain holds 0.04 ETH\n");
  expect((await cli(`${line} -o json`)).stderr).toContain("the chain holds 40000000000000000 wei");
});
