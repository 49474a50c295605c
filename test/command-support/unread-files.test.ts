import { cli, ends, says } from "../helpers/cli.ts";

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
    ["signers create --type plain --key-file nofile", "nofile: "],
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
