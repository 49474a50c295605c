import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import { commonTargetFlags } from "../../src/command-support/common-flags.ts";
import { cli, ends, says } from "../helpers/cli.ts";
import { reply } from "../helpers/service/reply.ts";

const RELAYER = '{"success":true,"data":{"id":"r1","paused":true},"error":null}';

function responding(body: string, headers: Record<string, string> = {}): Transport {
  return async () => ({ ...reply(200, body), headers });
}

describe("-v", () => {
  test("prints the request ID and the headers of request and response, and masks the token", async () => {
    const service = responding(RELAYER, { "x-request-id": "2b26f143", "x-api-key": "canary-key", "set-cookie": "a=b" });
    const { stderr } = await cli("relayers pause r1 -v", { service });
    expect(stderr.replace(/\d+ ms/g, "N ms")).toContain(`\
> PATCH /api/v1/relayers/r1 (attempt 1 of 3)
>   authorization: ***
>   accept: application/json
>   accept-encoding: identity
>   user-agent: relayctl/0.1.0
>   content-type: application/json
< 200, 62 bytes, N ms
<   x-request-id: 2b26f143
<   x-api-key: ***
<   set-cookie: ***
`);
    expect(stderr).not.toContain('"paused"');
  });

  test("prints the headers of a refusal, and none without a response", async () => {
    const refused: Transport = async () => ({ ...reply(404, "{}"), headers: { "x-request-id": "77" } });
    expect((await cli("api GET /things -v", { service: refused })).stderr).toContain("<   x-request-id: 77\n");
    const lost: Transport = async () => {
      throw new TransportFailure("connect", "connection refused", { sent: false });
    };
    expect((await cli("api GET /things -v --retries 0", { service: lost })).stderr).not.toContain("<  ");
  });

  test("escapes what a service puts into a header", async () => {
    const { stderr } = await cli("api GET /things -v", { service: responding("{}", { "x-a": "\u001b[2Jb\u202e" }) });
    expect(stderr).toContain("<   x-a: \\u{1b}[2Jb\\u{202e}\n");
  });

  test("is silent with --quiet", async () =>
    expect((await cli("api GET /things -vv -q", { service: responding("{}") })).stderr).toBe(""));
});

describe("-vv", () => {
  test.each(["-vv", "-v -v", "--verbose --verbose", "-vvv"])("prints bodies too: %s", async (flags) => {
    const { stderr } = await cli(`relayers pause r1 ${flags}`, { service: responding(RELAYER) });
    expect(stderr).toContain('>   {\n>     "paused": true\n>   }\n');
    expect(stderr).toContain('<       "id": "r1",\n');
  });

  test("masks signing keys, secrets of signers, and URLs, in any body", async () => {
    const secrets = ["canary-signing-key-of-32-characters", "canary-signer-key", "canary-path", "canary-unknown"];
    const [key, signer, path, unknown] = secrets;
    const body = `{"data":[{"config":{"key":"${signer}"},"deep":{"client_secret":"${unknown}","urls":["https://u:${path}@h.example/${path}"]}}],"signing_key":"${key}"}`;
    const { stderr } = await cli("api POST /things -f b.json -vv --yes", {
      service: responding(body),
      files: { "b.json": body },
    });
    for (const secret of secrets) expect(stderr).not.toContain(secret);
    expect(stderr).toContain('"signing_key": "***"');
    expect(stderr).toContain('"https://h.example/***"');
  });

  test("keeps every digit of an integer", async () => {
    const service = responding('{"n":340282366920938463463374607431768211457}');
    expect((await cli("api GET /things -vv", { service })).stderr).toContain(
      '<     "n": 340282366920938463463374607431768211457\n',
    );
  });

  test("cuts long bodies, and does not print very long ones", async () => {
    const many = responding(`[${Array.from({ length: 500 }, (_, index) => index)}]`);
    expect((await cli("api GET /things -vv", { service: many })).stderr).toContain("<   … 402 more lines\n");
    const long = responding(`"${"x".repeat(5_000)}"`);
    expect((await cli("api GET /things -vv", { service: long })).stderr).toContain("… 3002 more characters\n");
    const huge = responding(`"${"x".repeat(2 ** 20)}"`);
    expect((await cli("api GET /things -vv", { service: huge })).stderr).toContain(
      "<   (a body of 1048578 bytes, not shown)\n",
    );
  });

  test("escapes a body that is not JSON", async () => {
    const { stderr } = await cli("api GET /things -vv", { service: responding("up\u001b[2J\r\n::error::x\n") });
    expect(stderr).toContain("<   up\\u{1b}[2J\\u{d}\n<   ::error::x\n");
  });
});

const files = {
  broken: "{",
  text: "no JSON",
  string: '{"type":"plain","config":"x"}',
  nope: '{"type":"nope","config":{}}',
  five: '{"type":5}',
};
const VAULT = "signers create --type vault --address https://v.example.org --key-name k";

describe("one cause is one problem", () => {
  test.each([
    ["signers create -f broken", "broken: is not JSON"],
    ["relayers create -f broken", "broken: is not JSON"],
    ["relayers sign eth-main-1 -f broken", "broken: is not JSON"],
    ["relayers rpc eth-main-1 -f broken", "broken: is not JSON"],
    ["notifications create -f broken", "broken: is not JSON"],
    ["networks update evm:sepolia -f broken", "broken: is not JSON"],
    ["tx send eth-main-1 -f broken", "broken: is not JSON"],
    ["signers create --type plain --key-file nofile", "--key-file: cannot be read"],
    ["relayers sign eth-main-1 --message-file nofile", "nofile: "],
    [`${VAULT} --role-id-file - --secret-id-file -`, "-: stdin can be read only once per command"],
    ["networks update evm:sepolia", "--rpc-url: At least one field must be provided for update"],
  ])("%s", (line, problem) => says({ exitCode: 2, requests: [] }, line, `error: ${problem}`, { files, stdin: "role" }));

  test("an invalid service account is not also reported as missing", async () => {
    const { stderr } = await cli("signers create --type google_cloud_kms --service-account-file text", { files });
    expect(stderr).toContain("text: is not JSON");
    expect(stderr).toContain("--location: is required");
    expect(stderr).not.toContain("--service-account-file: is required");
  });

  test("flags are validated even if a file cannot be read", async () => {
    const { stderr } = await cli("signers create --type plain --key-file nofile --id a.b", { files });
    expect(stderr).toContain("error: 2 problems");
    expect(stderr).toContain("--id a.b: ID must contain only");
  });
});

test.each([
  ["string", "string config: an object"],
  ["nope", "nope type nope: one of plain"],
  ["five", "five type 5: one of plain"],
])("an error in a file is reported with the name of the file: signers create -f %s", (file, problem) =>
  says({ exitCode: 2, requests: [] }, `signers create -f ${file}`, `error: ${problem}`, { files }),
);

test("nothing is asked if the file of a body cannot be read", async () => {
  const ran = await ends({ exitCode: 2, questions: [] }, "signers create -i -f broken", { files, terminal: true });
  expect(ran.stderr).toContain("error: broken: is not JSON");
});

test.each(["-", "/dev/stdin", "/dev/fd/63", "/proc/self/fd/63"])(
  "a printed command does not repeat %s, which has its content once",
  (path) => {
    const header = [`@${path}`, "@headers", "X-Key: value"];
    expect(commonTargetFlags({ demo: true, tokenFile: path, header })).toEqual(["--demo", "--header", "@headers"]);
    expect(commonTargetFlags({ tokenFile: `./${path}` })).toEqual(["--token-file", `./${path}`]);
  },
);
