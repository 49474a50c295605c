import { parseJson, writeJson } from "../../../../src/contract/json.ts";
import { SERIALIZED } from "../../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../../contract/xdr-envelope.ts";
import { cli, ends, exits, SERVER, says } from "../../../helpers/cli.ts";
import { demoStore } from "../../../helpers/seed-state.ts";
import { reply, success } from "../../../helpers/service/reply.ts";
import { scriptedService } from "../../../helpers/service/scripted-service.ts";
import { writtenIn, writtenService } from "../../../helpers/service/written.ts";

const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const USDC = `USDC:${ACCOUNT}`;
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const XDR = envelopeXdr(0);
const PAYMENT = `[{"type":"payment","destination":"${ACCOUNT}","amount":"10000000","asset":{"type":"native"}}]`;
const STELLAR = `--transaction-xdr ${XDR} --fee-token ${USDC}`;
const SOLANA = `--transaction ${SERIALIZED} --fee-token ${MINT}`;

type Verb = "quote" | "build";

/** The exchanges of a service, written by hand from facts 3.5. */
const LINES = {
  quote: { solana: `tx quote sol-1 ${SOLANA}`, stellar: `tx quote xlm-1 ${STELLAR}` },
  build: { solana: `tx build sol-1 ${SOLANA}`, stellar: `tx build xlm-user ${STELLAR}` },
};
const service = writtenService("sponsored");
const written = (name: string) => writtenIn("sponsored").find((transport) => transport.name === name);
const bodies = {
  solana: `{"transaction":"${SERIALIZED}","fee_token":"${MINT}"}`,
  stellar: `{"transaction_xdr":"${XDR}","fee_token":"${USDC}"}`,
};
const SOLANA_RELAYER = success('{"id":"sol-1","network_type":"solana","paused":false}');

describe.each(["quote", "build"] as const)("tx %s", (verb) => {
  test.each(["solana", "stellar"] as const)(
    "%s: reads the relayer, sends the request without a question, and prints every digit of the response",
    async (kind) => {
      const ran = await ends({ exitCode: 0, stderr: "", questions: [] }, `${LINES[verb][kind]} -o json`, { service });
      expect(`{"success":true,"data":${writeJson(parseJson(ran.stdout))},"error":null}`).toBe(
        written(`${verb} ${kind}`)?.response.body,
      );
      const [, , relayer] = LINES[verb][kind].split(" ");
      expect(ran.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
        `GET /api/v1/relayers/${relayer}`,
        `POST /api/v1/relayers/${relayer}/transactions/sponsored/${verb}`,
      ]);
      expect(ran.requests[1]?.body).toBe(bodies[kind]);
    },
  );

  test("sends operations and their source account", async () => {
    const files = { "ops.json": PAYMENT };
    const ran = await cli(
      `tx ${verb} xlm-1 --operations ops.json --source-account ${ACCOUNT} --fee-token native --dry-run`,
      { files },
    );
    expect(ran).toMatchObject({ exitCode: 0, requests: [] });
    expect(ran.stdout).toContain(`{"source_account":"${ACCOUNT}","operations":${PAYMENT},"fee_token":"native"}`);
  });

  test("sends a body from a file or stdin", async () => {
    for (const world of [{ files: { "b.json": bodies.stellar } }, { stdin: bodies.stellar }]) {
      const ran = await cli(`tx ${verb} xlm-1 -f ${"files" in world ? "b.json" : "-"} --curl`, world);
      expect(ran.stdout).toContain(`'${bodies.stellar}'`);
    }
  });

  test("retries after a lost response, since nothing was changed", async () => {
    const lossy = scriptedService(
      { reply: SOLANA_RELAYER },
      { reply: reply(504, "Request handler timeout") },
      { reply: success('{"transaction":"AAAA","conversion_rate":"1"}') },
    );
    expect(await cli(LINES[verb].solana, { service: lossy.transport })).toMatchObject({ exitCode: 0 });
    expect(lossy.left()).toBe(0);
  });

  test("shows the version that introduced a missing route", async () => {
    const older = scriptedService({ reply: SOLANA_RELAYER }, { reply: reply(404) });
    const ran = await exits(7, LINES[verb].solana, { service: older.transport });
    expect(ran.stderr).toContain("this service does not have this route; it was added in v1.3\n");
  });

  test.each([
    ["evm-1", SOLANA, 2, `<relayer-id> evm-1: Gas abstraction not supported for EVM relayers`],
    ["xlm-user", SOLANA, 2, "<relayer-id> xlm-user: Solana request type does not match Stellar relayer type"],
    ["sol-1", STELLAR, 2, "<relayer-id> sol-1: Stellar request type does not match Solana relayer type"],
    ["xlm-paused", STELLAR, 6, "Relayer paused"],
    ["zz", STELLAR, 5, "Relayer with ID zz not found"],
  ])("for %s is rejected after a read of the relayer, and nothing else is sent", (relayer, flags, code, words) =>
    says({ exitCode: code, writes: [], stdout: "" }, `tx ${verb} ${relayer} ${flags}`, words, { service }),
  );

  test.each([
    [400, "Gas abstraction not supported for EVM relayers", 7],
    [400, "Invalid operations: no asset", 7],
    [403, "Relayer disabled", 6],
  ])("%s %s keeps its message", async (status, error, exitCode) => {
    const refusing = scriptedService(
      { reply: SOLANA_RELAYER },
      { reply: reply(status, { success: false, data: null, error }) },
      { reply: SOLANA_RELAYER },
    );
    await says(exitCode, LINES[verb].solana, `error: ${error}\n`, { service: refusing.transport });
  });

  test.each([
    ["", `tx ${verb}: needs --transaction (Solana), or --transaction-xdr or --operations (Stellar)`],
    ["--transaction AQAB", `--fee-token: missing field \`fee_token\`, required for a Solana ${verb}`],
    [
      `--transaction ${SERIALIZED} --transaction-xdr ${XDR} --fee-token ${MINT}`,
      "--transaction, --transaction-xdr: belong to different network types (solana, stellar)",
    ],
    [
      `--operations ops.json --fee-token ${USDC}`,
      "--source-account: source_account is required when providing operations",
    ],
    [
      `--transaction-xdr ${XDR} --fee-token usdc`,
      "--fee-token usdc: Invalid fee_token structure: Asset identifier must be 'native', 'XLM', 'CODE:ISSUER', or a contract address",
    ],
    ["--network-type evm --transaction AQAB --fee-token x", "--network-type evm: one of solana, stellar"],
    ["-f evm.json", `tx ${verb}: Gas abstraction not supported for EVM relayers`],
    [
      `--network-type stellar --fee-token ${USDC}`,
      "--transaction-xdr: Must provide either transaction_xdr or operations",
    ],
  ])("%s is rejected before any request", async (flags, problem) => {
    const files = { "ops.json": PAYMENT, "evm.json": '{"value":"1","fee_token":"x"}' };
    await says({ exitCode: 2, requests: [] }, `tx ${verb} xlm-1 ${flags}`, [/^error: /, `${problem}\n`], { files });
  });
});

describe("the strategy of a Stellar relayer", () => {
  test("must let users pay for a build, otherwise the rule is reported", async () => {
    const ran = await ends({ exitCode: 2, writes: [] }, `tx build xlm-1 ${STELLAR}`, { service });
    expect(ran.stderr).toBe(
      "error: <relayer-id> xlm-1: Gas abstraction requires fee_payment_strategy: User\n  hint: relayctl relayers get xlm-1\n",
    );
  });

  test("is not checked if the service does not show it", async () => {
    const silent = scriptedService(
      { reply: success('{"id":"xlm-1","network_type":"stellar","paused":false}') },
      { reply: success('{"transaction":"AAAA"}') },
    );
    expect(await cli(`tx build xlm-1 ${STELLAR}`, { service: silent.transport })).toMatchObject({ exitCode: 0 });
  });
});

describe("on a terminal", () => {
  const block = async (verb: Verb, kind: "solana" | "stellar") =>
    (await cli(`${LINES[verb][kind]} --color never`, { service, terminal: true })).stdout;

  test("shows a quote", async () => {
    expect(await block("quote", "solana")).toBe("estimated fee      0.000105\nconversion rate    151.73\n");
    expect(await block("quote", "stellar")).toContain("max fee in token       9007199254740993\n");
  });

  test("shows a built transaction, with its fee in a unit and with every digit", async () => {
    expect(await block("build", "solana")).toContain(
      "fee in lamports            9007199.254740993 SOL (9007199254740993)\n",
    );
    expect(await block("build", "stellar")).toContain("fee in stroops     0.10001 XLM (1000100)\n");
    expect(await block("build", "stellar")).toContain(`transaction        ${XDR}\n`);
  });
});

test("prints every field with its value to a pipe", async () => {
  const ran = await cli(LINES.quote.solana, { service });
  expect(ran.stdout).toBe("estimated_fee\t0.000105\nconversion_rate\t151.73\n");
  expect(ran.stderr).toBe("");
});

test("-o name prints the fee of a quote, and the built transaction", async () => {
  const named = async (verb: Verb, kind: "solana" | "stellar") =>
    (await cli(`${LINES[verb][kind]} -o name`, { service })).stdout;
  expect(await named("quote", "solana")).toBe("0.000105\n");
  expect(await named("quote", "stellar")).toBe("105000\n");
  expect(await named("build", "solana")).toBe(`${SERIALIZED}\n`);
});

test("a dry run shows the service, and reads nothing", () =>
  ends({ stderr: `dry run: nothing was sent to ${SERVER}\n`, requests: [] }, `${LINES.quote.solana} --dry-run`));

test("--demo can quote, refuses to build, and builds after users are allowed to pay", async () => {
  const store = demoStore();
  const inDemo = (line: string) => cli(line, { store });
  const quoted = await inDemo(`tx quote xlm-treasury ${STELLAR} -o json`);
  expect(JSON.parse(quoted.stdout)).toEqual({
    fee_in_token_ui: "0.000002",
    fee_in_token: "20",
    conversion_rate: "0.1",
  });
  const refused = await inDemo(`tx build xlm-treasury ${STELLAR}`);
  expect(refused.stderr).toContain("Gas abstraction requires fee_payment_strategy: User");
  await inDemo("relayers update xlm-treasury --policy fee_payment_strategy=user");
  const built = await inDemo(`tx build xlm-treasury ${STELLAR} -o json`);
  expect(JSON.parse(built.stdout)).toMatchObject({ transaction: XDR, fee_in_stroops: "200", fee_token: USDC });
});
