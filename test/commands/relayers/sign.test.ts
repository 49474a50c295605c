import { SERIALIZED } from "../../contract/solana-transaction.ts";
import { envelopeXdr } from "../../contract/xdr-envelope.ts";
import { cli, ends, exited, exits, inProd, says } from "../../helpers/cli.ts";
import { recordedAs, replyOf } from "../../helpers/service/recorded.ts";
import { reply } from "../../helpers/service/reply.ts";
import { writtenService } from "../../helpers/service/written.ts";
import type { World } from "../../helpers/test-app.ts";
import { answering, one, relayerRecord } from "../tx/wire.ts";

describe("relayers sign", () => {
  const HASH = "11".repeat(32);
  const TYPED = `relayers sign-typed-data eth-main-1 --domain-separator 0x${HASH} --hash-struct-message ${HASH}`;
  /** An envelope of Stellar's v1 without signatures: its type, and the empty list at the end. */
  const XDR = btoa("\u0000\u0000\u0000\u0002\u0000\u0000\u0000\u0000");

  async function sent(line: string, world: World = {}): Promise<string | undefined> {
    const ran = await exits(0, line, world);
    return ran.requests[0]?.body;
  }

  async function refused(line: string, words: string, world: World = {}): Promise<void> {
    await says({ exitCode: 2, requests: [], stdout: "" }, line, words, world);
  }

  test("prints the signature like the service", async () => {
    const service = async () => replyOf(recordedAs("sign"));
    const r = "76930d64d2e5eb4b3f4572ce806eda50e1e2329d51d9ca5a713a9befcb9d2088";
    const s = "3e3d4885c3c5eaf775fc8c9fcf4882a28b582b427bc0270565f3294d93554922";
    await ends({ stdout: `r\t${r}\ns\t${s}\nv\t27\nsig\t${r}${s}1b\n` }, "relayers sign r1 --message hello", {
      service,
    });
    expect((await cli("relayers sign r1 --message hello -o name", { service })).stdout).toBe(`${r}${s}1b\n`);
    expect((await cli("relayers sign r1 --message hello --query sig", { service })).stdout).toBe(`${r}${s}1b\n`);
    const person = await cli("relayers sign r1 --message hello --color never", { service, terminal: true });
    expect(person.stdout).toMatch(/^r {6}7693.*\ns {6}3e3d.*\nv {6}27\nsig\n {2}7693/);
  });

  test("asks nothing, even in a protected context, since nothing is changed", async () => {
    expect(await sent("relayers sign eth-main-1 --message hello")).toBe('{"message":"hello"}');
    const service = async () => replyOf(recordedAs("sign"));
    expect(await sent("relayers sign eth-main-1 --message hello", { service, ...inProd({ protected: true }) })).toBe(
      '{"message":"hello"}',
    );
  });

  test.each([
    ["--message-file m", { files: { m: "hello\n" } }, '{"message":"hello\\n"}'],
    ["--message-file -", { stdin: "hello" }, '{"message":"hello"}'],
    ["--message-file m", { files: { m: "\ufeffhello" } }, '{"message":"\ufeffhello"}'],
    ["-f b", { files: { b: '{"message":""}' } }, '{"message":""}'],
    ["-f b --message new", { files: { b: '{"message":"old"}' } }, '{"message":"new"}'],
  ])("signs every byte from %s", async (flags, world, body) => {
    expect(await sent(`relayers sign eth-main-1 ${flags}`, world)).toBe(body);
  });

  test.each([
    ["", "--message: is required: the text to sign", {}],
    ["--message ''", "--message: is empty", {}],
    ["--message a --message-file m", "--message-file: cannot be combined with --message", { files: { m: "a" } }],
    ["-f b", "b message 5: must be a string", { files: { b: '{"message":5}' } }],
    ["-f b", "has an unknown field: text", { files: { b: '{"message":"a","text":"b"}' } }],
  ])("%s is rejected: %s", async (flags, words, world) => {
    await refused(`relayers sign eth-main-1 ${flags}`, words, world);
  });

  test("keeps the service's message of a refusal", async () => {
    await says(7, "relayers sign sol-pay --message hello", "Endpoint is not supported for Solana relayers");
    const paused = reply(403, '{"success":false,"data":null,"error":"Relayer paused"}');
    const ran = await exits(6, "relayers sign r1 --message hello", { service: async () => paused });
    expect(ran.stderr).toContain("hint: relayctl relayers resume r1");
  });

  test("rejects a response without a signature", async () => {
    const service = async () => reply(200, '{"success":true,"data":{"r":"1"},"error":null}');
    expect(await cli("relayers sign r1 --message hello --retries 0", { service })).toMatchObject({
      exitCode: 9,
      stdout: "",
    });
  });

  describe("relayers sign-typed-data", () => {
    test("sends both hashes as typed", async () =>
      expect(await sent(TYPED)).toBe(`{"domain_separator":"0x${HASH}","hash_struct_message":"${HASH}"}`));

    test("recorded: prints the signature", async () => {
      const ran = await cli(`${TYPED} -o json`, { service: async () => replyOf(recordedAs("sign typed")) });
      expect(JSON.parse(ran.stdout)).toMatchObject({ v: 28, sig: expect.stringMatching(/1c$/) });
    });

    test.each([
      ["11", "Invalid domain separator length: expected 32 bytes, got 1"],
      [`0x${"1".repeat(63)}`, "has an odd number of hex digits"],
      [`${"1".repeat(62)}zz`, "needs hex digits, with 0x or without"],
      ["''", "Invalid domain separator length: expected 32 bytes, got 0"],
    ])("rejects a domain separator of %s, for which the service would respond with 500", async (hash, words) => {
      const line = `relayers sign-typed-data r1 --domain-separator ${hash} --hash-struct-message ${HASH}`;
      await refused(line, words);
    });

    test("requires both hashes", async () => {
      await refused("relayers sign-typed-data r1", "--domain-separator: is required");
      await refused("relayers sign-typed-data r1", "--hash-struct-message: is required");
    });

    test("reads both hashes from a file", async () => {
      const b = `{"domain_separator":"${HASH}","hash_struct_message":"${HASH}"}`;
      expect(await sent("relayers sign-typed-data eth-main-1 -f b", { files: { b } })).toBe(b);
    });
  });

  describe("relayers sign-transaction", () => {
    test.each([
      [`xlm-treasury --unsigned-xdr ${XDR}`, {}, `{"unsigned_xdr":"${XDR}"}`],
      ["xlm-treasury --unsigned-xdr-file x", { files: { x: `${XDR}\n` } }, `{"unsigned_xdr":"${XDR}"}`],
      ["xlm-treasury --unsigned-xdr-file -", { stdin: `${XDR}\n` }, `{"unsigned_xdr":"${XDR}"}`],
      ["sol-pay --transaction AQABAg==", {}, '{"transaction":"AQABAg=="}'],
      ["sol-pay --transaction-file t", { files: { t: "AQABAg==\r\n" } }, '{"transaction":"AQABAg=="}'],
      ["sol-pay -f b", { files: { b: '{"transaction":"AQABAg=="}' } }, '{"transaction":"AQABAg=="}'],
    ])("%s", async (words, world, body) => expect(await sent(`relayers sign-transaction ${words}`, world)).toBe(body));

    test("prints the response, without the fields of the other network type", async () => {
      const data = '{"signedXdr":"AAAA","signature":"c2ln"}';
      const service = async () => reply(200, `{"success":true,"data":${data},"error":null}`);
      const line = `relayers sign-transaction r1 --unsigned-xdr ${XDR}`;
      expect((await cli(line, { service })).stdout).toBe("signedXdr\tAAAA\nsignature\tc2ln\n");
      const person = await cli(`${line} --color never`, { service, terminal: true });
      expect(person.stdout).toBe("signedXdr    AAAA\nsignature    c2ln\n");
    });

    test.each([
      ["", "--unsigned-xdr: is required for Stellar, or --transaction for Solana"],
      [`--unsigned-xdr ${XDR} --transaction AQAB`, "--transaction AQAB: cannot be combined with unsigned_xdr"],
      ["--unsigned-xdr AAAA", "base64 of a Stellar transaction envelope"],
      ["--unsigned-xdr 'not base64'", "base64 of a Stellar transaction envelope"],
      ["--transaction AQA", "base64 of a serialized Solana transaction"],
    ])("%s is rejected: %s", async (flags, words) => {
      await refused(`relayers sign-transaction r1 ${flags}`, words);
    });

    const written = writtenService("sign-transaction");

    test("prints the field names of each network type", async () => {
      const stellar = await cli(`relayers sign-transaction xlm-1 --unsigned-xdr ${envelopeXdr(0)}`, {
        service: written,
      });
      expect(stellar.stdout).toMatch(/^signedXdr\tAAAAAg\S+\nsignature\t\S+\n$/);
      const solana = await cli(`relayers sign-transaction sol-1 --transaction ${SERIALIZED}`, { service: written });
      expect(solana.stdout).toMatch(/^transaction\tAQ\S+\nsignature\t5VER\S+\n$/);
    });

    test.each([
      ["xlm-1", `--transaction ${SERIALIZED}`, 7, "Invalid request type for Stellar relayer"],
      ["sol-1", `--unsigned-xdr ${envelopeXdr(0)}`, 7, "Invalid request type for Solana relayer"],
      ["xlm-paused", `--unsigned-xdr ${envelopeXdr(0)}`, 6, "Relayer paused"],
    ])("%s refuses with its own message %#", async (relayer, flags, exitCode, words) => {
      const ran = await cli(`relayers sign-transaction ${relayer} ${flags}`, { service: written });
      expect(ran).toMatchObject({ exitCode, stdout: "" });
      expect(ran.stderr).toContain(`error: ${words}\n`);
    });

    test("recorded: keeps the message of an EVM relayer's refusal", async () => {
      const service = async () => replyOf(recordedAs("sign transaction on evm"));
      const ran = await exits(7, "relayers sign-transaction r1 --transaction AQAB", { service });
      expect(ran.stderr).toContain("sign_transaction not supported for EVM");
    });

    test("reports a service older than v1.1", async () => {
      await says(7, "relayers sign-transaction r1 --transaction AQAB", "it was added in v1.1", {
        service: async () => reply(404, ""),
      });
    });
  });
});

describe("a missing value", () => {
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
});
