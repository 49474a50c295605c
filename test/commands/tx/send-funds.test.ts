import { setImmediate } from "node:timers/promises";
import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import { cli, ends, exited, printedError, runHere, testApp, type World } from "../../helpers/cli.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { sendingService } from "./sending-service.ts";

const TO = "0xde709f2102306220921060314715629080e2fb77";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const GWEI = 10n ** 9n;

interface Chain {
  /** The body of `/balance`, as JSON. */
  balance?: string;
  /** The node's responses, by method. */
  node?: Readonly<Record<string, unknown>>;
  policies?: Readonly<Record<string, unknown>>;
}

/** The service of the other tests, with another balance and a responding node. */
function chainOf({ balance, node = {}, policies }: Chain): Transport {
  const service = sendingService();
  return async (request, limits) => {
    const [, , , , , nested] = request.target.split("/");
    if (nested === "balance" && balance !== undefined) return success(balance);
    if (nested === "rpc") {
      const { id, method } = JSON.parse(request.body ?? "");
      if (!(method in node)) return reply(403, { success: false, data: null, error: "Relayer is disabled" });
      return success(JSON.stringify({ jsonrpc: "2.0", id, result: node[method] }));
    }
    const found = await service(request, limits);
    if (nested !== undefined || !policies) return found;
    return success(JSON.stringify({ ...JSON.parse(Buffer.from(found.body).toString()).data, policies }));
  };
}

/** Base fees up to 10 gwei, of which the last is the next block's, and tips of 1 and 2 gwei. */
const FEES = {
  baseFeePerGas: [hex(8n * GWEI), hex(9n * GWEI), hex(10n * GWEI)],
  reward: [GWEI, 2n * GWEI].map((tip) => [tip, tip, tip, tip].map(hex)),
};

function hex(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

/** The question's rows about money, and the requests to the node. */
async function shown(line: string, service: Transport, world: World = {}) {
  const ran = await ends({ writes: [] }, `tx send ${line}`, { service, terminal: true, answers: [false], ...world });
  const rows = ran.stderr.split("\n").filter((row) => /^ {2}(?:fee|balance) /.test(row));
  const asked = ran.requests
    .filter(({ target }) => target.endsWith("/rpc"))
    .map(({ body }) => JSON.parse(body ?? "").method);
  return { rows: rows.map((row) => row.trim().replace(/ {2,}/, ": ").replace(/ {2,}/, ", ")), asked, ran };
}

describe("the preview shows the fee, and the balance before and after", () => {
  test("at a speed: the base fee and the mean tip, for the gas of a transfer", async () => {
    const service = chainOf({ node: { eth_feeHistory: FEES } });
    expect(await shown(`evm-1 --to ${TO} --value 1eth --speed fast`, service)).toMatchObject({
      rows: ["fee: about 0.0002415 ETH, fast, 11.5 gwei × 21000", "balance: 10 ETH → about 8.9997585 ETH"],
      asked: ["eth_feeHistory", "eth_simulateV1"],
    });
  });

  test("also after an interview", async () => {
    const answers = [TO, "1eth", "a speed: the service sets the price", "average", false];
    const service = chainOf({ node: { eth_feeHistory: FEES } });
    expect((await shown("evm-1", service, { answers })).rows).toContain("balance: 10 ETH → about 8.9997585 ETH");
  });

  test("with a price limited by the relayer's cap", async () => {
    const service = chainOf({ node: { eth_feeHistory: FEES }, policies: { gas_price_cap: 5_000_000_000 } });
    expect((await shown(`evm-1 --to ${TO} --value 1eth --speed fast`, service)).rows[0]).toBe(
      "fee: about 0.000105 ETH, fast, 5 gwei × 21000",
    );
  });

  test.each([
    ["safeLow", "20 gwei"],
    ["average", "25 gwei"],
    ["fast", "30 gwei"],
    ["fastest", "40 gwei"],
  ])("without EIP-1559: the share of the gas price for speed %s", async (speed, price) => {
    const service = chainOf({ node: { eth_gasPrice: hex(20n * GWEI) }, policies: { eip1559_pricing: false } });
    const { rows, asked } = await shown(`evm-1 --to ${TO} --value 1eth --speed ${speed}`, service);
    expect(rows[0]).toContain(`, ${speed}, ${price} × 21000`);
    expect(asked).toEqual(["eth_gasPrice", "eth_simulateV1"]);
  });

  test("with a typed price: no market data, but the node's gas estimate for a call", async () => {
    const service = chainOf({ node: { eth_estimateGas: "0xc350" } });
    const { rows, asked, ran } = await shown(`evm-1 --to ${TO} --value 5wei --data 0x60 --gas-price 2gwei`, service);
    expect(rows[0]).toBe("fee: about 0.0001 ETH, 2 gwei × 50000");
    expect(asked).toEqual(["eth_estimateGas", "eth_simulateV1"]);
    expect(ran.requests.map(({ body }) => body).join("")).toContain(
      `"params":[{"from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","to":"${TO}","data":"0x60","value":"0x5"}]`,
    );
  });

  test("with a max fee: the maximum cost", async () => {
    const line = `evm-1 --to ${TO} --value 1eth --gas-limit 100000 --max-fee-per-gas 30gwei --max-priority-fee-per-gas 1gwei`;
    expect((await shown(line, chainOf({}))).rows).toEqual([
      "fee: at most 0.003 ETH, 30 gwei × 100000",
      "balance: 10 ETH → at least 8.997 ETH",
    ]);
  });

  test.each([
    ["refuses the call", {}],
    ["returns no tips", { eth_feeHistory: { ...FEES, reward: null } }],
    ["returns invalid data", { eth_feeHistory: "0x", eth_estimateGas: [] }],
  ])("as a fee set by the service if the node %s", async (_, node) => {
    expect((await shown(`evm-1 --to ${TO} --value 1eth --speed fast`, chainOf({ node }))).rows).toEqual([
      "fee: set by the service",
      "balance: 10 ETH → 9 ETH, less the fee",
    ]);
  });

  test("with an unknown remainder for instructions", async () => {
    const files = {
      "i.json": '[{"program_id":"MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr","accounts":[],"data":"AQI="}]',
    };
    expect((await shown("sol-1 --instructions i.json", chainOf({}), { files })).rows).toEqual([
      "fee: set by the service",
      "balance: 10 SOL; what is left is not known: the instructions contain the amounts",
    ]);
  });

  test("with the market data of the embedded server", async () => {
    const ran = await cli(`tx send polygon-bulk --to ${TO} --value 1pol --speed fast`, {
      terminal: true,
      answers: [false],
    });
    expect(ran.stderr).toMatch(/^ {2}fee {6}about [\d.]+ POL +fast, [\d.]+ gwei × 21000$/m);
    expect(ran.stderr).toMatch(/^ {2}balance {2}[\d.]+ POL → about [\d.]+ POL$/m);
  });
});

describe("the native payments of Stellar operations are added up", () => {
  const pay = (amount: string, asset: object = { type: "native" }) => ({
    type: "payment",
    destination: ACCOUNT,
    amount,
    asset,
  });
  const USDC = { type: "credit4", code: "USDC", issuer: ACCOUNT };
  const line = "tx send xlm-1 --network testnet --operations ops.json";
  const send = (operations: readonly object[], flags = "") =>
    cli(`${line}${flags} --yes`, { service: chainOf({}), files: { "ops.json": JSON.stringify(operations) } });

  test("more than the balance is rejected", async () => {
    const ran = await exited({ exitCode: 2, writes: [] }, send([pay("60000000"), pay("40000001")]));
    expect(ran.stderr).toContain("is more than the balance of xlm-1, 10 XLM\n");
  });

  test.each([
    ["a token payment does not count", [pay("100000001", USDC)], ""],
    ["a payment from another account does not count", [pay("100000001")], ` --source-account ${ACCOUNT}`],
  ])("%s", async (_, operations, flags) => expect((await send(operations, flags)).writes).toHaveLength(1));
});

describe("the balance without a terminal", () => {
  const pay = (flags: string, chain: Chain = {}) =>
    cli(`tx send evm-1 --to ${TO} --yes ${flags}`, { service: chainOf(chain) });

  test("is the only extra read besides the coin", async () => {
    const ran = await pay("--value 5wei --speed fast -o json");
    expect(ran.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/relayers/evm-1",
      "GET /api/v1/relayers/evm-1/balance",
      "GET /api/v1/networks/evm%3Alocalhost-anvil",
      "POST /api/v1/relayers/evm-1/transactions",
    ]);
  });

  test("is not read for a value of 0", async () => {
    const ran = await pay("--value 0 --speed fast");
    expect(ran.requests.filter(({ target }) => target.endsWith("/balance"))).toEqual([]);
    expect(ran.writes).toHaveLength(1);
  });

  test.each(["--value 10000000000000000001wei", "--value 10.5eth"])("must cover the amount: %s", async (flags) => {
    const ran = await exited({ exitCode: 2, writes: [] }, pay(`${flags} --speed fast -o json`));
    expect(printedError(ran.stderr)).toMatchObject({
      code: "usage",
      applied: "no",
      hint: "relayctl relayers balance evm-1",
      details: [{ where: "--value", rule: "is more than the balance of evm-1, 10 ETH" }],
    });
  });

  test("is checked before the question on a terminal", () =>
    ends({ exitCode: 2, writes: [], questions: [] }, `tx send evm-1 --to ${TO} --value 11eth --speed fast`, {
      service: chainOf({}),
      terminal: true,
    }));

  test("below the amount plus the fee causes a warning", async () => {
    const ran = await pay("--value 10eth --gas-price 1gwei");
    expect(ran.writes).toHaveLength(1);
    expect(ran.stderr).toContain(
      "warning: the amount and the fee, about 0.000021 ETH (1 gwei × 21000), are more than the balance, 10 ETH\n",
    );
  });

  test.each([
    ["null", "null"],
    ["not a number", '{"balance":null,"unit":"wei"}'],
  ])("that is %s causes a note, and the request is sent", async (_, balance) => {
    const ran = await pay("--value 11eth --speed fast", { balance });
    expect(ran.stderr).toContain("note: the balance of evm-1 could not be read");
    expect(ran.writes).toHaveLength(1);
  });

  test("is awaited for five seconds, and then the request is sent", async () => {
    const clock = steppedClock();
    const hanging: Transport = async (request, limits) => {
      if (!request.target.endsWith("/balance")) return await chainOf({})(request, limits);
      await new Promise((resolve) => limits.signal.addEventListener("abort", resolve));
      throw new TransportFailure("timeout", "no response in time", { sent: true });
    };
    const made = testApp({ service: hanging, clock });
    const ended = runHere(made, ["tx", "send", "evm-1", "--to", TO, "--yes", "--value", "5wei", "--speed", "fast"]);
    while (made.requests.length < 2) await setImmediate();
    await clock.pass(4_999);
    expect(made.requests).toHaveLength(2);
    await clock.pass(1);
    while (made.requests.length < 4) await setImmediate();
    expect(made.requests.map(({ method }) => method)).toEqual(["GET", "GET", "GET", "POST"]);
    expect((await ended).stderr).toContain("note: the balance of evm-1 could not be read");
  });

  test("is not read in a dry run", () =>
    exited({ exitCode: 0, requests: [] }, pay("--value 11eth --speed fast --dry-run")));
});
