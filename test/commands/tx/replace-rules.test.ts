import { SERIALIZED } from "../../contract/solana-transaction.ts";
import { cli, ends } from "../../helpers/cli.ts";
import { answering, evmRecord, one, relayerRecord, solanaRecord, stellarRecord, TO } from "./wire.ts";

const TX = "tx replace r1 t1";
const PAY = `--to ${TO} --value 5`;
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";

/** The interface allows each of these (docs/project/decisions/0056-warn-about-replacements-that-only-the-real-service-rejects.md). */
describe("a warning reports what only the real service rejects", () => {
  const files = {
    "unknown.json": '[{"type":"bump_sequence"}]',
  };

  test.each([
    [
      "--value 5 --speed fast",
      "--to: Both txs `to` and `data` fields are missing. At least one of them has to be set.",
    ],
    [PAY, "--speed: Transaction must specify either gasPrice, speed, or EIP1559 parameters"],
    [
      `${PAY} --max-fee-per-gas 1gwei`,
      "--max-fee-per-gas: EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas",
    ],
    [`${PAY} --gas-limit 0`, "--gas-limit: gas_limit is too low, intrinsic gas is 21000 and gas_limit is 0"],
    [`${PAY} --gas-price 18446744073709551616`, "--gas-price: a whole number of wei from 0 to 18446744073709551615"],
    ["--network mainnet", "--operations: Must provide either operations or transaction_xdr"],
    ["--network mainnet --transaction-xdr AAAA", "--transaction-xdr: Invalid XDR"],
    ["--network mainnet --operations unknown.json", "--operations (0.type): one of payment"],
  ])("%s", async (flags, words) => {
    const ran = await ends({ exitCode: 0, requests: [] }, `${TX} ${flags} --dry-run`, { files });
    expect(ran.stderr).toContain(`warning: services up to v1.8 refuse ${words}`);
  });

  test("no warning is shown for a large value or for the hash of a memo", async () => {
    const evm = await cli(`${TX} --to ${TO} --value 18446744073709551616 --speed fast --dry-run`);
    const memo = `--network mainnet --transaction-xdr AAAAAgAAAAA= --memo hash:${"00".repeat(32)}`;
    for (const ran of [evm, await cli(`${TX} ${memo} --dry-run`)])
      expect(ran).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining("warning") });
  });

  test.each([
    ["an unreadable transaction", {}],
    ["a transaction in the format of the interface", { is_canceled: undefined, value: "1000" }],
    ["a transaction of a service before v1.6", { is_canceled: undefined }],
  ])("warns for %s", async (_, fields) => {
    const record = evmRecord({ id: "t1", relayer_id: "r1", ...fields });
    const routes = { "PUT /relayers/r1/transactions/t1": one({ id: "t1", hash: "0x1" }) };
    const read = Object.keys(fields).length > 0 && { "GET /relayers/r1/transactions/t1": one(record) };
    const ran = await cli(`${TX} ${PAY} --yes`, { service: answering({ ...routes, ...read }) });
    expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "PUT" }] });
    expect(ran.stderr).toContain("warning: services up to v1.8 refuse --speed: Transaction must specify either");
  });

  test("warns if Stellar's sequence number is an integer, as before v1.6 and in the demo", async () => {
    const line = "tx replace xlm-treasury 4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5 --network mainnet --operations - --yes";
    const ran = await cli(`--demo ${line}`, { stdin: '[{"type":"manage_data","name":"x"}]' });
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("refuse --operations (0.type): one of") });
  });
});

/** The record has members that the interface does not have (facts 5.2). */
describe("a body is rejected if the transaction comes from the real service", () => {
  const evm = evmRecord({ id: "t1", relayer_id: "r1" });
  const files = { "ops.json": '[{"type":"payment","destination":"GX","amount":"5","asset":{"type":"native"}}]' };
  const refused = async (flags: string, record: object) => {
    const service = answering({ "GET /relayers/r1/transactions/t1": one(record) });
    const ran = await ends({ exitCode: 2, writes: [], stdout: "" }, `${TX} ${flags}`, { service, files });
    expect(ran.stderr).not.toContain("warning");
    return ran.stderr;
  };

  test.each([
    [
      `${PAY} --max-fee-per-gas 1gwei`,
      "--max-fee-per-gas 1gwei = 1000000000 wei: EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas",
    ],
    [
      `${PAY} --gas-limit 0 --speed fast`,
      "--gas-limit 0: gas_limit is too low, intrinsic gas is 21000 and gas_limit is 0",
    ],
    [`${PAY} --gas-price ${2n ** 64n}`, `--gas-price ${2n ** 64n}: a whole number of wei from 0 to ${2n ** 64n - 1n}`],
  ])("EVM: %s", async (flags, words) => expect(await refused(`${flags} --yes`, evm)).toContain(words));

  test("validates inherited fields, even in a dry run", async () => {
    for (const flag of ["--yes", "--dry-run"])
      expect(await refused(`--inherit ${flag}`, evm)).toContain("--speed: Transaction must specify either gasPrice,");
  });

  test("Stellar operations, and a Solana transaction", async () => {
    const stellar = stellarRecord({ id: "t1", relayer_id: "r1" });
    expect(await refused("--network testnet --operations ops.json --yes", stellar)).toContain(
      "--operations (0.destination) GX: has 2 characters; an address that begins with G has 56",
    );
    const solana = solanaRecord({ id: "t1" });
    expect(await refused("--transaction AQAB --yes", solana)).toContain("--transaction AQAB: Failed to decode");
  });
});

describe("the relayer is checked on every network type", () => {
  const service = (transaction: object, relayer: object) =>
    answering({
      "GET /relayers/r1/transactions/t1": one(transaction),
      "GET /relayers/r1": one(relayerRecord({ id: "r1", ...relayer })),
    });
  const stellar = { network: "testnet", network_type: "stellar", address: ACCOUNT };
  const XDR = "--transaction-xdr AAAAAgAAAAA=";

  test.each([
    [`--network nowhere ${XDR}`, {}, 2, "--network nowhere: r1 is on testnet, and the transaction would be sent there"],
    [`--network testnet ${XDR}`, { paused: true }, 6, "error: Relayer paused"],
  ])("Stellar: %s %o", async (flags, fields, exitCode, words) => {
    const world = { service: service(stellarRecord({ id: "t1", relayer_id: "r1" }), { ...stellar, ...fields }) };
    await ends({ exitCode, writes: [], stderr: expect.stringContaining(words) }, `${TX} ${flags} --yes`, world);
  });

  test("EVM: reports the pause before missing fields, like the service", async () => {
    const world = { service: service(evmRecord({ id: "t1", relayer_id: "r1" }), { paused: true }) };
    const ran = await cli(`${TX} ${PAY} --yes`, world);
    expect(ran).toMatchObject({ exitCode: 6, writes: [], stderr: expect.stringContaining("error: Relayer paused") });
  });

  test("Solana: rejects a disabled relayer", async () => {
    const disabled = { network: "devnet", network_type: "solana", system_disabled: true };
    const ran = await cli(`${TX} --transaction ${SERIALIZED} --yes`, {
      service: service(solanaRecord({ id: "t1" }), disabled),
    });
    expect(ran).toMatchObject({ exitCode: 6, writes: [], stderr: expect.stringContaining("error: Relayer disabled") });
  });
});
