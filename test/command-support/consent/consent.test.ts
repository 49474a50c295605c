import { cancelError } from "../../../src/errors.ts";
import { cli, ends, exits, inProd, SERVER, TOKEN, type World } from "../../helpers/cli.ts";
import { PRICES_IGNORED } from "../../helpers/receipts.ts";

const REPLACE = "tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const FILES = {
  "pause.json": '{"paused":true}',
  "pause-more.json": '{"paused":true,"name":"x"}',
  "reset.json": '{"policies":null}',
  "open.json": '{"policies":{"whitelist_receivers":null}}',
  "none.json": '{"policies":{"whitelist_receivers":[]}}',
  "unsigned.json": '{"signing_key":""}',
  "signed.json": '{"signing_key":"0123456789-0123456789-0123456789-abc"}',
  "create.json": '{"url":"https://hooks.example.org/new"}',
  "replace.json": '{"value":1}',
  "no-tokens.json": '{"allowed_tokens":[]}',
  "any-token.json": '{"policies":{"allowed_tokens":null}}',
};
const PROTECTED: World = inProd({ protected: true });

/** Every operation, typed and through `api`, and the flag that agrees to it outside a protected context. */
const OPERATIONS: readonly [string, "nothing" | "--yes" | `--confirm ${string}`][] = [
  ["relayers list", "nothing"],
  ["notifications get ops-hook", "nothing"],
  ["api GET /relayers", "nothing"],
  ["relayers pause eth-main-1", "nothing"],
  ["relayers resume eth-main-2", "nothing"],
  ["relayers update eth-main-1 --name x", "nothing"],
  ["relayers update eth-main-1 --policy gas_price_cap=1gwei", "nothing"],
  ["relayers update eth-main-1 -f pause.json", "nothing"],
  ["api PATCH /relayers/eth-main-1 -f pause.json", "nothing"],
  ["notifications create --url https://hooks.example.org/new", "nothing"],
  ["api POST /notifications -f create.json", "nothing"],
  ["notifications update ops-hook --url https://hooks.example.org/new", "nothing"],
  ["api PATCH /notifications/ops-hook -f signed.json", "nothing"],
  [`${REPLACE} --value 1`, "--yes"],
  [REPLACE.replace("replace", "cancel"), "--yes"],
  ["tx send base-hot --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 1wei --speed fast", "--yes"],
  [`api PUT /relayers/eth-main-1/transactions/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 -f replace.json`, "--yes"],
  ["notifications update ops-hook --remove-signing-key", "--yes"],
  ["notifications update ops-hook -f unsigned.json", "--yes"],
  ["api PATCH /notifications/ops-hook -f unsigned.json", "--yes"],
  ["relayers update eth-main-2 --reset-policies", "--confirm eth-main-2"],
  ["relayers update eth-main-2 -f reset.json", "--confirm eth-main-2"],
  ["api PATCH /relayers/eth-main-2 -f reset.json", "--confirm eth-main-2"],
  ["relayers update eth-main-2 --unset-policy whitelist_receivers", "--confirm eth-main-2"],
  ["relayers update eth-main-2 --policy whitelist_receivers=[]", "--confirm eth-main-2"],
  ["relayers update eth-main-2 -f none.json", "--confirm eth-main-2"],
  ["relayers update eth-main-2 -f open.json", "--confirm eth-main-2"],
  ["api PATCH /relayers/eth-main-2 -f open.json", "--confirm eth-main-2"],
  ["api PATCH /relayers/%65th-main-2 -f open.json", "--confirm eth-main-2"],
  ["api PATCH relayers/eth-main-2?x=1 -f open.json", "--confirm eth-main-2"],
  ["relayers update sol-pay --policy allowed_tokens=[]", "--confirm sol-pay"],
  ["relayers update sol-pay --policies no-tokens.json", "--confirm sol-pay"],
  ["relayers update sol-pay --unset-policy allowed_tokens", "--confirm sol-pay"],
  ["relayers update sol-pay --policy disallowed_accounts=[]", "--confirm sol-pay"],
  ["relayers update sol-pay -f any-token.json", "--confirm sol-pay"],
];

/** Bodies of a PATCH that the embedded server refuses, or not: what another service would do with them is what counts. */
const STRANGE_PATCHES = [
  ...["null", "[]", '""', "false", "0", '"x"'],
  ...["[]", '""', "false", "0", "[null]"].map((policies) => `{"policies":${policies}}`),
  ...['""', "{}", "false", '[""]', "[[]]", "0"].map((listed) => `{"policies":{"whitelist_receivers":${listed}}}`),
  ...['{"policies":{"Whitelist_receivers":null}}', '{"paused":true,"owner":1}', '{"paused":"true"}'],
];

/** The embedded server refuses these routes. What counts is that relayctl asks first. */
const UNKNOWN_WRITES = ["api DELETE /relayers/eth-main-1", "api POST /relayers/eth-main-1/rpc", "api PUT /plugins/p1"];

const isRead = (line: string) => / (?:list|get|GET) /.test(`${line} `);
const pausesOnly = (line: string) => /pause eth|-f pause\.json/.test(line);

describe("without a terminal", () => {
  test.each(OPERATIONS)("%s needs %s", async (line, needed) => {
    const ran = await exits(needed === "nothing" ? 0 : 3, line, { files: FILES });
    expect(ran.writes.length > 0).toBe(needed === "nothing" && !isRead(line));
    if (needed === "nothing") return;
    if (needed === "--yes") expect(ran.requests).toEqual([]);
    expect(ran.stderr).toContain("nothing was sent");
    expect(ran.stderr.trimEnd().endsWith(` ${needed}`)).toBe(true);
    expect((await cli(`${line} ${needed}`, { files: FILES })).exitCode).toBe(0);
  });

  test.each(OPERATIONS.filter(([, needed]) => needed.startsWith("--confirm")))(
    "--yes is insufficient: %s",
    async (line) => {
      await ends({ exitCode: 3, writes: [] }, `${line} --yes`, { files: FILES });
    },
  );

  test.each(UNKNOWN_WRITES)("an unknown write needs confirmation: %s", async (line) => {
    expect(await cli(line)).toMatchObject({ exitCode: 3, requests: [] });
    expect((await cli(`${line} --yes`)).requests).toHaveLength(1);
  });

  test.each(STRANGE_PATCHES)("an invalid patch of a relayer requires the relayer's ID: %s", async (body) => {
    const files = { "b.json": body };
    for (const flags of ["", " --yes"]) {
      const ran = await cli(`api PATCH /relayers/eth-main-2 -f b.json${flags}`, { files });
      expect(ran).toMatchObject({ exitCode: 3, requests: [] });
      expect(ran.stderr).toMatch(/ --confirm eth-main-2\n$/);
    }
    const agreed = await cli("api PATCH /relayers/eth-main-2 -f b.json --confirm eth-main-2", { files });
    expect(agreed.writes.map(({ method }) => method)).toEqual(["PATCH"]);
  });

  test.each(["api PUT /relayers/eth-main-2 -f reset.json", "api PATCH /Relayers/eth-main-2 -f reset.json"])(
    "an unknown request that may replace a relayer requires the service's name: %s",
    async (line) => {
      expect(await cli(`${line} --yes`, { files: FILES })).toMatchObject({ exitCode: 3, requests: [] });
      expect((await cli(`${line} --confirm ${SERVER}`, { files: FILES })).requests).toHaveLength(1);
    },
  );

  test("a wrong --confirm is rejected, and the hint corrects it", async () => {
    const ran = await cli("relayers update eth-main-2 --confirm eth-main-1 --reset-policies");
    expect(ran).toMatchObject({ exitCode: 3, requests: [] });
    expect(ran.stderr).toBe(
      "error: changing a relayer requires confirmation, and --confirm does not match\n" +
        "  nothing was sent\n" +
        "  hint: relayctl relayers update eth-main-2 --reset-policies --confirm eth-main-2\n",
    );
  });

  test("missing data is reported before missing confirmation", () =>
    exits(2, `${REPLACE} --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc`));
});

describe("in a protected context", () => {
  test.each(OPERATIONS)("%s", async (line) => {
    const free = isRead(line) || pausesOnly(line);
    const ran = await exits(free ? 0 : 3, line, { ...PROTECTED, files: FILES });
    if (free) return;
    expect(ran.writes).toEqual([]);
    expect(ran.stderr).toMatch(/ --confirm prod\n$/);
    expect((await cli(`${line} --yes`, { ...PROTECTED, files: FILES })).exitCode).toBe(3);
    expect((await cli(`${line} --confirm prod`, { ...PROTECTED, files: FILES })).exitCode).toBe(0);
  });

  test("a pause along with another change needs confirmation", async () =>
    expect((await cli("relayers update eth-main-1 -f pause-more.json", { ...PROTECTED, files: FILES })).exitCode).toBe(
      3,
    ));
});

describe("on a terminal", () => {
  test.each(OPERATIONS)("%s", async (line, needed) => {
    const word = needed === "--yes" ? true : (needed.split(" ")[1] ?? true);
    const world = { terminal: true, files: FILES };
    const yes = await exits(0, line, { ...world, answers: [word] });
    expect(yes.questions).toHaveLength(needed === "nothing" ? 0 : 1);
    if (needed === "nothing") return;
    for (const answer of word === true ? [false] : ["", "yes", "eth-main-1"])
      expect(await cli(line, { ...world, answers: [answer] })).toMatchObject({ exitCode: 3, writes: [] });
  });

  test("a protected context requires its name", async () => {
    const world = { ...PROTECTED, terminal: true };
    const ran = await cli("relayers update eth-main-1 --name x", { ...world, answers: ["prod"] });
    expect(ran).toMatchObject({
      exitCode: 0,
      questions: [
        expect.stringMatching(/^(?:Update|Pause|Delete|Resume) (?:relayer|notification) .+\? Type "prod" to confirm:$/),
      ],
    });
    expect(await cli("relayers update eth-main-1 --name x", { ...world, answers: ["eth-main-1"] })).toMatchObject({
      exitCode: 3,
      writes: [],
    });
  });

  test("--yes replaces the question", async () =>
    expect(await cli(`${REPLACE} --value 1 --yes`, { terminal: true })).toMatchObject({ exitCode: 0, questions: [] }));

  test("Ctrl-C at the question exits with 130, and sends nothing", async () => {
    const answers = [cancelError("interrupted")];
    expect(await cli(`${REPLACE} --value 1`, { terminal: true, answers })).toMatchObject({ exitCode: 130, writes: [] });
  });

  test("the effect is shown even with --quiet", async () => {
    const ran = await cli(`${REPLACE} --value 1 -q`, { terminal: true, answers: [false] });
    expect(ran.stderr).toContain(
      `replace transaction 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 of eth-main-1 in ${SERVER}\n`,
    );
  });

  test.each([
    ["--no-input", {}, "--no-input rules out prompts"],
    ["", { CI: "true" }, "CI rules out prompts"],
    ["", { RELAYCTL_NO_INPUT: "1" }, "RELAYCTL_NO_INPUT rules out prompts"],
  ])("there is no question with %s %o", async (flag, env: Record<string, string>, why) => {
    const target = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN };
    const ran = await cli(`${REPLACE} --value 1 ${flag}`, { terminal: true, env: { ...target, ...env } });
    expect(ran).toMatchObject({ exitCode: 3, requests: [], questions: [] });
    expect(ran.stderr).toContain(`requires confirmation, and ${why}`);
  });

  test("there is no question if only stdout is a terminal", async () =>
    expect((await cli(`${REPLACE} --value 1`, { stdoutTerminal: true })).exitCode).toBe(3));

  test("the effect is described completely", async () => {
    const told = async (line: string) => (await cli(line, { terminal: true, answers: ["no"], files: FILES })).stderr;
    expect(await told("relayers update eth-main-2 --policy whitelist_receivers=[]")).toContain(
      "whitelist_receivers is empty: this relayer may send only to itself and the zero address\n",
    );
    expect(await told("relayers update eth-main-2 --unset-policy whitelist_receivers")).toContain(
      "may send to any address",
    );
    expect(await told("relayers update eth-main-2 --reset-policies")).toContain("any receiver will be allowed");
    expect(await told("notifications update ops-hook --remove-signing-key")).toContain("deliveries will be unsigned");
    expect(await told(`${REPLACE} --value 1 --gas-price 30gwei`)).toContain(PRICES_IGNORED);
  });
});
