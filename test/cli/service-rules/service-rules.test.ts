import { answering, one, relayerRecord } from "../../commands/tx/wire.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { cli } from "../../helpers/cli.ts";
import { bodyFile, expectRefused, type Rule } from "./refused.ts";

const NEW = "relayers create --signer-id s-new --network-type";
const EVM = `${NEW} evm --network sepolia`;
const SOLANA = `${NEW} solana --network devnet --name n`;
const SWAPPING = `${SOLANA.replace("devnet", "mainnet-beta")} --policy swap_config.strategy=jupiter-swap`;
const STELLAR = `${NEW} stellar --network testnet --name n`;
const STRATEGY = "--policy fee_payment_strategy=user";
const ISSUER = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";

const token = (asset: string) => `${STELLAR} ${STRATEGY} --policy 'allowed_tokens=[{"asset":"${asset}"}]'`;
const options = (key: string) => `--policy swap_config.jupiter_swap_options.${key}`;

const FIELDS: readonly Rule[] = [
  [`${EVM} --name ''`, "--name (empty): Name cannot be empty"],
  [`${NEW} evm --name n --network ''`, "--network (empty): Network cannot be empty"],
  [
    "relayers create --network-type evm --network sepolia --name n --signer-id ''",
    "--signer-id (empty): Signer ID cannot be empty",
  ],
  [`${EVM} --name n --id ''`, "--id (empty): ID cannot be empty"],
  [
    `${EVM} --name n --id a.b`,
    "--id a.b: ID must contain only letters, numbers, dashes and underscores and must be at most 36 characters long",
  ],
  [
    `${EVM} --name n --rpc-url https://a.example,weight=101`,
    "--rpc-url (1, weight) 101: RPC URL weight must be in range 0-100",
  ],
];

const SOLANA_POLICIES: readonly Rule[] = [
  [`${SOLANA} --policy 'allowed_accounts=["x"]'`, "Public key must be a valid Solana address"],
  [
    `${SOLANA} --policy swap_config.strategy=jupiter-swap`,
    "--policy swap_config.strategy: JupiterSwap strategy is only supported on mainnet-beta",
  ],
  [`${SOLANA} --policy 'swap_config={"jupiter_swap_options":{"priority_level":""}}'`, "Priority level cannot be empty"],
  [`${SOLANA} ${options("priority_level=low")}`, "Priority level must be one of: medium, high, veryHigh"],
  [`${SWAPPING} ${options("priority_level=high")}`, "Priority Fee Max lamports must be set if priority level is set"],
  [
    `${SWAPPING} ${options("priority_fee_max_lamports=5")}`,
    "Priority level must be set if priority fee max lamports is set",
  ],
];

const STELLAR_POLICIES: readonly Rule[] = [
  [STELLAR, "--policy fee_payment_strategy: Stellar policy is required. fee_payment_strategy is required"],
  ["relayers update r1 --network-type stellar --unset-policy fee_payment_strategy", "Fee payment strategy is required"],
  [token(`:${ISSUER}`), "Asset code must be between 1 and 12 characters"],
  [token(`THIRTEENCHARS:${ISSUER}`), "Asset code must be between 1 and 12 characters"],
  [token(`US-D:${ISSUER}`), "Asset code must contain only alphanumeric characters"],
  [token(`USDC:${ISSUER.replace("G", "X")}`), "Issuer address must start with 'G'"],
  [token(`USDC:${ISSUER.toLowerCase().replace("g", "G")}`), "Issuer address must be a valid Stellar address"],
];

/** Most rules themselves are in test/contract/policy.test.ts. */
describe("the service's rules for relayers are checked before any request", () => {
  test.each([...FIELDS, ...SOLANA_POLICIES, ...STELLAR_POLICIES])("%s: %s", (line, words) =>
    expectRefused(line, words),
  );

  test("in a file", () =>
    expectRefused(
      "relayers update r1 -f body.json",
      "body.json name (empty): Name cannot be empty",
      bodyFile({ name: "" }),
    ));
});

/** facts 4.5: the service validates the merged relayer. It is read for its kind in any case. */
describe("a rule that a policy breaks only together with existing values is checked before the write", () => {
  const solana = { network_type: "solana", network: "devnet" };
  const stellar = { network_type: "stellar", network: "testnet" };

  test.each<[relayer: object, flags: string, words: string]>([
    [solana, "swap_config.strategy=jupiter-ultra", "JupiterUltra strategy is only supported on mainnet-beta"],
    [
      { ...solana, policies: { allowed_accounts: [] } },
      "disallowed_accounts=[]",
      "allowed_accounts and disallowed_accounts cannot be both present",
    ],
    [stellar, "swap_config.cron_schedule=@daily", "Swap config must include at least one strategy"],
  ])("%j --policy %s", async (fields, pair, words) => {
    const service = answering({ "GET /relayers/r1": one(relayerRecord({ id: "r1", policies: {}, ...fields })) });
    const ran = await cli(`relayers update r1 --policy ${pair} --yes`, { service });
    expect(ran).toMatchObject({ exitCode: 2, writes: [], stderr: expect.stringContaining(words) });
  });

  test("reports the relayer's policy that is not on the command line", async () => {
    const held = { ...solana, policies: { swap_config: { strategy: "noop" } } };
    const service = answering({ "GET /relayers/r1": one(relayerRecord({ id: "r1", ...held })) });
    const ran = await cli("relayers update r1 --policy fee_payment_strategy=relayer --yes", { service });
    expect(ran).toMatchObject({ exitCode: 2, writes: [] });
    expect(ran.stderr).toContain("swap_config of r1: Swap config only supported for user fee payment strategy");
    expect(ran.stderr).not.toContain("--policy swap_config");
    const file = { service, stdin: '{"policies":{"fee_payment_strategy":"relayer"}}' };
    expect((await cli("relayers update r1 -f - --yes", file)).stderr).toContain(
      "error: swap_config of r1: Swap config",
    );
  });

  describe("even for a Stellar relayer without policies (recorded: patch stellar policies null)", () => {
    const reset = async (fields: object, flags: string, stdin = '{"policies":null}') => {
      const held = relayerRecord({ id: "r1", policies: { fee_payment_strategy: "user" }, ...fields });
      const service = answering({
        "GET /relayers/r1": one(held),
        "PATCH /relayers/r1": one({ ...held, policies: {} }),
      });
      return await cli(`relayers update r1 ${flags} --confirm r1`, { service, stdin });
    };
    const words = "Stellar policy is required. fee_payment_strategy is required";

    test.each([
      ["--reset-policies", "--reset-policies"],
      ["--reset-policies --network-type stellar", "--reset-policies"],
      ["-f -", "policies"],
    ])("%s", async (flags, place) => {
      const ran = await reset(stellar, flags);
      expect(ran).toMatchObject({ exitCode: 2, writes: [], stderr: expect.stringContaining(`${place}: ${words}`) });
    });

    test.each([
      ["another network type", {}],
      ["a service that does not return the strategy", { ...stellar, policies: { max_fee: 1 } }],
    ])("but not for %s", async (_, fields) => {
      expect(await reset(fields, "--reset-policies")).toMatchObject({ exitCode: 0, writes: [{ method: "PATCH" }] });
    });
  });
});

const HASH = "00".repeat(32);
const XDR = `--transaction-xdr ${envelopeXdr(0)}`;

const FLAGS: readonly Rule[] = [
  [
    `relayers sign-typed-data r1 --domain-separator 11 --hash-struct-message ${HASH}`,
    "--domain-separator 11: Invalid domain separator length: expected 32 bytes, got 1",
  ],
  [`relayers sign-typed-data r1 --domain-separator ${HASH} --hash-struct-message 1122`, "expected 32 bytes, got 2"],
  ["relayers rpc r1 ''", "Missing 'method' field"],
  ["notifications create --url ftp://h/x", "--url ftp://h/x: Invalid URL format"],
  ["notifications update n1 --url javascript:alert(1)", "--url javascript:alert(1): Invalid URL format"],
  ["notifications create --url 'not a url'", "--url not a url: Invalid URL format"],
  ["notifications update n1 --url nope", "--url nope: Invalid URL format"],
  ["networks update evm:sepolia", "--rpc-url: At least one field must be provided for update"],
  ["plugins update p1 --plugin-timeout 0s", "Timeout must be greater than 0"],
  [
    `tx build r1 ${XDR} --fee-token USDC:GABC`,
    "Invalid fee_token structure: Issuer address must be 56 characters long",
  ],
];

const FILES: readonly (readonly [line: string, body: unknown, words: string])[] = [
  ["relayers rpc r1", { params: [] }, "body.json method: Missing 'method' field"],
  ["relayers rpc r1", { method: "eth_call", id: 1.5 }, "Invalid 'id' field: must be a string, integer, or null"],
  ["relayers rpc r1", { method: "eth_call", id: true }, "Invalid 'id' field: must be a string, integer, or null"],
  ["networks update evm:sepolia", {}, "At least one field must be provided for update"],
  ["networks update evm:sepolia", { rpc_urls: [] }, "rpc_urls must contain at least one RPC endpoint"],
  ["plugins update p1", { timeout: 0 }, "body.json timeout 0: Timeout must be greater than 0"],
  ["notifications create", { url: "" }, "body.json url (empty): Invalid URL format"],
  ["notifications update n1", { url: "ftp://h/x" }, "body.json url ftp://h/x: Invalid URL format"],
];

describe("the service's rules for other resources are checked before any request", () => {
  test.each(FLAGS)("%s: %s", (line, words) => expectRefused(line, words));

  test.each(FILES)("%s -f %j: %s", (line, body, words) => expectRefused(`${line} -f body.json`, words, bodyFile(body)));

  test.each([["zz".repeat(32), "Key must be a 64-character hex string (32 bytes)."]])(
    "for a signer's key of %s: %s",
    (key, words) => expectRefused("signers create --type plain --key-file key.txt", words, { "key.txt": key }),
  );
});
