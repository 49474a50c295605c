import { writeJson } from "../../../src/contract/json.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { cli, ends, exits, printedError, says } from "../../helpers/cli.ts";
import { recordedAs, replyOf } from "../../helpers/service/recorded.ts";
import { reply } from "../../helpers/service/reply.ts";

test.each([
  ["balance", "10000 ETH (10000000000000000000000)", '{\n  "balance": 10000000000000000000000,\n  "unit": "wei"\n}\n'],
  ["stellar balance", "50000 XLM (500000000000)", '{\n  "balance": 500000000000,\n  "unit": "stroop"\n}\n'],
  ["solana balance", "50 SOL (50000000000)", '{\n  "balance": 50000000000,\n  "unit": "lamport"\n}\n'],
])("recorded: %s is %s on a terminal, and has every digit in JSON", async (name, shown, json) => {
  const relayer = { id: "r1", network: "localhost-anvil", network_type: "evm" };
  const service = async ({ target }: WireRequest) =>
    target.endsWith("/balance") ? replyOf(recordedAs(name)) : reply(200, writeJson({ success: true, data: relayer }));
  await ends({ stdout: `balance    ${shown}\n` }, "relayers balance r1 --color never", { terminal: true, service });
  expect((await cli("relayers balance r1 -o json", { service })).stdout).toBe(json);
});

test("of one relayer is the service's data, and its name is the relayer's ID", async () => {
  expect((await cli("relayers balance polygon-bulk")).stdout).toBe("balance\t30000000000000000000\nunit\twei\n");
  expect((await cli("relayers balance polygon-bulk -o tsv")).stdout).toBe("30000000000000000000\twei\n");
  expect((await cli("relayers balance polygon-bulk -o name")).stdout).toBe("polygon-bulk\n");
  expect((await cli("relayers balance polygon-bulk -o raw")).stdout).toContain('"balance":30000000000000000000');
});

test("of several relayers has each relayer's ID, in the order of the arguments", async () => {
  const ran = await cli("relayers balance sol-pay polygon-bulk xlm-treasury");
  expect(ran.stdout).toBe(
    "sol-pay\t30000000\tlamport\npolygon-bulk\t30000000000000000000\twei\nxlm-treasury\t3000000000\tstroop\n",
  );
  expect(JSON.parse((await cli("relayers balance sol-pay xlm-treasury -o json")).stdout)).toEqual([
    { relayer_id: "sol-pay", balance: 30000000, unit: "lamport" },
    { relayer_id: "xlm-treasury", balance: 3000000000, unit: "stroop" },
  ]);
});

test("reads IDs from stdin", async () => {
  expect((await cli("relayers balance - -o name", { stdin: "sol-pay\nbase-hot\n" })).stdout).toBe(
    "sol-pay\nbase-hot\n",
  );
  expect(await cli("relayers balance -", { stdin: "\n" })).toMatchObject({ exitCode: 2, requests: [] });
});

test("shows the other balances if one cannot be read, and exits as partial with nothing applied", async () => {
  const ran = await exits(12, "relayers balance sol-pay nothing -o ndjson");
  expect(ran.stdout).toBe('{"relayer_id":"sol-pay","balance":30000000,"unit":"lamport"}\n');
  expect(printedError(ran.stderr)).toMatchObject({
    code: "partial",
    applied: "no",
    message: "1 of 2 relayers failed; nothing: Relayer with ID nothing not found",
  });
});

test("exits with 9 if a node fails, with its URL masked", async () => {
  const words = "Transport error: error sending request for url (http://127.0.0.1:1/secret)";
  const service = async () => reply(500, `{"success":false,"data":null,"error":"${words}"}`);
  const ran = await exits(9, "relayers balance r1 --retries 0", { service });
  expect(ran.stderr).not.toContain("secret");
});

test("shows a balance in another format or unit unchanged", async () => {
  const service = async () => reply(200, '{"success":true,"data":{"balance":"12","unit":"drop"},"error":null}');
  await ends({ stdout: "balance    12 drop\n" }, "relayers balance r1 --color never", { terminal: true, service });
});

test.each([
  ["relayers balance a b -o raw", "raw is the response to one request"],
  ["relayers balance a --fields relayer_id", "relayer_id is only available for several relayers"],
  ["relayers balance a/b", "contains a slash"],
])("%s is rejected before any request", (line, words) => says({ exitCode: 2, requests: [] }, line, words));

test("--curl prints a command for each relayer", async () => {
  const ran = await ends({ requests: [] }, "relayers balance a b --curl");
  expect(ran.stdout.match(/^curl -X GET/gm)).toHaveLength(2);
});
