import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends, exits, says, type World } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";

async function sent(line: string | readonly string[], world: World = {}): Promise<string | undefined> {
  const ran = await exits(0, line, world);
  return ran.writes[0]?.body;
}

/** Hand-written: what each typed value has to be on the wire. */
const FIELDS: readonly [string, string, string][] = [
  ["eth-main-1", "eip1559_pricing=false", '{"eip1559_pricing":false}'],
  ["eth-main-1", "gas_limit_estimation=false", '{"gas_limit_estimation":false}'],
  [
    "eth-main-1",
    "min_balance=340282366920938463463374607431768211455",
    '{"min_balance":340282366920938463463374607431768211455}',
  ],
  ["eth-main-1", "min_balance=1.5eth", '{"min_balance":1500000000000000000}'],
  ["eth-main-1", "min_balance=0x10", '{"min_balance":16}'],
  ["eth-main-1", "private_transactions=true", '{"private_transactions":true}'],
  [
    "eth-main-1",
    'whitelist_receivers=["0x8617E340B3D01FA5F11F306F4090FD50E238070D"]',
    '{"whitelist_receivers":["0x8617E340B3D01FA5F11F306F4090FD50E238070D"]}',
  ],
  ["eth-main-1", "include_revert_data=true", '{"include_revert_data":true}'],
  [
    "sol-pay",
    'allowed_programs=["11111111111111111111111111111111"]',
    '{"allowed_programs":["11111111111111111111111111111111"]}',
  ],
  ["sol-pay", "max_signatures=255", '{"max_signatures":255}'],
  ["sol-pay", "max_tx_data_size=1232", '{"max_tx_data_size":1232}'],
  ["sol-pay", "min_balance=0.02sol", '{"min_balance":20000000}'],
  [
    "sol-pay",
    'allowed_tokens=[{"mint":"11111111111111111111111111111111"}]',
    '{"allowed_tokens":[{"mint":"11111111111111111111111111111111"}]}',
  ],
  ["sol-pay", "fee_payment_strategy=relayer", '{"fee_payment_strategy":"relayer"}'],
  ["sol-pay", "fee_margin_percentage=2.50", '{"fee_margin_percentage":2.50}'],
  [
    "sol-pay",
    'disallowed_accounts=["11111111111111111111111111111111"]',
    '{"disallowed_accounts":["11111111111111111111111111111111"]}',
  ],
  ["sol-pay", "max_allowed_fee_lamports=18446744073709551615", '{"max_allowed_fee_lamports":18446744073709551615}'],
  ["sol-pay", "swap_config.strategy=noop", '{"swap_config":{"strategy":"noop"}}'],
  ["sol-pay", "swap_config.min_balance_threshold=1sol", '{"swap_config":{"min_balance_threshold":1000000000}}'],
  ["sol-pay", 'swap_config={"cron_schedule":"0 0 * * * *"}', '{"swap_config":{"cron_schedule":"0 0 * * * *"}}'],
  ["xlm-treasury", "fee_payment_strategy=user", '{"fee_payment_strategy":"user"}'],
  ["xlm-treasury", "max_fee=4294967295", '{"max_fee":4294967295}'],
  ["xlm-treasury", "min_balance=200xlm", '{"min_balance":2000000000}'],
  ["xlm-treasury", "timeout_seconds=18446744073709551615", '{"timeout_seconds":18446744073709551615}'],
  ["xlm-treasury", "concurrent_transactions=true", '{"concurrent_transactions":true}'],
  ["xlm-treasury", "slippage_percentage=0.5", '{"slippage_percentage":0.5}'],
];

describe("--policy key=value parses the value by the type of the policy", () => {
  test.each(FIELDS)("%s %s", async (id, pair, policies) => {
    expect(await sent(["relayers", "update", id, "--policy", pair])).toBe(`{"policies":${policies}}`);
  });

  test("also within an object within an object", async () => {
    const pairs = ["strategy=jupiter-swap", "jupiter_swap_options.dynamic_compute_unit_limit=true"];
    const flags = pairs.flatMap((pair) => ["--policy", `swap_config.${pair}`]);
    expect(await sent(["relayers", "update", "sol-pay", ...flags])).toBe(
      '{"policies":{"swap_config":{"strategy":"jupiter-swap","jupiter_swap_options":{"dynamic_compute_unit_limit":true}}}}',
    );
  });

  test.each([
    ["eth-main-1", "gas_price_cap=1e18", "--policy gas_price_cap 1e18: needs digits, optionally with a unit"],
    ["eth-main-1", "gas_price_cap=0.5", "--policy gas_price_cap 0.5: needs a unit or a whole number of wei"],
    ["eth-main-1", "gas_price_cap=1xlm", "has an unknown unit; known: wei"],
    ["eth-main-1", "eip1559_pricing=yes", "--policy eip1559_pricing yes: true or false"],
    ["eth-main-1", "whitelist_receivers=0x12,", "--policy whitelist_receivers 0x12,: has an empty entry; needs words"],
    ["eth-main-1", 'whitelist_receivers={"a":1}', "--policy whitelist_receivers: a list of addresses"],
    ["sol-pay", "max_signatures=256", "--policy max_signatures 256: a whole number from 0 to 255"],
    [
      "sol-pay",
      "fee_margin_percentage=1e3",
      "--policy fee_margin_percentage 1e3: a number of 0 or more, without an exponent",
    ],
    [
      "sol-pay",
      "swap_config.strategy=best",
      "--policy swap_config.strategy best: one of jupiter-swap, jupiter-ultra, noop",
    ],
    [
      "xlm-treasury",
      "gas_price_cap=1",
      "--policy gas_price_cap: unknown policy for stellar relayers; known: fee_payment_strategy, min_balance, max_fee,",
    ],
    [
      "eth-main-1",
      "swap_config.strategy=noop",
      "unknown policy for evm relayers; known: eip1559_pricing, gas_limit_estimation, gas_price_cap,",
    ],
    ["sol-pay", "__proto__=1", "--policy __proto__: unknown policy for solana relayers; closest: "],
  ])("%s rejects %s", (id, pair, words) =>
    says({ exitCode: 2, writes: [] }, ["relayers", "update", id, "--policy", pair], words),
  );
});

describe("a list of words", () => {
  const [ONE, TWO] = ["0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"];

  test.each([
    [[`whitelist_receivers=${ONE}`], [ONE]],
    [[`whitelist_receivers=${ONE}, ${TWO}`], [ONE, TWO]],
    [
      [`whitelist_receivers=${ONE}`, "min_balance=5", `whitelist_receivers=${TWO}`],
      [ONE, TWO],
    ],
    [[`whitelist_receivers=["${ONE}"]`], [ONE]],
  ])("takes commas, repeats, or JSON: %j", async (pairs, receivers) => {
    const argv = ["relayers", "update", "eth-main-1", "--yes", ...pairs.flatMap((pair) => ["--policy", pair])];
    const [write] = (await cli(argv)).writes;
    expect(JSON.parse(write?.body ?? "").policies.whitelist_receivers).toEqual(receivers);
  });

  test("is not combined from JSON and words", async () => {
    const pairs = ["--policy", `whitelist_receivers=["${ONE}"]`, "--policy", `whitelist_receivers=${TWO}`];
    const ran = await ends({ exitCode: 2, writes: [] }, ["relayers", "update", "eth-main-1", ...pairs]);
    expect(ran.stderr).toContain("whitelist_receivers is already specified");
  });
});

describe("policies from files", () => {
  const files = {
    "whole.json": '{"name":"x","policies":{"gas_price_cap":70000000000,"eip1559_pricing":null}}',
    "bad.json": '{"foo":1,"gas_price_cap":"much"}',
    "text.json": '{"policies":"all"}',
  };

  test("have fields that flags override", async () => {
    const p = { "p.json": '{"gas_price_cap":1,"private_transactions":true}' };
    expect(
      await sent(
        "relayers update eth-main-1 --policies p.json --policy gas_price_cap=2gwei --unset-policy min_balance",
        {
          files: p,
        },
      ),
    ).toBe('{"policies":{"gas_price_cap":2000000000,"private_transactions":true,"min_balance":null}}');
  });

  test("override the file of -f, and flags override both", async () => {
    const p = { ...files, "p.json": '{"gas_price_cap":80000000008}' };
    expect(
      await sent("relayers update eth-main-1 -f whole.json --policies p.json --name y --paused", { files: p }),
    ).toBe('{"name":"y","paused":true,"policies":{"gas_price_cap":80000000008,"eip1559_pricing":null}}');
  });

  test("can come from stdin", async () =>
    expect(await sent("relayers update eth-main-1 --policies -", { stdin: '{"gas_price_cap":90000000000}' })).toBe(
      '{"policies":{"gas_price_cap":90000000000}}',
    ));

  test.each(["--policies -", "-f -"])("may have amounts of wei as strings, like the service: %s", async (flag) => {
    const policies = `{"gas_price_cap":"90000000000","min_balance":"${2n ** 128n - 1n}"}`;
    const stdin = flag === "-f -" ? `{"policies":${policies}}` : policies;
    expect(await sent(`relayers update eth-main-1 ${flag}`, { stdin })).toBe(
      `{"policies":{"gas_price_cap":90000000000,"min_balance":${2n ** 128n - 1n}}}`,
    );
  });

  test.each([
    ["eth-main-1", '{"min_balance":"1e9"}', "stdin min_balance 1e9: a whole number of wei"],
    ["xlm-treasury", '{"min_balance":"5"}', "stdin min_balance 5: a whole number of stroop"],
  ])("may have no other strings as amounts: %s %s", async (id, stdin, words) => {
    const ran = await cli(`relayers update ${id} --policies -`, { stdin });
    expect(ran).toMatchObject({ exitCode: 2, writes: [], stderr: expect.stringContaining(words) });
  });

  test("have errors with the name of the file", async () => {
    const ran = await ends({ exitCode: 2, writes: [] }, "relayers update eth-main-1 --policies bad.json", { files });
    expect(ran.stderr).toContain("bad.json foo: unknown policy for evm relayers; known: eip1559_pricing,");
    expect(ran.stderr).toContain("bad.json gas_price_cap much: a whole number of wei from 0");
    expect((await cli("relayers update eth-main-1 -f text.json", { files })).stderr).toContain(
      "text.json policies all: must be an object",
    );
  });
});

describe("the network type of the relayer", () => {
  const xlm = '{"id":"r1","network_type":"stellar","policies":{}}';
  const patched = '{"id":"r1","network_type":"stellar","policies":{"max_fee":1000000}}';

  /** A service with the interface only: a list and a PATCH, and no lookup. */
  const service: Transport = async ({ method, target }) => {
    if (method === "PATCH") return reply(200, `{"success":true,"data":${patched},"error":null}`);
    if (!target.startsWith("/api/v1/relayers?")) return reply(404, "");
    return reply(
      200,
      `{"success":true,"data":[${xlm}],"pagination":{"current_page":1,"per_page":100,"total_items":1}}`,
    );
  };

  test("is read with the relayer", async () => {
    const ran = await cli("relayers update xlm-treasury --policy max_fee=0.1xlm");
    expect(ran.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/relayers/xlm-treasury",
      "PATCH /api/v1/relayers/xlm-treasury",
    ]);
  });

  test("is read from the list if the service cannot return a single relayer", async () => {
    const ran = await exits(0, "relayers update r1 --policy max_fee=0.1xlm", { service });
    expect(ran.writes[0]?.body).toBe('{"policies":{"max_fee":1000000}}');
  });

  test("is not read with --network-type", async () =>
    expect(
      (await cli("relayers update r1 --policy max_fee=0.1xlm --network-type stellar", { service })).requests,
    ).toHaveLength(1));

  test("is taken from --network-type in a dry run, which else accepts policies of any type", async () => {
    const ran = await cli("relayers update r1 --policy fee_payment_strategy=user --network-type evm -n");
    expect(ran.stderr).toContain("unknown policy for evm relayers");
    expect((await cli("relayers update r1 --policy foo=1 -n")).exitCode).toBe(2);
    const beyond = await cli("relayers update r1 --policy max_signatures=256 -n");
    expect(beyond.stderr).toContain("max_signatures 256: a whole number from 0 to 255");
  });
});
