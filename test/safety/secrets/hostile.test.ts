import { fileError, throwUnnamedFileError } from "../../../src/config/files/file-error.ts";
import { createSecrets } from "../../../src/config/token/secrets.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { shownTop } from "../../commands/top/shown-top.ts";
import { cli, SERVER } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { CANARY_KEY, CANARY_TOKEN } from "../../helpers/scan.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";

const TOKENS = [
  `tok_a."b'c&d<e|f-0123456789`,
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl_-",
  "tok_a_plain_0123456789",
];

const ENCODERS: Record<string, (text: string) => string> = {
  json: (text) => JSON.stringify(text).slice(1, -1),
  csv: (text) => text.replaceAll('"', '""'),
  shell: (text) => text.replaceAll("'", "'\\''"),
  xml: (text) => text.replace(/[&<>"]/g, (found) => `&#${found.charCodeAt(0)};`),
  markdown: (text) => text.replace(/[^A-Za-z0-9]/g, (found) => `&#${found.charCodeAt(0)};`),
  escapes: (text) => text.replace(/[^A-Za-z0-9]/g, (found) => `\\${found}`),
};

test.each(TOKENS)("no encoder of an output hides %s", (token) => {
  const secrets = createSecrets();
  secrets.add(token);
  for (const encode of Object.values(ENCODERS)) expect(secrets.redact(`x ${encode(token)} y`)).toBe("x ‹redacted› y");
});

test.each(TOKENS)("a finding of doctor in JUnit's XML does not quote %s", async (token) => {
  const lineFiles = new Map<string, string[]>();
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: token };
  const service = async () => refusal(403, `the gateway refuses ${token}`);
  const { stdout, stderr } = await cli("doctor --junit out.xml", { env, service, lineFiles, isMalformed: true });
  const all = `${[...lineFiles.values()].flat().join()} ${stdout} ${stderr}`;
  const decoded = all.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  expect(decoded).toContain("‹redacted›");
  expect(decoded).not.toContain(token);
});

test("a number is never masked in part, and a short secret only as a whole value", () => {
  const secrets = createSecrets();
  for (const secret of ["12345678", "deadbeef", "s3cret"]) secrets.add(secret);
  const same = ["9912345678000", "0.12345678", "0xdeadbeef00000000", "the s3cret word"];
  for (const text of same) expect(secrets.masked(text)).toBe(text);
  expect(secrets.masked({ a: ["s3cret", "12345678"] })).toEqual({ a: ["‹redacted›", "‹redacted›"] });
});

test("a masked error keeps what it decides, and its cause quotes nothing", () => {
  const secrets = createSecrets();
  secrets.add("tok_a_plain_0123456789");
  const cause = new Error("sent tok_a_plain_0123456789");
  const error = new RelayctlError("unknown", "lost tok_a_plain_0123456789", { cause }).masked(secrets.masked);
  expect([error.failure, error.applied, error.exitCode]).toEqual(["unknown", "unknown", 11]);
  expect(`${error.message}${error.stack}${(error.cause as Error).stack}`).not.toContain("0123456789");
});

/** Responses with the token after so much text that a bound of what is shown may cut it. */
const LONG: Record<string, (text: string) => WireReply> = {
  refusal: (text) => refusal(400, text),
  failure: (text) => reply(200, { success: false, data: null, error: text }),
  text: (text) => reply(502, text),
  page: (text) => reply(403, `<html><title>${text}</title><body>${text}</body></html>`),
  json: (text) => reply(500, { errors: [text] }),
  partial: (text) => reply(401, `{"error":"${text}`),
  redirect: (text) => reply(302, "", { location: `/login/${text}` }),
  rpc: (text) => success({ jsonrpc: "2.0", id: 1, error: { code: -32000, message: text, description: text } }),
};
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const CUT = [
  "relayers list",
  "relayers pause base-hot --yes -vv",
  `tx send base-hot --to ${TO} --value 1 --gas-limit 21000 --speed fast --yes`,
  "relayers rpc base-hot eth_blockNumber",
  "plugins call daily-report --yes",
  "doctor",
];
const SHORT_CUT = [
  "server health",
  "webhooks test --to http://me:PASSWORD@receiver.example.org --signing-key-file key",
];

const PLACES = [500, 2_000, 8_192].flatMap((most) =>
  Array.from({ length: 10 }, (_, index) => most - 15 * (index + 1)).flatMap((at) =>
    Object.values(LONG).map((build) => ({ at, build })),
  ),
);

/** Responds with a text only to a request with credentials, which are known from then on. */
async function expectUncut(line: string, build: () => WireReply): Promise<void> {
  const service = async ({ headers }: WireRequest) =>
    headers.authorization === undefined ? refusal(401, "Unauthorized") : build();
  const nodes = { "http://receiver.example.org": service };
  const files = { key: CANARY_KEY };
  const { stdout, stderr } = await cli(line.replace("PASSWORD", CANARY_TOKEN), {
    ...{ service, nodes, files, isMalformed: true },
  });
  expect(stdout + stderr).not.toContain(CANARY_TOKEN.slice(0, 10));
}

test.each(CUT)("no cut of a long text leaves a part of the token: %s", async (line) => {
  for (const { at, build } of sampled(PLACES, 11, CUT.indexOf(line)))
    await expectUncut(line, () => build(`${"lorem ipsum ".repeat(at).slice(0, at - 1)} ${CANARY_TOKEN}`));
});

test.each(SHORT_CUT)("no cut of a short text leaves a part of the token: %s", async (line) => {
  for (const at of [175, 180, 185]) await expectUncut(line, () => reply(404, `${"x".repeat(at)} ${CANARY_TOKEN}`));
  for (const at of [175, 180, 185]) await expectUncut(line, () => reply(200, `${"x".repeat(at)} ${CANARY_TOKEN}`));
});

test.each(["details", "type", "name", "network"])("no cell of top has a part of the token: %s", async (member) => {
  for (const before of [0, 5, 12, 30]) {
    const told = "x".repeat(before) + CANARY_TOKEN;
    const own = { ...BASE, [member]: told, disabled_reason: { type: "Other", details: "", [member]: told } };
    const service = async ({ target }: { target: string }) =>
      target.includes("/transactions") ? success([{ id: told, status: told, hash: told, to: told }]) : success([own]);
    const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: CANARY_TOKEN, NO_COLOR: "1", LC_ALL: "C.UTF-8" };
    const top = await shownTop("top", { service, env, columns: 60 });
    await top.type("\r");
    await top.pass(1);
    await top.type("q", "q");
    await top.ended;
    expect(top.stdout.text()).not.toContain(CANARY_TOKEN.slice(0, 10));
  }
});

const BASE = { id: "base-hot", name: "B", network: "base", network_type: "evm", paused: false, system_disabled: true };

/** Tokens of identity providers have several hundred characters. */
const LONG_TOKEN = Array.from({ length: 40 }, (_, index) => `Tk${index}pQz9`).join("-");

test.each([
  ...[`tx send r1 --to ${LONG_TOKEN} --value 1`, `relayers list -o ${LONG_TOKEN}`],
  ...["tx send-many r1 -f rows.csv --yes", `relayers update r1 --policy gas_price_cap=${LONG_TOKEN}`],
])("no problem with an input quotes a part of a long token: %s", async (line) => {
  const files = { "rows.csv": `to,value\n${LONG_TOKEN},${LONG_TOKEN}\n` };
  const { exitCode, stdout, stderr } = await cli(line, {
    env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: LONG_TOKEN },
    files,
  });
  expect(exitCode).not.toBe(0);
  expect(stdout + stderr).not.toContain(LONG_TOKEN.slice(0, 10));
});

test.each([
  ["relayers list --token-file SECRET", "--token-file: cannot be read: it does not exist"],
  ["relayers list --header @SECRET", "--header: cannot be read: it does not exist"],
  ["notifications create --url https://a.io --signing-key-file SECRET", "--signing-key-file: cannot be read"],
  ["webhooks test --to https://a.io --signing-key-file SECRET", "--signing-key-file: cannot be read"],
])("a secret in place of its file is not quoted: %s", async (line, words) => {
  const { stderr, exitCode } = await cli(line.replace("SECRET", "sk_live_0123456789abcdef"));
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(words) });
  expect(stderr).not.toContain("sk_live");
});

test.each([
  ["RELAYCTL_TOKEN_FILE", {}],
  ["RELAYCTL_KEY", { RELAYCTL_TOKEN: CANARY_TOKEN, RELAYCTL_CERT: "cert.pem" }],
  ["RELAYCTL_CERT", { RELAYCTL_TOKEN: CANARY_TOKEN }],
  ["RELAYCTL_KEY_PASSPHRASE_FILE", { RELAYCTL_TOKEN: CANARY_TOKEN, RELAYCTL_CERT: "cert.pem" }],
])("a secret in the variable for its file is not quoted: %s", async (name, more) => {
  const env = { RELAYCTL_SERVER: "https://a.io", [name]: "sk_live_0123456789", ...more };
  const { stderr } = await cli("relayers list", { env, files: { "cert.pem": "-----BEGIN CERTIFICATE-----" } });
  expect(stderr).toContain(`${name}: cannot be read: it does not exist`);
  expect(stderr).not.toContain("sk_live");
});

test("a secret's file that exists is quoted", () => {
  const denied = fileError("key.pem", "read", Object.assign(new Error("denied"), { code: "EACCES" }));
  expect(() => throwUnnamedFileError("--key")(denied)).toThrow("key.pem: cannot be read: permission denied");
});

test.each([
  "notifications update ops --url https://hooks.example.org/?token=‹redacted›",
  "api PATCH /notifications/ops -f body.json --yes",
  "apply -f fleet.yaml --yes",
  "plan -f fleet.yaml",
])("what was printed in place of a secret is never sent as the value: %s", async (line) => {
  const hook = { id: "ops", type: "webhook", url: `https://hooks.example.org/?token=${CANARY_TOKEN}` };
  const env = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: CANARY_TOKEN };
  const service = async ({ target }: WireRequest) => success(/notifications(?:\?|$)/.test(target) ? [hook] : hook);
  const { url } = JSON.parse((await cli("notifications get ops -o json", { env, service })).stdout);
  expect(url).toBe("https://hooks.example.org/?token=‹redacted›");
  const fleet = `notifications:\n  - id: ops\n    type: webhook\n    url: ${url}\n`;
  const files = { "body.json": JSON.stringify({ url }), "fleet.yaml": fleet };
  const ran = await cli(line, { env, service, files });
  expect(ran).toMatchObject({ exitCode: 2, writes: [], stderr: expect.stringContaining("stands for a secret") });
});
