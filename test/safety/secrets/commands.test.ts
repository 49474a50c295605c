import { cli, exits } from "../../helpers/cli.ts";
import { sampled } from "../../helpers/deep.ts";
import { CANARY_KEY, CANARY_TOKEN } from "../../helpers/scan.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { CARRYING, REFUSED, SECRET_FILES } from "./canaries.ts";

// `cli` itself refuses every output in which a canary is found; these tests lead it to every place where one could be.

const WAYS = ["", "--verbose", "-vv", "--dry-run", "--curl", "-v -o json", "-o raw --verbose"];

describe.each(WAYS.map((way, turn) => [way, turn] as const))("with %j no secret is printed by", (way, turn) => {
  test.each(sampled(CARRYING, WAYS.length, turn))("%s", async (line) => {
    const { exitCode, stdout } = await cli(`${line} ${way}`, { files: SECRET_FILES });
    expect([0, 14]).toContain(exitCode);
    if (/curl|dry/.test(way)) expect(stdout).toMatch(/\$\{RELAYCTL_TOKEN:\?\}/);
  });
});

test.each(["--dry-run", "--curl"])("with %s the password in a webhook URL is replaced by a variable", async (way) => {
  const files = { "hook.json": JSON.stringify({ url: `https://user:${CANARY_KEY}@hooks.example/x` }) };
  for (const line of ["notifications create -f hook.json", "api PATCH /notifications/ops-hook -f hook.json"])
    expect((await cli(`${line} ${way}`, { files })).stdout).toMatch(/\$\{URL:\?\}/);
});

const NO_TOKEN = { RELAYCTL_SERVER: "https://relayer.example" };

describe("the error does not quote the secret in", () => {
  test.each(REFUSED)("%s", async (line) => {
    const ways = ["", "-o json", "--verbose", "-vv"];
    for (const more of sampled(ways, ways.length, line.length)) {
      const { exitCode, stderr } = await cli(`${line} ${more}`, { files: SECRET_FILES, env: NO_TOKEN });
      expect([exitCode, stderr.length > 0]).toEqual([
        expect.toSatisfy((code: number) => code === 2 || code === 4),
        true,
      ]);
    }
  });

  test.each<Record<string, string>>([
    { RELAYCTL_SERVER: `https://user:${CANARY_TOKEN}@relayer.example` },
    { RELAYCTL_SERVER: CANARY_TOKEN },
    { ...NO_TOKEN, RELAYCTL_TOKEN: `${CANARY_TOKEN} ${CANARY_TOKEN}` },
    { ...NO_TOKEN, RELAYCTL_TOKEN: `${CANARY_TOKEN}\n${CANARY_TOKEN}` },
    { ...NO_TOKEN, RELAYCTL_TOKEN: `${CANARY_TOKEN}é` },
    { ...NO_TOKEN, RELAYCTL_PROXY: `ftp://user:${CANARY_TOKEN}@proxy.example` },
    {
      ...NO_TOKEN,
      HTTPS_PROXY: `http://user:${CANARY_TOKEN}@proxy.example/path`,
      RELAYCTL_TOKEN: "another-token-0123",
    },
    { ...NO_TOKEN, RELAYCTL_TOKEN_FILE: "two-tokens" },
    { [`RELAYCTL_${CANARY_TOKEN}`]: "x", ...NO_TOKEN, RELAYCTL_TIMEOUT: "5" },
  ])("the environment %j", async (env) => {
    expect((await cli("relayers list --verbose", { files: SECRET_FILES, env })).exitCode).toBe(2);
  });

  test("a token_command that prints the token and fails", async () => {
    const context = { server: "https://relayer.example", token_command: ["pass", "x"] };
    const config = { version: 1 as const, current: "prod", contexts: { prod: context } };
    await exits(4, "relayers list --verbose", {
      env: {},
      config,
      service: async () => refusal(401, "no"),
    });
  });
});

/** Ways in which a service can throw back what it was sent. */
const ECHOES: readonly [string, string][] = [
  ["the token", CANARY_TOKEN],
  ["the header", `authorization: Bearer ${CANARY_TOKEN}`],
  ["base64", Buffer.from(`x${CANARY_TOKEN}`).toString("base64")],
  ["base64url", Buffer.from(`~~${CANARY_TOKEN}`).toString("base64url")],
  ["percent", encodeURIComponent(`<${CANARY_TOKEN}>`).replaceAll("-", "%2D")],
  ["hex", Buffer.from(CANARY_TOKEN).toString("hex")],
  ["uppercase hex", Buffer.from(CANARY_TOKEN).toString("hex").toUpperCase()],
];

const STATUSES = [400, 401, 403, 404, 409, 418, 429, 500, 502];

describe.each(ECHOES.map(([title, echo], turn) => [title, echo, turn] as const))(
  "the response of a service that echoes %s is redacted",
  (_, echo, turn) => {
    test.each(sampled(STATUSES, 4, turn))("with status %i", async (status) => {
      for (const service of [async () => refusal(status, echo), async () => reply(status, `<html>${echo}</html>`)]) {
        for (const line of [
          "relayers list -v",
          "relayers update eth-main-1 --paused -o json",
          "relayers get eth-main-1 -o raw",
        ]) {
          expect((await cli(line, { service })).exitCode).toBeGreaterThan(1);
        }
      }
    });

    test.each(["table", "json", "ndjson", "yaml", "csv", "tsv", "name", "raw"])("in a result as %s", async (format) => {
      const data = [{ id: "r1", name: echo, disabled_reason: { type: "x", details: echo }, [echo]: echo }];
      const service = async () => success(data, { current_page: 1, per_page: 10, total_items: 1 });
      const { exitCode, stdout } = await cli(`relayers list -o ${format}`, { service });
      expect([exitCode, stdout.includes("r1")]).toEqual([0, true]);
    });
  },
);

test("an unexpected signing key in a response is not shown", async () => {
  const service = async () =>
    success({ id: "h1", type: "webhook", url: "https://h.example", signing_key: CANARY_KEY }, undefined, 201);
  const line = "notifications create --url https://h.example --id h1 --signing-key-file key -o json --verbose";
  expect((await cli(line, { files: SECRET_FILES, service })).stderr).not.toBe("");
});

test("the report of a lost response contains no secret", async () => {
  const service = async () => {
    throw lost();
  };
  const line = "notifications create --url https://h.example --signing-key-file key --verbose";
  expect((await cli(line, { files: SECRET_FILES, service })).exitCode).toBe(11);
});
