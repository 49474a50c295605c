import { cli, type World } from "../helpers/cli.ts";

const TX = "tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const STELLAR = "tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5 --network mainnet";
const FILES = {
  "empty.key": "",
  "line-end.key": "\n",
  "no.json": '{\n  "paused": nope\n}',
  "twice.json": '{"paused":true,"paused":false}',
  "list.json": "[1]",
  "wrong.json": '{"paused":"yes","nmae":"x","notification_id":5}',
  "masked.json": '{"custom_rpc_urls":[{"url":"https://rpc.example.org/***"}]}',
  "speed.json": '{"value":1,"speed":"fst"}',
  "replace.json": '{"value":-1,"speed":"quick"}',
  "policies.json": '{"min_balance":"much","foo":1}',
};

/** The mistake is in the words, so relayctl neither reads nor writes. */
async function refused(line: string | string[], world: World = {}): Promise<string> {
  const ran = await cli(line, { files: FILES, ...world });
  expect({ exitCode: ran.exitCode, stdout: ran.stdout, requests: ran.requests.length }, ran.stderr).toEqual({
    exitCode: 2,
    stdout: "",
    requests: 0,
  });
  return ran.stderr;
}

describe("an invalid replacement is rejected before it is sent", () => {
  test.each([
    [`${TX} --value 0.1`, "--value 0.1: needs a unit or a whole number of wei, e.g. 0.1eth"],
    [
      `${TX} --value 1.5gweis`,
      "--value 1.5gweis: has an unknown unit (did you mean gwei?); known: wei, kwei, mwei, gwei, eth, ether",
    ],
    [`${TX} --value ''`, "--value (empty): needs digits"],
    [`${TX} --value 1 --gas-limit 1.5`, "--gas-limit 1.5: a whole number of gas"],
    [`${TX} --value 1 --data 0xab --gas-limit ''`, "--gas-limit: is empty; --no-gas-limit sends null"],
    [`${STELLAR} --source-account ''`, "--source-account: is empty; --no-source-account sends null"],
    [`${TX} -f ''`, "a file: needs a file name, or - for stdin"],
    [`${TX} -f speed.json`, "speed.json speed fst: one of fastest, fast, average, safeLow (did you mean fast?)"],
    [`${TX} --value 1 --data 0xabcd`, "--data: needs --gas-limit"],
    [`${TX} --value 1 --valid-until ''`, "--valid-until: is empty; --no-valid-until sends null"],
    [`${STELLAR} --operations list.json --memo none`, "--operations (0) 1: must be an object"],
    [`${STELLAR} --fee-bump --transaction-xdr AAAA`, "--fee-bump: Cannot request fee_bump with unsigned XDR"],
    [`${STELLAR} --memo id:-1`, "--memo id:-1: an id must be a whole number from 0"],
    [`${STELLAR} --memo hash:abcd`, "--memo hash:abcd: a hash has 64 hex digits"],
    [`${STELLAR} --memo note:x`, "--memo note:x: its type must be one of none, text, id, hash, return"],
    [`${STELLAR} --memo none:x`, "--memo none:x: none does not take a value"],
    [`${STELLAR} --max-fee 0.00000001xlm`, "--max-fee 0.00000001xlm: has more decimals than xlm (7 at most)"],
  ])("%s", async (line, words) => expect(await refused(line)).toContain(words));

  test("reports every problem at once, once per flag", async () =>
    expect(await refused(`${TX} --value 0.1 --speed quick --to 0x12 --timeout 30 -o jsno --gas-price 1e9`)).toBe(
      [
        "error: 6 problems, nothing was sent",
        "  --output jsno: one of table, json, ndjson, yaml, csv, tsv, name, raw, prom, markdown, sarif, github (did you mean json?)",
        "  --speed quick: one of fastest, fast, average, safeLow",
        "  --timeout 30: needs a unit, e.g. 30s",
        "  --value 0.1: needs a unit or a whole number of wei, e.g. 0.1eth",
        "  --gas-price 1e9: needs digits, optionally with a unit, e.g. 30gwei, 1.5gwei or 1500000000",
        "  --to 0x12: an address has 40 hex digits, this one has 2",
        "  hint: relayctl tx replace --help",
        "",
      ].join("\n"),
    ));

  test("lists the same problems in details for a script", async () => {
    const { error } = JSON.parse(await refused(`${TX} --value 0.1 --speed quick -o json`));
    expect(error).toMatchObject({ code: "usage", exit_code: 2, applied: "no", retryable: false, http: null });
    expect(error.details).toEqual([
      { where: "--speed", given: "quick", rule: "one of fastest, fast, average, safeLow" },
      { where: "--value", given: "0.1", rule: "needs a unit or a whole number of wei, e.g. 0.1eth" },
    ]);
  });
});

describe("an invalid change of a relayer is rejected before it is sent", () => {
  test.each([
    ["relayers update r1", "nothing to change; specify a field"],
    ["relayers update r1 --diff --yes", "nothing to change"],
    ["relayers update ..", "<id> ..: would change the path of the request"],
    ["relayers update r1 --name ''", "--name: is empty; --no-name sends null"],
    ["relayers update r1 --notification-id ''", "--notification-id: is empty; --no-notification-id sends null"],
    ["relayers update r1 --notification-id a/b", "--notification-id a/b: contains a slash"],
    [
      "relayers update r1 --rpc-url https://a.example --rpc-url https://b.example,weight=101",
      "--rpc-url (2, weight) 101: RPC URL weight must be in range 0-100",
    ],
    [
      "relayers update r1 --rpc-url https://a.example,weight=-1",
      "--rpc-url -1: its weight must be a whole number from 0 to 100",
    ],
    ["relayers update r1 --rpc-url https://a.example,weight=0.5", "--rpc-url 0.5: its weight"],
    ["relayers update r1 --rpc-url https://a.example,wieght=5", "only ,weight=N can follow the URL"],
    [
      "relayers update r1 --rpc-url https://a.example --no-rpc-urls",
      "--rpc-url: cannot be combined with --no-rpc-urls",
    ],
    [
      "relayers update r1 --network-type polkadot --policy gas_price_cap=1",
      "--network-type polkadot: one of evm, solana, stellar",
    ],
    [
      "relayers update r1 --network-type evm --policy gas_price=1",
      "--policy gas_price: unknown policy for evm relayers (did you mean gas_price_cap?); known: eip1559_pricing,",
    ],
    [
      "relayers update r1 --network-type stellar --policy fee_payment_strategy=usr",
      "--policy fee_payment_strategy usr: one of user, relayer (did you mean user?)",
    ],
    ["relayers update r1 --policy gas_price_cap", "--policy gas_price_cap: needs the form key=value"],
    [
      "relayers update r1 --policy gas_price_cap=",
      "--policy gas_price_cap: is empty; relayers update --unset-policy gas_price_cap clears it",
    ],
    [
      "relayers update r1 --policy min_balance=1 --policy min_balance=2",
      "--policy min_balance: min_balance is already specified",
    ],
    [
      "relayers update r1 --policy min_balance=1 --unset-policy min_balance",
      "--unset-policy min_balance: min_balance is already specified",
    ],
    [
      "relayers update r1 --policy swap_config.strategy=noop --unset-policy swap_config",
      "swap_config.strategy is already specified",
    ],
    ["relayers update r1 --reset-policies --policy min_balance=1", "--reset-policies: cannot be combined with"],
    ["relayers update r1 --reset-policies --unset-policy min_balance", "--reset-policies: cannot be combined with"],
    ["relayers update r1 --reset-policies --policies policies.json", "--reset-policies: cannot be combined with"],
    ["relayers update r1 -f no.json", "no.json: is not JSON: expected a value at line 2 column 13"],
    ["relayers update r1 --policies no.json", "no.json: is not JSON: expected a value at line 2 column 13"],
    ["relayers update r1 -f twice.json", "twice.json: is not JSON:"],
    ["relayers update r1 -f list.json", "list.json: does not contain a JSON object"],
    ["relayers update r1 -f absent.json", "absent.json: cannot be read: it does not exist"],
    ["api PATCH /relayers/r1 -f masked.json", "custom_rpc_urls.0.url is masked by the service"],
  ])("%s", async (line, words) => expect(await refused(line)).toContain(words));

  test("reports errors in a file with the name of the file", async () => {
    const told = await refused("relayers update r1 -f wrong.json");
    expect(told).toContain("wrong.json paused yes: true or false");
    expect(told).toContain("wrong.json notification_id 5: must be a string");
    expect(told).toContain("wrong.json: has an unknown field: nmae");
  });

  test("validates policies along with other errors, as far as the network type is known", async () => {
    const told = await refused("relayers update r1 --name '' --policy gas_price_cap=1.5 --policy foo=1");
    expect(told).toContain("3 problems");
    expect(told).toContain("--policy gas_price_cap 1.5: needs a unit or a whole number of wei");
    expect(told).toContain("--policy foo: unknown policy for evm relayers; known: eip1559_pricing,");
  });

  test("never prints the key or the user name and password of an RPC URL", async () => {
    const told = await refused(
      "relayers update r1 --rpc-url ftp://user:pass@rpc.example.org/v2/KEY-IN-PATH,weight=300",
    );
    expect(told).not.toMatch(/pass|KEY-IN-PATH/);
    expect(await refused("notifications create --url //user:pass@host")).not.toContain("pass");
  });
});

describe("an invalid change of a notification is rejected before it is sent", () => {
  test.each([
    ["notifications create", "--url: is required: where deliveries go"],
    ["notifications create --url https://h.example --type email", "--type email: only webhook"],
    [
      "notifications create --url https://h.example --signing-key-file empty.key",
      "--signing-key-file empty.key: the file is empty",
    ],
    ["notifications update n1 --signing-key-file line-end.key", "--signing-key-file line-end.key: the file is empty"],
    ["notifications update n1 --signing-key-file absent.key", "--signing-key-file: cannot be read"],
    ["notifications update n1", "nothing to change; specify a field"],
    [
      "notifications update n1 --remove-signing-key --signing-key-file empty.key",
      "--remove-signing-key: cannot be combined",
    ],
    ["notifications update n1 -i", "-i: prompts for values, but no terminal is attached"],
  ])("%s", async (line, words) => expect(await refused(line)).toContain(words));

  test("never prints a key from a body file", async () => {
    const files = { "b.json": '{"url":"nope","signing_key":"k3y-that-is-a-secret-and-long-enough"}' };
    expect(await refused("notifications create -f b.json", { files })).not.toContain("k3y-that");
  });

  test("does not ask for a key if something else is invalid", async () => {
    for (const flag of ["-i", "--signing-key-file -"]) {
      for (const command of ["create", "update n1"]) {
        const line = `notifications ${command} --url nope ${flag}`;
        expect(await refused(line, { terminal: true })).toContain("--url nope");
      }
    }
  });
});

describe("an invalid list command is rejected before it is sent", () => {
  test.each([
    ["relayers list --page -1", "--page -1: a whole number from 0"],
    ["relayers list --page 1e3", "--page 1e3: a whole number from 0"],
    ["relayers list --page 9007199254740993", "--page 9007199254740993: a whole number from 0 to 9007199254740991"],
    ["relayers list --per-page ''", "--per-page (empty): a whole number from 0"],
    ["relayers list --limit 0", "--limit 0: a whole number from 1"],
    ["relayers list --concurrency 0", "--concurrency 0: a whole number from 1 to 100"],
    ["relayers list --concurrency 101", "--concurrency 101: a whole number from 1 to 100"],
    ["notifications list --concurrency 1.5", "--concurrency 1.5: a whole number from 1 to 100"],
    ["notifications list --concurrency ''", "--concurrency (empty): a whole number from 1 to 100"],
    ["relayers list --fields nmae", "--fields nmae: unknown field of a relayer; closest: name, "],
    ["relayers list --where bar=1", "--where bar: unknown field of a relayer; closest: "],
    ["relayers list --sort bar", "--sort bar: unknown field of a relayer; closest: "],
    ["relayers list --timeout 30", "--timeout 30: needs a unit, e.g. 30s"],
    ["relayers list --retries -1", "--retries -1: must be a whole number from 0 to 10"],
    ["relayers get r1 --fields bar", "--fields bar: unknown field of a relayer"],
    [
      "notifications list --fields bar",
      "--fields bar: unknown field of a notification; known: id, type, url, has_signing_key",
    ],
    ["api GET /relayers --fields id", "--fields id: this result has no known fields"],
    ["relayers list --query [", "--query"],
  ])("%s", async (line, words) => expect(await refused(line)).toContain(words));

  test("rejects unknown fields of a write before the write is sent", async () => {
    expect(await refused("relayers pause eth-main-1 --fields bar")).toContain(
      "--fields bar: unknown field of a relayer",
    );
    expect(await refused(`${TX} --value 1 --yes --fields bar`)).toContain(
      "--fields bar: unknown field of a transaction",
    );
  });

  test("sends page 0 and per_page 0 unchanged, with a note", async () => {
    for (const [flag, note] of [
      ["--page 0", "pages start at 1; page 0 is sent"],
      ["--per-page 0", "a page has at least 1 item; --per-page 0 is sent"],
    ]) {
      const ran = await cli(`relayers list ${flag}`);
      expect(ran.requests).toHaveLength(1);
      expect(ran.stderr).toContain(`note: ${note}`);
    }
  });
});
