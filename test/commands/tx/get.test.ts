import { cli, ends, exits, printedError, says } from "../../helpers/cli.ts";
import { MAY_BE_MINED, SEE, SEE_LABEL } from "../../helpers/receipts.ts";
import { reply } from "../../helpers/service/reply.ts";
import {
  answering,
  EARLIER,
  evmRecord,
  HASH,
  NOOP,
  node,
  onChain,
  one,
  receipt,
  solanaRecord,
  stellarRecord,
  TO,
} from "./wire.ts";

const PATH = "/relayers/evm-1/transactions";
const ID = "314029b7-9b9b-4c3b-b61a-c71e85190346";
const GET = `tx get evm-1 ${ID}`;
const SEE_CHAIN = `${SEE}relayctl ${GET} --on-chain\n`;

const holding = (fields: object, more: Parameters<typeof answering>[0] = {}) =>
  answering({ [`GET ${PATH}/${ID}`]: one(evmRecord(fields)), ...more });

const LATE = { status: "confirmed", is_canceled: true, ...NOOP };
const CONSUMED = {
  status: "failed",
  value: "0x7d0",
  status_reason: "Nonce 0 consumed externally (on-chain nonce: 4). No matching transaction hash found on-chain.",
};

test("prints the service's record for a script, with every digit", async () => {
  const { stdout, stderr } = await cli(`${GET} -o json`, { service: holding({ value: "0xffffffffffffffffff" }) });
  expect(JSON.parse(stdout)).toEqual(evmRecord({ value: "0xffffffffffffffffff" }));
  expect(stderr).toBe("");
});

test("shows amounts in both formats on a terminal", async () => {
  const { stdout } = await cli(`${GET} --color never`, { service: holding({}), terminal: true });
  expect(stdout).toMatch(/^value +1000 wei$/m);
  expect(stdout).toMatch(/^max fee +10\.5 gwei \(10500000000\)$/m);
});

test("decodes the data of a revert that the record holds", async () => {
  const words = Buffer.from("paused until Monday").toString("hex").padEnd(64, "0");
  const data = `0x08c379a0${"20".padStart(64, "0")}${"13".padStart(64, "0")}${words}`;
  const record = { status: "failed", status_reason: `Transaction reverted on-chain (revert_data: ${data})` };
  const { stdout, requests } = await cli(`${GET} --color never`, { service: holding(record), terminal: true });
  expect(stdout).toMatch(/^revert +paused until Monday$/m);
  expect(requests.filter(({ target }) => target.includes("/rpc"))).toEqual([]);
});

test("shows Solana's signature instead of a hash", async () => {
  const service = answering({ "GET /relayers/sol-1/transactions/s1": one(solanaRecord()) });
  const shown = await cli("tx get sol-1 s1 --color never", { service, terminal: true });
  expect(shown.stdout).toMatch(/^signature +5ig$/m);
  expect((await cli("tx get sol-1 s1 -o tsv", { service })).stdout).toMatch(/\t\t5ig\n$/);
});

test("has is_canceled and signature as the last columns of tsv and csv", async () => {
  const { stdout } = await cli(`${GET} -o csv`, { service: holding(LATE) });
  const [header = "", row = ""] = stdout.split("\r\n");
  expect(header).toMatch(/,sent_at,confirmed_at,is_canceled,signature$/);
  expect(row).toMatch(/,true,$/);
});

test("reports a cancellation that came too late, and how to see what was mined", async () => {
  const { stdout, stderr } = await exits(0, `${GET} --color never`, { service: holding(LATE), terminal: true });
  expect(stdout).toMatch(/^status +confirmed · too late to cancel: the original was mined$/m);
  expect(stderr).toBe(
    [
      "the record shows value 0 (the cancellation); the chain holds the original transfer",
      "note: not settled: the chain could not be checked: HTTP 404",
      `${SEE_LABEL}relayctl ${GET} --on-chain\n`,
    ].join("\n"),
  );
});

test("reports a failure that may still have moved funds, even in JSON output", async () => {
  const { stderr } = await cli(`${GET} -o json`, { service: holding(CONSUMED) });
  expect(stderr).toContain("another transaction used nonce 4, perhaps an earlier version of this one");
  expect(stderr).toContain("sending again may pay twice");
  expect(stderr).toContain(SEE_CHAIN);
  expect((await cli(`${GET} -q`, { service: holding(CONSUMED) })).stderr).toBe("");
});

test.each([
  [{ status: "submitted", ...NOOP }, "submitted · a no-op: it only uses up its nonce\n"],
  [{ status: "submitted", is_canceled: true, ...NOOP }, `submitted · cancellation requested: ${MAY_BE_MINED}\n`],
  [CONSUMED, "failed · an earlier version may have been mined: check before you send again\n"],
])("explains the status in every format, once: %j", async (fields, words) => {
  const service = holding(fields);
  for (const flags of ["", "-o json", "-o csv", "-o name", "-o raw", "--fields id", "-o json --query id"])
    expect((await cli(`${GET} ${flags}`, { service })).stderr, flags).toContain(words);
  const shown = await cli(`${GET} --color never`, { service, terminal: true });
  expect(shown.stdout).toContain(words);
  expect(shown.stderr).not.toContain(words);
  expect((await cli(`${GET} --fields id`, { service, terminal: true })).stderr).toContain(words);
});

describe("--was compares the earlier hash", () => {
  const cancelled = { status: "confirmed", is_canceled: null, ...NOOP };

  test("an unchanged hash means that the original was mined", async () => {
    const { stderr } = await cli(`${GET} --was ${HASH.toUpperCase().replace("0X", "0x")}`, {
      service: holding(cancelled),
    });
    expect(stderr).toContain("the hash is unchanged: the original was mined, whatever the record shows\n");
  });

  test("a changed hash proves nothing, and the hint leads to the chain", async () => {
    const { stderr } = await cli(`${GET} --was ${EARLIER}`, { service: holding(cancelled) });
    expect(stderr).toContain(
      "the hash changed: the mined transaction is not the original; only the chain is conclusive",
    );
    expect(stderr).toContain(SEE_CHAIN);
  });

  test("reports a changed hash without a conclusion while the transaction is in progress", async () => {
    expect((await cli(`${GET} --was ${EARLIER}`, { service: holding({}) })).stderr).toBe("the hash changed\n");
    expect((await cli(`${GET} --was ${EARLIER}`, { service: holding({ hash: null }) })).stderr).toBe(
      "the record has no hash to compare\n",
    );
  });
});

describe("by nonce", () => {
  const byNonce = (data: object) => answering({ [`GET ${PATH}/by-nonce/4`]: one(data) });

  test("finds the transaction without its ID", () =>
    ends({ stdout: `${ID}\n` }, "tx get evm-1 --nonce 4 -o name", { service: byNonce(evmRecord()) }));

  test("rejects a response with another nonce", async () => {
    const ran = await cli("tx get evm-1 --nonce 4", { service: byNonce(evmRecord({ nonce: 5 })) });
    expect(ran).toMatchObject({ exitCode: 9, stdout: "" });
    expect(ran.stderr).toContain("the response has a different nonce than the request");
  });

  test("keeps the service's message for an unknown nonce, and for networks without nonces", async () => {
    const failing = (status: number, error: string) =>
      answering({ [`GET ${PATH}/by-nonce/4`]: reply(status, { success: false, data: null, error }) });
    expect(
      await cli("tx get evm-1 --nonce 4", { service: failing(404, "Transaction with nonce 4 not found") }),
    ).toMatchObject({
      exitCode: 5,
      stderr: "error: Transaction with nonce 4 not found\n  hint: relayctl tx list evm-1\n",
    });
    const words = "Nonce lookup only supported for EVM networks";
    expect(await cli("tx get evm-1 --nonce 4", { service: failing(501, words) })).toMatchObject({
      exitCode: 7,
      stderr: expect.stringContaining(words),
    });
  });

  test.each([
    [`${GET} --nonce 4`, "--nonce: cannot be combined with an id"],
    ["tx get evm-1 --nonce x", "--nonce x: a whole number from 0"],
    ["tx get evm-1 --nonce -1", "--nonce"],
    ["tx get evm-1", "missing required argument 'tx-ids', or --nonce"],
    ["tx get 6f1a2c1e", "without its relayer, a transaction needs its whole ID"],
    ["tx get evm-1 a/b", "<tx-id> a/b"],
    [`${GET} --was ''`, "--was: is empty"],
    [`${GET} --was 0x12`, "--was 0x12: must be a hash"],
    [`${GET} --was ${HASH}0`, "must be a hash"],
  ])("%s is exit 2", (line, words) => says({ exitCode: 2, requests: [] }, line, words));

  test("does not ask for an ID if there is a nonce", async () => {
    const { questions, requests } = await cli("tx get --nonce 7", { terminal: true, answers: ["eth-main-1"] });
    expect(questions).toEqual(["Relayer:"]);
    expect(requests.map(({ target }) => target)).toContain("/api/v1/relayers/eth-main-1/transactions/by-nonce/7");
  });
});

test("shows the request in a dry run", async () => {
  expect((await cli("tx get r t --dry-run")).stdout.split("\n")[0]).toBe("GET /api/v1/relayers/r/transactions/t");
  expect((await cli("tx get r --nonce 7 --curl")).stdout).toContain("/relayers/r/transactions/by-nonce/7");
});

test.each([
  ["tx get", ""],
  ["tx cancel", "--yes"],
  ["tx replace", `--to ${TO} --value 1 --speed fast --yes`],
  ["tx replace", "--inherit --speed fast --yes"],
])(
  "%s of another relayer's transaction exits with 5, shows that relayer, and sends nothing: %s",
  async (line, flags) => {
    const ran = await cli(`${line} evm-1 ${ID} ${flags}`, { service: holding({ relayer_id: "evm-2" }) });
    expect([ran.exitCode, ran.writes]).toEqual([5, []]);
    expect(ran.stderr).toBe(
      `error: transaction ${ID} belongs to relayer evm-2, not to evm-1\n${flags && "  nothing was sent\n"}  hint: relayctl tx get evm-2 ${ID}\n`,
    );
  },
);

test("reports a route that the service does not have", async () =>
  expect(await cli(GET, { service: answering({}) })).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining("route not found"),
  }));

describe("tx get --on-chain", () => {
  const RPC = "POST /relayers/evm-1/rpc";
  const BY_HASH = "eth_getTransactionByHash";
  const RECEIPT = "eth_getTransactionReceipt";
  const LATEST = { "eth_getBlockByNumber latest": { number: "0x64", timestamp: "0x1" } };
  const asking = (record: object, results: Record<string, unknown>) =>
    holding(record, { [RPC]: node({ ...LATEST, ...results }) });
  const mined = { [RECEIPT]: receipt() };
  const NEXT_BLOCK = { eth_getBlockByNumber: { number: "0x2b", timestamp: "0x1" } };

  test("asks the node through the relayer, and reports agreement", async () => {
    const service = asking({ status: "confirmed" }, { [BY_HASH]: onChain(), ...mined });
    const { exitCode, stdout, stderr, requests } = await cli(`${GET} --on-chain -o name`, { service });
    expect([exitCode, stdout]).toEqual([0, `${ID}\n`]);
    expect(stderr).toBe(
      `chain: ${HASH} was mined in block 42: 1000 wei to ${TO}\nverdict confirmed: the version that the record shows is on the chain\n`,
    );
    const asked = requests.flatMap(({ body }) => (body === undefined ? [] : [JSON.parse(body).params]));
    expect(asked).toEqual([[HASH], ["latest", false], [HASH], ["0x2a", false]]);
  });

  test("shows the chain's transaction if a cancellation came too late", async () => {
    const service = asking(LATE, { [BY_HASH]: onChain(), ...mined });
    const { stdout, stderr } = await exits(14, `${GET} --on-chain`, { service });
    expect(stdout).toContain(`id\t${ID}\n`);
    expect(stderr).toBe(
      [
        "note: the network of evm-1 could not be read; EVM amounts are in wei",
        "confirmed · too late to cancel: the original was mined",
        "the record shows value 0 (the cancellation); the chain holds the original transfer",
        "error: the record and the chain differ",
        "  to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8: the chain holds 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
        "  value 0: the chain holds 1000 wei",
        "  verdict cancel_too_late: the original was mined although a cancellation was accepted",
        `  chain: ${HASH} was mined in block 42: 1000 wei to ${TO}`,
        "",
      ].join("\n"),
    );
  });

  test("finds the earlier version that was mined although the record failed", async () => {
    const results = {
      [`${BY_HASH} ${EARLIER}`]: onChain({ hash: EARLIER }),
      [RECEIPT]: receipt({ transactionHash: EARLIER }),
      ...NEXT_BLOCK,
    };
    const { stderr } = await exits(14, `${GET} --on-chain --was ${EARLIER} -o json`, {
      service: asking(CONSUMED, results),
    });
    expect(stderr).toContain(`chain: ${HASH} is not known to the node\n`);
    expect(printedError(stderr)).toMatchObject({
      code: "mismatch",
      applied: "no",
      details: [
        { where: "verdict", given: "earlier_version", rule: "a different version was mined than the record shows" },
        { where: "chain", rule: `${EARLIER} was mined in block 42: 1000 wei to ${TO}` },
      ],
    });
  });

  test.each(["", ` --was ${EARLIER}`])("exits with 15 if the node knows no hash%s", async (was) => {
    const { exitCode, stdout, stderr } = await cli(`${GET} --on-chain${was}`, { service: asking(CONSUMED, {}) });
    expect([exitCode, stdout.slice(0, 3)]).toEqual([15, "id\t"]);
    expect(stderr).toContain("sending again may pay twice\n");
    expect(stderr).toContain(`chain: ${HASH} is not known to the node\n`);
    expect(stderr).toContain("error: the outcome is unknown: no known hash of the transaction was mined");
    expect(stderr.includes("the hash changed\n")).toBe(was !== "");
  });

  test("exits with 15 if the earlier version is not mined yet", async () => {
    const results = { [`${BY_HASH} ${EARLIER}`]: onChain({ hash: EARLIER, blockNumber: null }) };
    const service = asking(CONSUMED, results);
    expect(await cli(`${GET} --on-chain --was ${EARLIER}`, { service })).toMatchObject({ exitCode: 15 });
  });

  test("explains the record even if the node cannot be asked", async () => {
    const failing = holding(CONSUMED, { [RPC]: reply(403, { success: false, data: null, error: "Relayer paused" }) });
    await says(6, `${GET} --on-chain`, "sending again may pay twice\n", { service: failing });
  });

  test.each<[string, object, Record<string, unknown>, string | undefined]>([
    [
      "confirmed, but unknown to the node",
      { status: "confirmed" },
      {},
      "status confirmed: the node does not know the transaction",
    ],
    [
      "confirmed, but not mined",
      { status: "confirmed" },
      { [BY_HASH]: onChain({ blockNumber: null }) },
      "status confirmed: on the chain it still waits to be mined",
    ],
    [
      "confirmed, but reverted",
      { status: "confirmed" },
      { [BY_HASH]: onChain(), [RECEIPT]: receipt({ status: "0x0" }) },
      "status confirmed: on the chain it was mined and failed",
    ],
    [
      "failed, but mined",
      { status: "failed" },
      { [BY_HASH]: onChain(), ...mined },
      "status failed: on the chain it was mined and succeeded",
    ],
    [
      "failed, and reverted",
      { status: "failed" },
      { [BY_HASH]: onChain(), [RECEIPT]: receipt({ status: "0x0" }), ...NEXT_BLOCK },
      undefined,
    ],
    ["submitted, but unknown to the node", {}, {}, "status submitted: the node does not know the transaction"],
    ["sent, and still unknown to the node", { status: "sent" }, {}, undefined],
    ["submitted, and already mined", {}, { [BY_HASH]: onChain(), ...mined }, undefined],
    [
      "another price",
      {},
      { [BY_HASH]: onChain({ maxFeePerGas: "0x2b0fd4580" }) },
      "max_fee_per_gas 10.5 gwei: the chain holds 11.559323008 gwei",
    ],
    ["a gas limit missing from the record", { gas_limit: null }, { [BY_HASH]: onChain() }, undefined],
  ])("%s", async (_, record, results, words) => {
    const { exitCode, stderr } = await cli(`${GET} --on-chain`, { service: asking(record, results) });
    expect([exitCode, stderr]).toEqual([words ? 14 : 0, expect.stringContaining(words ?? "chain: ")]);
  });

  test("exits with 13 without a hash, and shows the record", async () => {
    const ran = await cli(`${GET} --on-chain -o name`, { service: holding({ status: "pending", hash: null }) });
    expect(ran).toMatchObject({
      exitCode: 13,
      stdout: `${ID}\n`,
      stderr: expect.stringContaining("error: the record has no hash to look up on the chain"),
    });
  });

  test("prints the record before it reports a failed or refused call of the node", async () => {
    const error = { code: -32603, message: "Internal error", description: "RPC error occurred (code: -32601)" };
    const failing = holding({}, { [RPC]: reply(200, { jsonrpc: "2.0", error }) });
    expect(await cli(`${GET} --on-chain -o name`, { service: failing })).toMatchObject({
      exitCode: 7,
      stdout: `${ID}\n`,
      stderr: expect.stringContaining("JSON-RPC error -32603: Internal error\n  RPC error occurred (code: -32601)\n"),
    });
    const paused = holding({}, { [RPC]: reply(403, { success: false, data: null, error: "Relayer paused" }) });
    expect(await cli(`${GET} --on-chain -o name`, { service: paused })).toMatchObject({
      exitCode: 6,
      stdout: `${ID}\n`,
    });
    const nonsense = holding({}, { [RPC]: reply(200, "[]") });
    expect(await cli(`${GET} --on-chain`, { service: nonsense })).toMatchObject({ exitCode: 9 });
  });

  test("uses the calls of each network type", async () => {
    const stellar = (status: string) =>
      answering({
        "GET /relayers/xlm-1/transactions/x": one(stellarRecord({ id: "x", status: "confirmed" })),
        "GET /relayers/xlm-1": one({ id: "xlm-1", network_type: "stellar" }),
        "POST /relayers/xlm-1/rpc": node({ getTransaction: { status, ledger: 7 } }),
      });
    expect(await cli("tx get xlm-1 x --on-chain", { service: stellar("SUCCESS") })).toMatchObject({
      exitCode: 0,
      stderr: `chain: ${"bb".repeat(32)} was mined in ledger 7\n`,
    });
    expect(await cli("tx get xlm-1 x --on-chain", { service: stellar("FAILED") })).toMatchObject({ exitCode: 14 });
    expect(
      (await cli("tx get xlm-1 x --on-chain --node https://rpc.example.org", { service: stellar("SUCCESS") })).stderr,
    ).toContain("note: --node has no effect on stellar transactions\n");
    expect(await cli("tx get xlm-1 x --on-chain", { service: stellar("NOT_FOUND") })).toMatchObject({ exitCode: 14 });
    const solana = (found: object | null) =>
      answering({
        "GET /relayers/sol-1/transactions/s1": one(solanaRecord()),
        "GET /relayers/sol-1": one({ id: "sol-1", network_type: "solana" }),
        "POST /relayers/sol-1/rpc": node({ getSignatureStatuses: { context: {}, value: [found] } }),
      });
    const finalized = { slot: 9, err: null, confirmationStatus: "finalized" };
    expect(await cli("tx get sol-1 s1 --on-chain", { service: solana(finalized) })).toMatchObject({
      exitCode: 0,
      stderr: "chain: 5ig was mined in slot 9\n",
    });
    expect(
      (await cli("tx get sol-1 s1 --on-chain", { service: solana({ ...finalized, confirmationStatus: "processed" }) }))
        .stderr,
    ).toContain("waits to be mined");
    expect(await cli("tx get sol-1 s1 --on-chain", { service: solana(null) })).toMatchObject({ exitCode: 14 });
  });
});

test("a pending record whose nonce is used says so on a terminal, with the command that shows what used it", async () => {
  const id = "7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f";
  const { stdout } = await cli(`tx get eth-main-1 ${id} --demo --color never`, { terminal: true });
  expect(stdout).toMatch(/^why +nonce 5 is used on the chain, but its record still says submitted$/m);
  expect(stdout).toContain(`relayctl --demo tx get eth-main-1 ${id} --on-chain\n`);
});
