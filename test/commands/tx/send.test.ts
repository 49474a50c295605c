import type { Transport } from "../../../src/client/transport/transport.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { serializedTransaction } from "../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { cli, ends, exited, exitedSaying, SERVER, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { acceptedIn, FOLLOW, SENT } from "../../helpers/receipts.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { sendingService, TRANSACTIONS } from "./sending-service.ts";

const TO = "0xde709f2102306220921060314715629080e2fb77";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const SOLANA = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const HASH = "0123456789abcdef".repeat(4);
const PAYMENT = `[{"type":"payment","destination":"${ACCOUNT}","amount":"10000000","asset":{"type":"native"}}]`;
const PAY = `tx send evm-1 --to ${TO} --value 0.01eth --gas-limit 21000 --speed fast`;

const send = (line: string, world: World = {}) => cli(line, { service: sendingService(), ...world });

/** The body of the one request that would be sent. */
async function body(line: string, world: World = {}): Promise<string> {
  const ran = await exited({ exitCode: 0, requests: [] }, send(`tx send r ${line} --dry-run`, world));
  expect(ran.stdout).toMatch(/^POST \/api\/v1\/relayers\/r\/transactions\n/);
  return ran.stdout.trimEnd().split("\n").at(-1) ?? "";
}

describe("the body of an EVM transaction", () => {
  test.each([
    [`--to ${TO} --value 0.01eth --speed fast`, `{"value":"10000000000000000","to":"${TO}","speed":"fast"}`],
    [`--to ${TO} --value 0 --gas-price 1.5gwei`, `{"value":"0","gas_price":1500000000,"to":"${TO}"}`],
    [
      "--data 0x60 --value 0x10 --gas-limit 60000 --max-fee-per-gas 30gwei --max-priority-fee-per-gas 2gwei",
      '{"value":"16","gas_limit":60000,"max_fee_per_gas":30000000000,"max_priority_fee_per_gas":2000000000,"data":"0x60"}',
    ],
    [
      `--to ${TO} --value ${2n ** 256n - 1n} --gas-price ${2n ** 64n - 1n}`,
      `{"value":"${2n ** 256n - 1n}","gas_price":${2n ** 64n - 1n},"to":"${TO}"}`,
    ],
  ])("%s", async (flags, expected) => expect(await body(flags)).toBe(expected));

  test("a file, with flags over its fields", async () => {
    const files = { "b.json": `{"value":5,"to":"${TO}","speed":"fast"}` };
    expect(await body("-f b.json", { files })).toBe(`{"value":"5","to":"${TO}","speed":"fast"}`);
    expect(await body("-f b.json --value 6 --speed safeLow", { files })).toBe(
      `{"value":"6","to":"${TO}","speed":"safeLow"}`,
    );
    expect(await body("-f -", { stdin: files["b.json"] })).toContain('"value":"5"');
    const unset = `{"to":"${TO}","value":"0x10","speed":"fast","data":null,"gas_limit":null}`;
    expect(await body("-f -", { stdin: unset })).toBe(`{"to":"${TO}","value":"16","speed":"fast","gas_limit":null}`);
  });
});

test("the body of a Solana transaction is a built transaction, or instructions", async () => {
  const files = {
    "i.json": `[{"program_id":"${SOLANA}","accounts":[{"pubkey":"${SOLANA}","is_signer":true,"is_writable":true}],"data":"AQI="}]`,
  };
  expect(
    await body(`--transaction ${serializedTransaction({ payer: SOLANA })} --valid-until 2030-01-01T00:00:00Z`),
  ).toBe(`{"valid_until":"2030-01-01T00:00:00Z","transaction":"${serializedTransaction({ payer: SOLANA })}"}`);
  expect(await body("--instructions i.json", { files })).toBe(`{"instructions":${files["i.json"]}}`);
});

describe("the body of a Stellar transaction", () => {
  const files = { "ops.json": PAYMENT };

  test.each([
    [
      `--network testnet --operations ops.json --memo text:hi --max-fee 0.1xlm --source-account ${ACCOUNT}`,
      `{"source_account":"${ACCOUNT}","memo":{"type":"text","value":"hi"},"max_fee":1000000,"operations":${PAYMENT},"network":"testnet"}`,
    ],
    [
      `--network testnet --operations ops.json --memo hash:${HASH}`,
      `{"memo":{"type":"hash","value":"${HASH}"},"operations":${PAYMENT},"network":"testnet"}`,
    ],
    [
      "--network testnet --operations ops.json --memo id:18446744073709551615",
      `{"memo":{"type":"id","value":18446744073709551615},"operations":${PAYMENT},"network":"testnet"}`,
    ],
    [
      `--network testnet --transaction-xdr ${envelopeXdr(1)} --fee-bump`,
      `{"transaction_xdr":"${envelopeXdr(1)}","fee_bump":true,"network":"testnet"}`,
    ],
    [
      `--network testnet --transaction-xdr ${envelopeXdr(0)} --signed-auth-entry AAAA`,
      `{"transaction_xdr":"${envelopeXdr(0)}","network":"testnet","signed_auth_entry":"AAAA"}`,
    ],
  ])("%s", async (flags, expected) => expect(await body(flags, { files })).toBe(expected));

  test.each([
    {
      type: "invoke_contract",
      contract_address: "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE",
      function_name: "f",
      args: [],
    },
    { type: "create_contract", source: { from: "address", address: ACCOUNT }, wasm_hash: HASH },
    { type: "upload_wasm", wasm: { base64: "AGFzbQ==" } },
  ])("the operation $type from a file", async (operation) => {
    const text = JSON.stringify({ network: "testnet", operations: [operation] });
    expect(await body("-f b.json", { files: { "b.json": text } })).toBe(text);
  });
});

describe("an invalid transaction is rejected immediately, with nothing sent", () => {
  const problems = async (line: string, world: World = {}) => {
    const ran = await exited({ exitCode: 2, requests: [] }, send(`tx send evm-1 ${line} --yes -o json`, world));
    const { error } = JSON.parse(ran.stderr);
    return error.details.map(({ where, rule }: { where: string; rule: string }) => `${where}: ${rule}`);
  };

  test.each([
    ["", ["tx send: needs --value (EVM), --transaction or --instructions (Solana), or --network (Stellar)"]],
    [`--to ${TO} --speed fast`, ["--value: missing field `value`, required for an EVM transaction"]],
    [`--to ${TO} --value 1`, ["--speed: Transaction must specify either gasPrice, speed, or EIP1559 parameters"]],
    [`--to ${TO} --value 1 --gas-price 1.5`, ["--gas-price: needs a unit or a whole number of wei, e.g. 1.5gwei"]],
    [
      "--value 1 --max-fee-per-gas 1gwei",
      [
        "--to: Both txs `to` and `data` fields are missing. At least one of them has to be set.",
        "--max-fee-per-gas: EIP1559 transactions require both maxFeePerGas and maxPriorityFeePerGas",
      ],
    ],
    [
      `--to ${TO} --value 1 --network x`,
      ["--to, --value, --network: belong to different network types (evm, stellar)"],
    ],
    ["--network-type solana --network x", ["--network: cannot be part of a Solana transaction"]],
    ["--network-type solana", ["--transaction: Must provide either transaction or instructions"]],
    [
      `--to ${TO} --value 1 --speed fast --valid-until 2020-01-01T00:00:00Z`,
      ["--valid-until: The validUntil time cannot be in the past"],
    ],
    ["--network testnet --operations ''", ["--operations: is empty"]],
    [
      "--network testnet --operations ops.json",
      [
        "--operations (0.amount): a whole number of stroops from 0 to 9223372036854775807",
        "--operations (0.destination): has 2 characters; an address that begins with G has 56",
      ],
    ],
  ])("%s", async (flags, expected) => {
    const files = {
      "ops.json": '[{"type":"payment","destination":"GX","amount":"1.5","asset":{"type":"native"}}]',
    };
    expect((await problems(flags, { files })).sort()).toEqual([...expected].sort());
  });

  test("a price that is too large, with a note about quotes only for a file", async () => {
    const rule = `a whole number of wei from 0 to ${2n ** 64n - 1n}`;
    expect(await problems(`--to ${TO} --value 1 --gas-price 20eth`)).toEqual([`--gas-price: ${rule}`]);
    const files = { "b.json": `{"to":"${TO}","value":"1","gas_price":"1"}` };
    expect(await problems("-f b.json", { files })).toEqual([`b.json gas_price: ${rule}, without quotes`]);
  });

  test("the first wrong argument of a contract, with its place", async () => {
    const contract = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE";
    const args = '[{"vec":[{"u32":1},{"u32":"5"}]}]';
    const files = {
      "ops.json": `[{"type":"invoke_contract","contract_address":"${contract}","function_name":"f","args":${args}}]`,
    };
    const ran = await send("tx send xlm-1 --network testnet --operations ops.json --yes", { files });
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    expect(ran.stderr).toContain("--operations (0.args.0.vec.1.u32) 5: a whole number of 32 bits, without quotes\n");
  });

  test("a field that the service would silently drop", async () => {
    const files = { "b.json": `{"to":"${TO}","value":"1","speed":"fast","gasLimit":21000}` };
    expect(await problems("-f b.json", { files })).toEqual(["b.json: has an unknown field: gasLimit"]);
  });
});

describe("the relayer is read first, and invalid transactions are not sent", () => {
  const refused = async (line: string, world: World = {}) => {
    const ran = await send(`tx send ${line} --yes`, world);
    expect(ran.writes).toEqual([]);
    expect(new Set(ran.requests.map(({ target }) => target)).size).toBe(1);
    return `${ran.exitCode} ${ran.stderr}`;
  };
  const payment = (to = TO) => `--to ${to} --value 1 --gas-limit 21000`;

  test("for a relayer of another network type", async () =>
    expect(await refused(`sol-1 ${payment()} --speed fast`)).toMatch(
      /^2 error: <relayer-id> sol-1: is a Solana relayer, and this is an EVM transaction\n {2}hint: relayctl relayers get sol-1\n$/,
    ));

  test("for a relayer that is paused and disabled", async () =>
    expect(await refused(`evm-paused ${payment()} --speed fast`)).toBe(
      "6 error: Relayer paused\n  nothing was sent; resume the relayer first\n  hint: relayctl relayers resume evm-paused\n",
    ));

  test("for a disabled relayer", async () =>
    expect(await refused(`evm-disabled ${payment()} --speed fast`)).toMatch(
      /^6 error: Relayer disabled\n {2}disabled by the service: RPC validation failed\n(?:.*\n)* {2}hint: relayctl networks update evm:dead-net --rpc-url URL\n$/,
    ));

  test("for violations of its policies, with all of them", async () => {
    const told = await refused(`evm-listed --to ${TO} --value 1 --gas-price 6gwei`);
    expect(told).toMatch(/^2 error: 3 problems, nothing was sent\n/);
    expect(told).toContain(
      `--to ${TO}: Transaction target address is not whitelisted; allowed: the relayer itself, the zero address, 0x1111111111111111111111111111111111111111\n`,
    );
    expect(told).toContain("--gas-limit: gas_limit is required when gas_limit_estimation policy is disabled\n");
    expect(told).toContain("--gas-price 6gwei = 6000000000 wei: Gas price is too high; the relayer's cap is 5 gwei\n");
    expect(told).toMatch(/\n {2}hint: relayctl relayers get evm-listed\n$/);
  });

  test("for another network than the relayer's, which the service would ignore", async () => {
    const files = { "ops.json": PAYMENT };
    expect(await refused("xlm-1 --network mainnet --operations ops.json", { files })).toMatch(
      /^2 error: --network mainnet: xlm-1 is on testnet, and the transaction would be sent there regardless\n {2}hint: relayctl relayers get xlm-1\n$/,
    );
  });

  test("for a Solana transaction with another fee payer", async () => {
    const other = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
    expect(await refused(`sol-1 --transaction ${serializedTransaction({ payer: other })}`)).toMatch(
      `: Transaction fee payer ${other} does not match relayer address ${SOLANA}`,
    );
  });

  test("for an unknown relayer", async () =>
    expect(await refused(`nope ${payment()} --speed fast`)).toMatch(/^5 error: Relayer with ID nope not found\n/));
});

describe("confirmation", () => {
  test("shows the sender, the receiver, and the amounts on a terminal", async () => {
    const ran = await exited({ exitCode: 3, writes: [] }, send(PAY, { terminal: true, answers: [false] }));
    expect(ran.stderr).toBe(
      [
        `send 0.01 ETH from evm-1 (localhost-anvil) in ${SERVER}`,
        "  from       0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
        `  to         ${TO}`,
        "  gas limit  21000",
        "  speed      fast",
        "  amount     0.01 ETH",
        "  fee        set by the service",
        "  balance    10 ETH → 9.99 ETH, less the fee",
        SENT,
        "Canceled. Nothing was sent.",
        "",
      ].join("\n"),
    );
  });

  test("shows each operation on a line, and a payment with its unit", async () => {
    const usdc = {
      type: "payment",
      destination: ACCOUNT,
      amount: "5",
      asset: { type: "credit4", code: "USDC", issuer: ACCOUNT },
    };
    const files = { "ops.json": JSON.stringify([...JSON.parse(PAYMENT), usdc]) };
    const ran = await send("tx send xlm-1 --network testnet --operations ops.json --max-fee 0.1xlm", {
      files,
      terminal: true,
      answers: [false],
    });
    expect(ran.stderr).toContain(
      [
        "  network     testnet",
        `  operations  pay 1 XLM to ${ACCOUNT}`,
        `              pay 0.0000005 USDC (issued by ${ACCOUNT}) to ${ACCOUNT}`,
        "  max fee     0.1 XLM",
      ].join("\n"),
    );
  });

  test("is not needed for a dry run or curl, nor is a token", async () => {
    const env = { RELAYCTL_SERVER: SERVER };
    for (const flag of ["--dry-run", "--curl"])
      expect(await send(`${PAY} ${flag}`, { env })).toMatchObject({ exitCode: 0, requests: [], questions: [] });
  });
});

describe("after sending", () => {
  test("prints the transaction, and a receipt with the queued amount and how to follow it", async () => {
    const ran = await exited(0, send(`${PAY} --yes -o json`));
    expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(TRANSACTIONS["evm-1"] ?? ""));
    expect(ran.stderr).toBe(
      [
        `${acceptedIn(SERVER)}74113f56-2641-49c4-8890-bb0ae9b3102d, pending: not signed or broadcast yet`,
        `queued: 0.01 ETH to ${TO}`,
        `${FOLLOW}relayctl tx get evm-1 74113f56-2641-49c4-8890-bb0ae9b3102d`,
        "",
      ].join("\n"),
    );
  });

  test.each([
    ["xlm-1", "--network testnet --operations ops.json"],
    ["sol-1", `--transaction ${serializedTransaction({ payer: SOLANA })}`],
  ])("%s succeeds too", async (relayer, flags) => {
    const ran = await exited(0, send(`tx send ${relayer} ${flags} --yes -o json`, { files: { "ops.json": PAYMENT } }));
    expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(TRANSACTIONS[relayer] ?? ""));
  });

  test("the receipt lists up to five Stellar operations, and long ones by type", async () => {
    const [payment] = JSON.parse(PAYMENT);
    const call = {
      type: "invoke_contract",
      contract_address: "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE",
      function_name: "f",
      args: Array.from({ length: 30 }, () => ({ u64: "1" })),
    };
    const receipt = async (operations: readonly object[]) => {
      const files = { "ops.json": JSON.stringify(operations) };
      const ran = await exited(0, send("tx send xlm-1 --network testnet --operations ops.json --yes", { files }));
      return ran.stderr.split("\n").filter((line) => /^(queued: |and )/.test(line));
    };
    expect(await receipt(Array.from({ length: 7 }, () => payment))).toEqual([
      ...Array.from({ length: 5 }, () => `queued: pay 1 XLM to ${ACCOUNT}`),
      "and 2 more",
    ]);
    expect(await receipt([call])).toEqual(["queued: invoke_contract"]);
  });

  test("a response with another value exits with 14", async () => {
    const ran = await exited(14, send(`${PAY.replace("0.01eth", "0.02eth")} --yes -o json`));
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      applied: "unknown",
      hint: "relayctl tx list evm-1",
    });
  });

  test("a refusal keeps the service's message", async () => {
    const words = "Transaction validation error: Invalid XDR: failed to fill whole buffer";
    const service = sendingService(reply(400, { success: false, data: null, error: words }));
    await exitedSaying(7, send(`${PAY} --yes`, { service }), `error: ${words}\n`);
  });
});

describe("a lost response never causes a second request", () => {
  const failing: [string, Transport][] = [
    ["a gateway timeout", sendingService(reply(504, "Request handler timeout"))],
    ["an unreadable response", sendingService(reply(200, "<html>"))],
    ["a failure without a reason", sendingService(success("null"))],
    [
      "a closed connection",
      async (request, limits) => {
        if (request.method === "POST") throw lost();
        return await sendingService()(request, limits);
      },
    ],
  ];

  test.each(failing)("%s", async (_, service) => {
    const clock = manualClock(Date.parse("2026-11-21T01:38:42Z"));
    const ran = await send(`${PAY} --yes -o json --retries 5`, { service, clock });
    expect(ran.writes).toHaveLength(1);
    expect(ran.exitCode).toBe(11);
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({ applied: "unknown", retryable: false, hint: "relayctl tx list evm-1" });
    expect(error.message).toContain("check the outcome before you send the request again");
    expect(error.message).toContain(
      "the newest transaction of the relayer is 74113f56-2641-49c4-8890-bb0ae9b3102d, pending, of 2026-11-21T01:38:42.682993269+00:00: it matches the request and may be its result",
    );
  });

  test("the error describes a newest transaction that does not match", async () => {
    const service = sendingService(reply(504, "Request handler timeout"));
    const ran = await send(`${PAY.replace("0.01eth", "1")} --yes`, { service });
    expect(ran.stderr).toContain(": it is a different transaction, and the request may still arrive\n");
  });

  /** A clock is an hour later than the newest transaction, and the `Date` of each response is the service's, if any. */
  const losingLate = async (date: string | undefined) => {
    const clock = manualClock(Date.parse("2026-11-21T02:38:42Z"));
    const lossy = sendingService(reply(504, "Request handler timeout"));
    const service: Transport = async (request, limits) => ({
      ...(await lossy(request, limits)),
      ...(date !== undefined && { headers: { date } }),
    });
    return await exited(11, send(`${PAY} --yes`, { service, clock }));
  };

  test("a transaction like it from an hour ago is a different one", async () => {
    const ran = await losingLate("Sat, 21 Nov 2026 02:38:42 GMT");
    expect(ran.stderr).toContain(": it is a different transaction, and the request may still arrive\n");
  });

  test.each([
    ["whose service says that it is new", "Sat, 21 Nov 2026 01:38:43 GMT"],
    ["whose age only this clock shows", undefined],
  ])("a transaction like it %s may be its result, however wrong this clock is", async (_, date) => {
    const ran = await losingLate(date);
    expect(ran.stderr).toContain(": it matches the request and may be its result\n");
  });

  test("the error describes a relayer without transactions, or with an unreadable list", async () => {
    const looking = (list: WireReply): Transport => {
      return async (request, limits) =>
        request.method === "GET" && request.target.includes("/transactions")
          ? list
          : await sendingService(reply(504, "Request handler timeout"))(request, limits);
    };
    const empty = success("[]", { current_page: 1, per_page: 1, total_items: 0 });
    const ran = await send(`${PAY} --yes`, { service: looking(empty) });
    expect(ran.stderr).toMatch(/^ {2}at \S+ the relayer has no transactions$/m);
    expect(await send(`${PAY} --yes`, { service: looking(reply(404)) })).toMatchObject({ exitCode: 11 });
  });
});

describe("--to-relayer", () => {
  const line = (flags: string) => `tx send eth-main-1 --value 0.001eth --speed fast ${flags} --demo`;
  const ADDRESS = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

  test("sends to the address of the relayer, and shows it", async () => {
    const ran = await cli(line("--to-relayer eth-main-2 --yes -o json"));
    expect(JSON.parse(ran.stdout)).toMatchObject({ relayer_id: "eth-main-1", to: ADDRESS });
    expect(ran.stderr).toContain(`relayer eth-main-2 has address ${ADDRESS}`);
    const shown = await cli(line("--to-relayer eth-main-2 --dry-run"));
    expect(shown).toMatchObject({ exitCode: 0, writes: [], stdout: expect.stringContaining(`"to":"${ADDRESS}"`) });
  });

  test.each([
    ["base-hot", 2, "is on base, and eth-main-1 sends on mainnet"],
    ["xlm-treasury", 2, "needs an EVM relayer"],
    ["nobody", 5, "not found"],
    [`eth-main-2 --to ${TO}`, 2, "cannot be combined with --to"],
  ])("sends nothing to %s", async (flags, exitCode, problem) => {
    await ends({ exitCode, writes: [], stderr: expect.stringContaining(problem) }, line(`--to-relayer ${flags} --yes`));
  });
});
