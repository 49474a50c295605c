import { cli, exited, type World } from "../../helpers/cli.ts";
import { answering, one, relayerRecord } from "../tx/wire.ts";

const HASH = "11".repeat(32);
const XDR = "AAAAAgAAAAA=";
const RELAYERS = answering({
  "GET /relayers/evm": one(relayerRecord({ id: "evm" })),
  "GET /relayers/xlm": one(relayerRecord({ id: "xlm", network_type: "stellar" })),
  "GET /relayers/sol": one(relayerRecord({ id: "sol", network_type: "solana" })),
});

const asked = (line: string, answers: World["answers"] = []) =>
  cli(`relayers ${line} --dry-run`, { terminal: true, answers });

describe("asks for missing values", () => {
  test.each([
    ["sign evm", ["hello"], ["Message:"], '{"message":"hello"}'],
    ["sign evm -i", ["-x"], ["Message:"], '{"message":"-x"}'],
    [
      `sign-typed-data evm --domain-separator ${HASH}`,
      ["0x11", HASH],
      [
        "Hash of the message, 32 bytes of hex:",
        expect.stringContaining("  Invalid hash struct message length: expected"),
        "Hash of the message, 32 bytes of hex:",
      ],
      `{"domain_separator":"${HASH}","hash_struct_message":"${HASH}"}`,
    ],
    [
      "sign-transaction xlm",
      ["stellar", "AAAA", XDR],
      [
        "Kind of network:",
        "Transaction envelope, XDR as base64:",
        expect.stringContaining("  base64 of a Stellar"),
        "Transaction envelope, XDR as base64:",
      ],
      `{"unsigned_xdr":"${XDR}"}`,
    ],
  ])("%s %j", async (line, answers, questions, body) => {
    const ran = await exited({ exitCode: 0, requests: [], questions }, asked(line, answers));
    expect(ran.stdout).toContain(body);
  });

  test.each([
    ["xlm", XDR, "Transaction envelope, XDR as base64:"],
    ["sol", "AQAB", "Transaction, serialized, as base64:"],
  ])("asks for the transaction of the network type of %s, which is looked up", async (id, answer, question) => {
    const world = { service: RELAYERS, terminal: true, answers: [answer] };
    const ran = await cli(`relayers sign-transaction ${id}`, world);
    expect(ran.questions).toEqual([question]);
    expect(ran.writes[0]?.body).toContain(answer);
  });

  test.each([
    ["sign-transaction evm", "sign_transaction not supported for EVM", "an EVM"],
    ["sign-transaction evm -i", "sign_transaction not supported for EVM", "an EVM"],
    ["sign xlm", "Signing data not supported for Stellar", "a Stellar"],
    ["sign sol -i", "Endpoint is not supported for Solana relayers", "a Solana"],
    ["sign-typed-data xlm -i", "Signing typed data not supported for Stellar", "a Stellar"],
    [`sign-typed-data sol --domain-separator ${HASH}`, "Endpoint is not supported for Solana relayers", "a Solana"],
  ])("asks nothing if the relayer cannot sign such data: %s", async (line, words, kind) => {
    const ran = await cli(`relayers ${line}`, { service: RELAYERS, terminal: true, answers: [] });
    expect(ran).toMatchObject({ exitCode: 2, writes: [], questions: [] });
    const [, id = ""] = line.split(" ");
    expect(ran.stderr).toBe(
      `error: ${words}\n  ${id} is ${kind} relayer; nothing was sent\n  hint: relayctl relayers get ${id}\n`,
    );
  });
});

describe("asks nothing", () => {
  test.each([
    ["sign evm --message hello", 0],
    ["sign a/b", 2],
    ["sign evm --no-input", 2],
    [`sign-typed-data evm --domain-separator 0x11`, 2],
    [`sign-typed-data evm --domain-separator ${HASH} --hash-struct-message ${HASH}`, 0],
    [`sign-transaction xlm --unsigned-xdr ${XDR} -i`, 0],
    ["sign-transaction a/b", 2],
  ])("%s", async (line, exitCode) => {
    expect(await asked(line)).toMatchObject({ exitCode, questions: [], requests: [] });
  });

  test.each(["sign evm", "sign-typed-data evm", "sign-transaction xlm"])("without a terminal: %s", async (line) => {
    expect(await cli(`relayers ${line}`)).toMatchObject({ exitCode: 2, questions: [], requests: [] });
  });
});
