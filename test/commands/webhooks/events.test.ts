import { printedEventMeaning } from "../../../src/commands/webhooks/listen/printed-events.ts";
import { EVENT_WORDS } from "../../../src/contract/webhook/catalog.ts";
import { webhookSignature } from "../../../src/contract/webhook/signature.ts";
import { cli, exited, type World } from "../../helpers/cli.ts";

describe("webhooks events", () => {
  const events = (words: string, world: World = {}) => cli(`webhooks events ${words}`.trim(), { env: {}, ...world });

  test("lists every event with its payload types, and when it is sent", async () => {
    const { exitCode, stdout, requests } = await events("");
    expect([exitCode, requests]).toEqual([0, []]);
    expect(stdout.split("\n")).toHaveLength(9);
    expect(stdout).toContain(
      "relayer_state_update\trelayer_enabled\tevm,solana,stellar\t1.2\tThe service enabled a relayer again\n",
    );
  });

  test("prints an example as the service sends it: compact, and without a final newline", async () => {
    const { stdout } = await exited(0, events("transaction_update"));
    expect(stdout).toMatch(
      /^\{"id":"[^"]+","event":"transaction_update","payload":\{"payload_type":"transaction",.*\}$/,
    );
    expect(stdout).toBe(JSON.stringify(JSON.parse(stdout)));
  });

  test.each(EVENT_WORDS)("prints the same example of %s each time", async (word) => {
    const [once, twice] = [await events(word), await events(word)];
    expect(once.stdout).toBe(twice.stdout);
    expect((await events(`${word} -o json`)).stdout).toBe(`${JSON.stringify(JSON.parse(once.stdout), null, 2)}\n`);
    expect((await events(`${word} -o raw`)).stdout).toBe(once.stdout);
  });

  test("formats an example for a terminal", async () => {
    const { stdout } = await events("relayer_enabled", { terminal: true, env: { NO_COLOR: "1" } });
    expect(stdout).toContain('\n  "event": "relayer_state_update",\n');
    expect(stdout).toContain('\n    "payload_type": "relayer_enabled",\n');
  });

  test.each([
    ["transaction_update --network-type stellar", '"sequence_number":"4294967301"'],
    ["transaction_update --network-type solana", '"transaction":"'],
    ["relayer_disabled --network-type stellar", "Sequence synchronization failed"],
    ["solana_dex", '"swap_results":[{"mint"'],
  ])("%s", async (words, part) => expect((await events(words)).stdout).toContain(part));

  test.each([
    [
      "transaction_updated",
      "event transaction_updated: one of transaction_update, ",
      "(did you mean transaction_update?)",
    ],
    ["transaction_failure", "event transaction_failure: one of ", ""],
    ["solana_dex --network-type evm", "--network-type evm: only relayers of kind solana send solana_dex", ""],
    ["--network-type evm", "--network-type: requires an event", ""],
    ["solana_dex --network-type bitcoin", "--network-type bitcoin: one of evm, solana, stellar", ""],
  ])("ends with 2 for %s", async (words, rule, meant) => {
    const { exitCode, stdout, stderr } = await events(words);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(rule);
    expect(stderr).toContain(meant);
    expect(stderr).not.toContain("problems");
  });
});

test.each([
  [{}, "event without a name"],
  [{ event: "" }, "event without a name"],
  [{ event: { odd: 1 } }, "event without a name"],
  [{ event: "a_new_event" }, "a_new_event"],
])("the event %j without a payload is called %s", (event, state) =>
  expect(printedEventMeaning(event, []).state).toBe(state),
);

describe("webhooks verify", () => {
  const OLD = "old".repeat(12);
  const NEW = "new".repeat(12);
  const BODY = '{"id":"1","event":"transaction_update"}';
  const SIGNATURE = webhookSignature(OLD, BODY);

  const files = { "old.key": `${OLD}\n`, "new.key": NEW, "body.json": BODY, "short.key": "short", "empty.key": "\n" };

  const verify = (words: readonly string[], world: World = {}) =>
    cli(["webhooks", "verify", ...words], { env: {}, files, ...world });
  const withKeys = (signature: string, ...keys: string[]) => [
    "--signature",
    signature,
    ...keys.flatMap((key) => ["--signing-key-file", key]),
  ];

  test("shows which key made the signature", async () => {
    const ran = await verify([...withKeys(SIGNATURE, "new.key", "old.key"), "--file", "body.json", "-o", "json"]);
    expect([ran.exitCode, ran.stderr, ran.requests]).toEqual([0, "", []]);
    const expected = { verified: true, key: 2, key_file: "old.key", reason: null, cause: null };
    expect(JSON.parse(ran.stdout)).toEqual(expected);
    const shown = await verify(withKeys(SIGNATURE, "new.key", "old.key"), {
      stdin: BODY,
      stdoutTerminal: true,
      env: { NO_COLOR: "1" },
    });
    expect(shown.stdout).toMatch(/result +verified\nkey +2 of 2: old\.key\n/);
  });

  test.each<[string, string, string | undefined, string?]>([
    ["the body was changed", "{}", undefined],
    ["the key is another", BODY, undefined, webhookSignature("x".repeat(32), BODY)],
    ["the body got a final newline", `${BODY}\n`, "made with old.key, for this body without its final newline"],
    [
      "the body got a final line ending of Windows",
      `${BODY}\r\n`,
      "made with old.key, for this body without its final newline",
    ],
    [
      "the body lost its final newline",
      BODY,
      "made with old.key, for this body with a final newline",
      webhookSignature(OLD, `${BODY}\n`),
    ],
    [
      "the body was reformatted",
      JSON.stringify(JSON.parse(BODY), null, 2),
      "made with old.key, for this body as compact JSON: it was reformatted",
    ],
    [
      "the final newline of the key file is a part of the key",
      BODY,
      "made with old.key and its final newline, for this body",
      webhookSignature(`${OLD}\n`, BODY),
    ],
  ])("ends with 13 if %s", async (_, body, cause, signature = SIGNATURE) => {
    const ran = await exited(13, verify([...withKeys(signature, "new.key", "old.key"), "-o", "json"], { stdin: body }));
    expect(JSON.parse(ran.stdout)).toEqual({
      verified: false,
      key: null,
      key_file: null,
      reason: "mismatch",
      cause: cause ?? null,
    });
    const [error] = ran.stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).error);
    expect(error).toMatchObject({ code: "unmet", exit_code: 13, applied: "no" });
    expect(error.message).toContain("any of these 2 keys");
  });

  const hex = Buffer.from(SIGNATURE, "base64").toString("hex");
  const made = "; made with old.key, for this body";
  test.each([
    ["hex", hex, `the signature is hex, not base64${made}`],
    ["a prefix", `sha256=${SIGNATURE}`, `the signature begins with sha256=${made}`],
    ["missing padding", SIGNATURE.slice(0, -1), `the signature has no padding${made}`],
    ["two kinds of padding", `${SIGNATURE}=`, `the signature has too much padding${made}`],
    ["a space", `${SIGNATURE} `, `the signature has spaces around it${made}`],
    ["a cut signature", SIGNATURE.slice(0, 20), "the signature has 20 characters, and is not base64 of 32 bytes"],
    ["another text", "🔑", "the signature has 2 characters, and is not base64 of 32 bytes"],
  ])("explains a malformed signature: %s", async (_, signature, cause) => {
    const ran = await exited(13, verify([...withKeys(signature, "old.key"), "-o", "json"], { stdin: BODY }));
    expect(JSON.parse(ran.stdout)).toMatchObject({ verified: false, reason: "malformed", cause });
  });

  test("explains URL-safe base64", async () => {
    const body = bodies().find((each) => /[+/]/.test(webhookSignature(OLD, each))) ?? "";
    const urlSafe = webhookSignature(OLD, body).replaceAll("+", "-").replaceAll("/", "_");
    const ran = await verify([`--signature=${urlSafe}`, "--signing-key-file", "old.key", "-o", "json"], {
      stdin: body,
    });
    const cause = `the signature is URL-safe base64${made}`;
    expect(JSON.parse(ran.stdout)).toMatchObject({ reason: "malformed", cause });
  });

  test("verifies bytes that are not text", async () => {
    const read = async () => Uint8Array.of(0xff, 0x00, 0xfe);
    const { app } = await import("../../helpers/test-app.ts").then(({ testApp }) => testApp({ env: {}, files }));
    const { runArgv } = await import("../../../src/cli/run.ts");
    const argv = ["webhooks", "verify", ...withKeys(webhookSignature(OLD, await read()), "old.key")];
    expect(await runArgv({ ...app, stdin: { isTerminal: false, read } }, argv)).toBe(0);
  });

  test("warns about a key that the service would refuse, and verifies with it", async () => {
    const ran = await exited(0, verify(withKeys(webhookSignature("short", BODY), "short.key"), { stdin: BODY }));
    expect(ran.stderr).toBe(
      "warning: --signing-key-file short.key: services up to v1.8 refuse a signing key of less than 32 bytes\n",
    );
  });

  test.each([
    [[], ["--signature: is required", "--signing-key-file: is required"]],
    [withKeys("", "old.key"), ["--signature: is empty"]],
    [withKeys(SIGNATURE, "empty.key"), ["the file is empty"]],
    [withKeys(SIGNATURE, "missing.key"), ["--signing-key-file: cannot be read"]],
    [[...withKeys(SIGNATURE, "old.key"), "--file", "missing.json"], ["missing.json: cannot be read"]],
    [withKeys(SIGNATURE, "-"), ["--file: is required if the signing key is read from stdin"]],
    [[...withKeys(SIGNATURE, "-"), "--file", "-"], ["stdin can be read only once"]],
    [[...withKeys(SIGNATURE, "old.key"), "--dry-run"], ["--dry-run: not supported"]],
  ])("ends with 2 for %j", async (words, rules) => {
    const ran = await verify(words, { stdin: BODY });
    expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
    for (const rule of rules) expect(ran.stderr).toContain(rule);
  });

  test("prompts for a key at a terminal, hidden", async () => {
    const words = [...withKeys(SIGNATURE, "-"), "--file", "body.json"];
    const ran = await verify(words, { terminal: true, answers: [OLD] });
    expect([ran.exitCode, ran.questions]).toEqual([0, ["Signing key (hidden):"]]);
  });

  function bodies(): string[] {
    return Array.from({ length: 20 }, (_, index) => `{"id":"${index}"}`);
  }

  describe("webhooks sign", () => {
    const sign = (words: readonly string[], world: World = {}) =>
      cli(["webhooks", "sign", ...words], { env: {}, files, ...world });

    test("prints the signature of every byte, and nothing else", async () => {
      const ran = await sign(["--signing-key-file", "old.key", "--file", "body.json"]);
      expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([0, `${SIGNATURE}\n`, ""]);
    });

    test.each([
      [`${BODY}\n`, "note: the signature includes the newline at the end of the body\n"],
      ["", "note: the body is empty\n"],
    ])("signs %j, with a note", async (body, note) => {
      const ran = await sign(["--signing-key-file", "old.key"], { stdin: body });
      expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([0, `${webhookSignature(OLD, body)}\n`, note]);
    });

    test.each([
      [[], "--signing-key-file: is required"],
      [["--signing-key-file", "short.key"], "--signing-key-file: needs 32 bytes or more"],
      [["--signing-key-file", "empty.key"], "the file is empty"],
      [["--signing-key-file", "-"], "--file: is required if the signing key is read from stdin"],
      [["--signing-key-file", "old.key", "--signing-key-file", "new.key"], "--signing-key-file: specified twice"],
    ])("ends with 2 for %j", async (words, rule) => {
      const ran = await sign(words, { stdin: BODY });
      expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
      expect(ran.stderr).toContain(rule);
    });

    test("a key that is refused is not printed", async () => {
      const ran = await sign(["--signing-key-file", "short.key"], {
        files: { "short.key": "0123456789secret" },
        stdin: "",
      });
      expect(ran.stderr).not.toContain("secret");
    });
  });
});
