import { cli, ends, exits, says } from "../../helpers/cli.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { answering, one, relayerRecord, TO } from "./wire.ts";

const SEND = `tx send polygon-bulk --to ${TO} --speed fast`;
const REPLACE = "tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --value 1wei";

describe("a gas price below 1 gwei requires a unit on the command line", () => {
  test.each([
    [`tx send eth-main-1 --to ${TO} --value 1 --gas-price 120`, "--gas-price 120"],
    [`tx send eth-main-1 --to ${TO} --value 1 --gas-price 0x78`, "--gas-price 0x78"],
    [
      `tx send eth-main-1 --to ${TO} --value 1 --max-fee-per-gas 120 --max-priority-fee-per-gas 1gwei`,
      "--max-fee-per-gas 120",
    ],
    [
      `tx send eth-main-1 --to ${TO} --value 1 --max-fee-per-gas 5gwei --max-priority-fee-per-gas 120`,
      "--max-priority-fee-per-gas 120",
    ],
    [`${REPLACE} --gas-price 120`, "--gas-price 120"],
    [`${REPLACE} --max-fee-per-gas 120`, "--max-fee-per-gas 120"],
    [`${REPLACE} --max-priority-fee-per-gas 120`, "--max-priority-fee-per-gas 120"],
    ["relayers update eth-main-1 --policy gas_price_cap=120", "--policy gas_price_cap 120"],
    ["relayers update eth-main-1 --policy gas_price_cap=120 --network-type evm", "--policy gas_price_cap 120"],
    ["relayers update eth-main-1 --policy gas_price_cap=120 --dry-run", "--policy gas_price_cap 120"],
    ["relayers update eth-main-1 base-hot --policy gas_price_cap=120 --yes", "--policy gas_price_cap 120"],
    [
      "relayers create --name n --network sepolia --network-type evm --signer-id s --policy gas_price_cap=120",
      "--policy gas_price_cap 120",
    ],
  ])("%s", async (line, place) => {
    const ran = await ends({ exitCode: 2, writes: [] }, line);
    expect(ran.stderr).toContain(`${place}: has no unit: did you mean 120gwei? (120wei if you do mean wei)\n`);
  });

  test.each([
    ["--gas-price 120wei", '"gas_price":120'],
    ["--gas-price 0", '"gas_price":0'],
    ["--gas-price 1000000000", '"gas_price":1000000000'],
    ["--gas-price 0.5gwei", '"gas_price":500000000'],
  ])("%s is accepted", async (flags, field) => {
    const ran = await exits(0, `tx send eth-main-1 --to ${TO} --value 1 ${flags} --dry-run`);
    expect(ran.stdout).toContain(field);
  });

  test("integers in files need no unit", async () => {
    const files = { "b.json": `{"to":"${TO}","value":"1","gas_price":120}`, "p.json": '{"gas_price_cap":120}' };
    const sent = await cli("tx send eth-main-1 -f b.json --dry-run", { files });
    expect(sent.stdout).toContain('"gas_price":120');
    const updated = await cli("relayers update eth-main-1 --policies p.json --dry-run", { files });
    expect(updated.stdout).toContain('{"policies":{"gas_price_cap":120}}');
  });
});

describe("a coin as unit must be the coin of the relayer's network", () => {
  test("sends and shows the value in that coin", async () => {
    const ran = await exits(0, `${SEND} --value 0.5pol --yes`);
    expect(ran.writes[0]?.body).toContain('"value":"500000000000000000"');
    expect(ran.stderr).toContain(`queued: 0.5 POL to ${TO}\n`);
  });

  test.each([
    [`${SEND} --value 1eth --yes`, "--value 1eth: the coin of polygon is POL: 1pol"],
    [
      `${SEND} --value 1sol --yes`,
      "--value 1sol: has an unknown unit; known: wei, kwei, mwei, gwei, eth, ether, or the network's own coin",
    ],
    [`${REPLACE.replace("1wei", "1pol")} --speed fast --yes`, "the coin of mainnet is ETH: 1eth"],
    [
      "relayers update polygon-bulk --policy min_balance=1eth",
      "--policy min_balance 1eth: the coin of polygon is POL: 1pol",
    ],
    ["relayers update polygon-bulk --policy min_balance=1eth --network-type evm", "the coin of polygon is POL: 1pol"],
    [
      "relayers update polygon-bulk eth-main-1 --policy min_balance=1eth --yes",
      "--policy min_balance of polygon-bulk 1eth: ",
    ],
    ["relayers update xlm-treasury --policy min_balance=1sol", "the coin of this network is XLM: 1xlm"],
    ["relayers update sol-pay --policy min_balance=1eth", "the coin of this network is SOL: 1sol"],
    [
      "relayers create --name n --network polygon --network-type evm --signer-id s --policy min_balance=1eth",
      "--policy min_balance 1eth: the coin of polygon is POL: 1pol",
    ],
    [
      "relayers create --name n --network polygon --network-type evm --signer-id s --policy min_balance=1eth --dry-run",
      "the coin of polygon is POL: 1pol",
    ],
  ])("rejects %s", (line, words) => says({ exitCode: 2, writes: [] }, line, words));

  test("accepts gwei and wei everywhere", async () => {
    for (const value of ["1gwei", "1000000000wei", "1000000000", "0x3b9aca00"])
      expect((await cli(`${SEND} --value ${value} --yes`)).writes[0]?.body).toContain('"value":"1000000000"');
  });

  test("reports a misspelled unit immediately, and any other unit before confirmation", async () => {
    expect(await cli(`${SEND} --value 5gwie`)).toMatchObject({ exitCode: 2, requests: [] });
    expect(await cli(`${SEND} --value 5foo`)).toMatchObject({ exitCode: 2, writes: [] });
  });

  test("accepts the coin of a network that only the service knows", async () => {
    const relayer = one(relayerRecord({ network: "my-net" }));
    const network = success({ id: "evm:my-net", symbol: "FOO" });
    const service = answering({ "GET /relayers/evm-1": relayer, "GET /networks/evm%3Amy-net": network });
    const ran = await ends({ exitCode: 3, writes: [] }, `tx send evm-1 --to ${TO} --speed fast --value 2foo`, {
      service,
      terminal: true,
      answers: [false],
    });
    expect(ran.stderr).toMatch(/^ {2}amount +2 FOO$/m);
  });

  test("accepts a well-known coin if the network's coin is unknown, and shows amounts in wei", async () => {
    const service = answering({ "GET /relayers/evm-1": one(relayerRecord()), "GET /networks/evm%3Alocal": reply(404) });
    const ran = await cli(`tx send evm-1 --to ${TO} --speed fast --value 2eth`, {
      service,
      terminal: true,
      answers: [false],
    });
    expect(ran.stderr).toContain("note: the coin of local is unknown; its amounts are in wei\n");
    expect(ran.stderr).toMatch(/^ {2}amount +2000000000000000000 wei$/m);
  });

  test("reads nothing in a dry run, and accepts any well-known coin", async () => {
    await ends({ exitCode: 0, requests: [] }, `${SEND} --value 1matic --dry-run`);
    expect(await cli(`${SEND} --value 1foo --dry-run`)).toMatchObject({ exitCode: 2, requests: [] });
    const policy = "relayers update polygon-bulk --policy min_balance";
    expect(await cli(`${policy}=1sol --dry-run`)).toMatchObject({ exitCode: 0, requests: [] });
    expect((await cli(`${policy}=1foo --dry-run`)).exitCode).toBe(2);
  });
});

describe("a prompt for an amount requires a unit", () => {
  test("for a value, a price, and a policy of any size", async () => {
    const answers = ["2", "2wei", "a gas price (legacy)", "30", "30000000000", "30gwei", false];
    const ran = await cli(`tx send polygon-bulk --to ${TO}`, { terminal: true, answers });
    expect(ran.questions).toEqual([
      "Value:",
      "  has no unit: did you mean 2pol? (2wei if you do mean wei)",
      "Value:",
      "Price:",
      "Gas price:",
      "  has no unit: did you mean 30gwei? (30wei if you do mean wei)",
      "Gas price:",
      "  has no unit: did you mean 30000000000gwei? (30000000000wei if you do mean wei)",
      "Gas price:",
      expect.stringMatching(/^(?:Send 0.000000000000000002 POL from|Replace transaction) .+\?$/),
    ]);
  });

  test("for a relayer's policies", async () => {
    const answers = [
      ["gas_price_cap", "min_balance"],
      "set another",
      "120",
      "120gwei",
      "set another",
      "1eth",
      "1",
      "20pol",
      false,
    ];
    const ran = await cli("relayers edit polygon-bulk", { terminal: true, answers });
    expect(ran.questions.filter((line) => line.startsWith("  "))).toEqual([
      "  has no unit: did you mean 120gwei? (120wei if you do mean wei)",
      "  the coin of this network is POL: 1pol",
      "  has no unit: did you mean 1pol? (1wei if you do mean wei)",
    ]);
    expect(ran.stderr).toContain("  min_balance    10 POL → 20 POL\n");
  });
});
