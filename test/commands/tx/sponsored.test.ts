import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/contract/json.ts";
import { SERIALIZED } from "../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { cli } from "../../helpers/cli.ts";
import { reply, scriptedService, success } from "../../helpers/scripted-service.ts";
import { SERVER } from "../../helpers/test-app.ts";

const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
const USDC = `USDC:${ACCOUNT}`;
const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const XDR = envelopeXdr(0);
const PAYMENT = `[{"type":"payment","destination":"${ACCOUNT}","amount":"10000000","asset":{"type":"native"}}]`;
const STELLAR = `xlm-1 --transaction-xdr ${XDR} --fee-token ${USDC}`;
const SOLANA = `sol-1 --transaction ${SERIALIZED} --fee-token ${MINT}`;

/** The answers of service-facts 3.5, with amounts that no double holds. */
const ANSWERS = {
  "quote solana": '{"estimated_fee":"0.000105","conversion_rate":"151.73"}',
  "quote stellar":
    '{"fee_in_token_ui":"0.0105000","fee_in_token":"105000","conversion_rate":"0.1","max_fee_in_token":"9007199254740993","max_fee_in_token_ui":"900719925.4740993"}',
  "build solana": `{"transaction":"${SERIALIZED}","fee_in_spl":"105000","fee_in_lamports":"9007199254740993","fee_token":"${MINT}","valid_until_blockheight":321000150}`,
  "build stellar": `{"transaction":"${XDR}","fee_in_token":"105000","fee_in_token_ui":"0.0105000","fee_in_stroops":"1000100","fee_token":"${USDC}","valid_until":"2026-11-21T01:41:57+00:00"}`,
};

const bodies = {
  solana: `{"transaction":"${SERIALIZED}","fee_token":"${MINT}"}`,
  stellar: `{"transaction_xdr":"${XDR}","fee_token":"${USDC}"}`,
};

describe.each(["quote", "build"] as const)("tx %s", (verb) => {
  test.each([
    ["solana", "sol-1", SOLANA],
    ["stellar", "xlm-1", STELLAR],
  ] as const)("%s: one request without a question, and the answer digit for digit", async (kind, relayer, flags) => {
    const answer = ANSWERS[`${verb} ${kind}`];
    const expected = `POST /api/v1/relayers/${relayer}/transactions/sponsored/${verb}`;
    const service = scriptedService({ expect: expected, reply: success(answer) });
    const ran = await cli(`tx ${verb} ${flags} -o json`, { service: service.exchange });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, stderr: "", questions: [] });
    expect(parseJson(ran.stdout)).toEqual(parseJson(answer));
    expect(ran.requests[0]?.body).toBe(bodies[kind]);
  });

  test("operations and who sends them", async () => {
    const files = { "ops.json": PAYMENT };
    const ran = await cli(
      `tx ${verb} xlm-1 --operations ops.json --source-account ${ACCOUNT} --fee-token native --dry-run`,
      { files },
    );
    expect(ran).toMatchObject({ exitCode: 0, requests: [] });
    expect(ran.stdout).toContain(`{"source_account":"${ACCOUNT}","operations":${PAYMENT},"fee_token":"native"}`);
  });

  test("the whole body from a file or stdin", async () => {
    for (const world of [{ files: { "b.json": bodies.stellar } }, { stdin: bodies.stellar }]) {
      const ran = await cli(`tx ${verb} xlm-1 -f ${"files" in world ? "b.json" : "-"} --curl`, world);
      expect(ran.stdout).toContain(`'${bodies.stellar}'`);
    }
  });

  test("a lost answer is asked for again: nothing was changed", async () => {
    const answer = success(ANSWERS[`${verb} solana`]);
    const service = scriptedService({ reply: reply(504, "Request handler timeout") }, { reply: answer });
    expect(await cli(`tx ${verb} ${SOLANA}`, { service: service.exchange })).toMatchObject({ exitCode: 0 });
    expect(service.left()).toBe(0);
  });

  test("a service without the route says since when there is one", async () => {
    const ran = await cli(`tx ${verb} ${SOLANA}`, { service: async () => reply(404) });
    expect(ran.exitCode).toBe(7);
    expect(ran.stderr).toContain("this service has no such route; it exists since v1.3\n");
  });

  test.each([
    [400, "Gas abstraction not supported for EVM relayers", 7],
    [400, "Solana request type does not match Stellar relayer type", 7],
    [403, "Relayer paused", 6],
  ])("%s %s keeps its words", async (status, error, exitCode) => {
    const ran = await cli(`tx ${verb} ${SOLANA}`, {
      service: async () => reply(status, { success: false, data: null, error }),
    });
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toContain(`error: ${error}\n`);
  });

  test.each([
    ["", `tx ${verb}: needs --transaction (Solana), or --transaction-xdr or --operations (Stellar)`],
    ["--transaction AQAB", `--fee-token: is required for a Solana ${verb}`],
    [
      `--transaction ${SERIALIZED} --transaction-xdr ${XDR} --fee-token ${MINT}`,
      "--transaction, --transaction-xdr: belong to different kinds of network (solana, stellar)",
    ],
    [
      `--operations ops.json --fee-token ${USDC}`,
      "--source-account: source_account is required when providing operations",
    ],
    [
      `--transaction-xdr ${XDR} --fee-token usdc`,
      "--fee-token usdc: Invalid fee_token structure: native, CODE:ISSUER or a contract address",
    ],
    ["--kind evm --transaction AQAB --fee-token x", "--kind evm: one of solana, stellar"],
    ["-f evm.json", `tx ${verb}: Gas abstraction not supported for EVM relayers`],
    [`--kind stellar --fee-token ${USDC}`, "--transaction-xdr: Must provide either transaction_xdr or operations"],
  ])("%s is refused before anything is sent", async (flags, problem) => {
    const files = { "ops.json": PAYMENT, "evm.json": '{"value":"1","fee_token":"x"}' };
    const ran = await cli(`tx ${verb} xlm-1 ${flags}`, { files });
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    expect(ran.stderr).toMatch(/^error: /);
    expect(ran.stderr).toContain(`${problem}\n`);
  });
});

describe("on a terminal", () => {
  const block = async (verb: "quote" | "build", kind: "solana" | "stellar") => {
    const service = async () => success(ANSWERS[`${verb} ${kind}`]);
    const ran = await cli(`tx ${verb} ${kind === "solana" ? SOLANA : STELLAR} --color never`, {
      service,
      terminal: true,
    });
    return ran.stdout;
  };

  test("a quote", async () => {
    expect(await block("quote", "solana")).toBe("estimated fee      0.000105\nconversion rate    151.73\n");
    expect(await block("quote", "stellar")).toContain("max fee in token       9007199254740993\n");
  });

  test("a built transaction, its fee with a unit and every digit", async () => {
    expect(await block("build", "solana")).toContain(
      "fee in lamports            9007199.254740993 SOL (9007199254740993)\n",
    );
    expect(await block("build", "stellar")).toContain("fee in stroops     0.10001 XLM (1000100)\n");
    expect(await block("build", "stellar")).toContain(`transaction        ${XDR}\n`);
  });
});

test("in a pipe, every member and its value", async () => {
  const ran = await cli(`tx quote ${SOLANA}`, { service: async () => success(ANSWERS["quote solana"]) });
  expect(ran.stdout).toBe("estimated_fee\t0.000105\nconversion_rate\t151.73\n");
  expect(ran.stderr).toBe("");
});

test("-o name is the fee of a quote, and what was built", async () => {
  const named = async (verb: "quote" | "build", kind: "solana" | "stellar") => {
    const service = async () => success(ANSWERS[`${verb} ${kind}`]);
    return (await cli(`tx ${verb} ${kind === "solana" ? SOLANA : STELLAR} -o name`, { service })).stdout;
  };
  expect(await named("quote", "solana")).toBe("0.000105\n");
  expect(await named("quote", "stellar")).toBe("105000\n");
  expect(await named("build", "solana")).toBe(`${SERIALIZED}\n`);
});

test("what is shown instead of sent names the service", async () => {
  const ran = await cli(`tx quote ${SOLANA} --dry-run`);
  expect(ran.stderr).toBe(`dry run: nothing was sent to ${SERVER}\n`);
});
