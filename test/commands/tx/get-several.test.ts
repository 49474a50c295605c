import { cli, ends, says } from "../../helpers/cli.ts";
import { reply } from "../../helpers/service/reply.ts";
import { answering, evmRecord, one } from "./wire.ts";

const PATH = "/relayers/evm-1/transactions";

const held = (...ids: string[]) =>
  Object.fromEntries(ids.map((id) => [`GET ${PATH}/${id}`, one(evmRecord({ id, value: "1000000000000000000" }))]));

test("lists the records in typed order, one request each", async () => {
  const ran = await cli("tx get evm-1 t3 t1 t2 t1 -o name", { service: answering(held("t1", "t2", "t3")) });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "t3\nt1\nt2\n", stderr: "" });
  expect(ran.requests).toHaveLength(3);
});

test("prints an array as JSON, and a line per record as ndjson, with the records as received", async () => {
  const service = answering(held("t1", "t2"));
  const records = ["t2", "t1"].map((id) => evmRecord({ id, value: "1000000000000000000" }));
  expect(JSON.parse((await cli("tx get evm-1 t2 t1 -o json", { service })).stdout)).toEqual(records);
  const { stdout } = await cli("tx get evm-1 t2 t1 -o ndjson", { service });
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(records);
});

test("prints one ID as before, as an object", async () => {
  const { stdout } = await cli("tx get evm-1 t1 -o json", { service: answering(held("t1")) });
  expect(JSON.parse(stdout)).toMatchObject({ id: "t1" });
});

test("reads IDs from stdin", async () => {
  const ran = await cli("tx get evm-1 - -o name", { service: answering(held("t1", "t2")), stdin: "t2\nt1\n" });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "t2\nt1\n" });
});

test("draws the amounts of a table in the coin of the relayer's network, read once", async () => {
  const ids = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 1a2b3c4d-5e6f-4071-8293-a4b5c6d7e8f9";
  const ran = await cli(`tx get eth-main-1 ${ids} --color never`, { terminal: true, columns: 140 });
  expect(ran.stdout).toMatch(/^ +ID +STATUS +NONCE +AGE.*\n.*6f1a2c1e.*0\.2 ETH.*\n.*1a2b3c4d.*0\.05 ETH/);
  expect(ran.requests.filter(({ target }) => target === "/api/v1/relayers/eth-main-1")).toHaveLength(1);
});

test("shows what exists, reports what is missing, and ends with 12", async () => {
  const missing = reply(404, { success: false, data: null, error: "Transaction with ID nope not found" });
  const service = answering({ ...held("t1", "t2"), [`GET ${PATH}/nope`]: missing });
  const ran = await ends({ exitCode: 12, stdout: "t2\nt1\n" }, "tx get evm-1 t2 nope t1 -o name", { service });
  expect(ran.stderr).toBe(
    "error: 1 of 3 transactions failed\n  nope: Transaction with ID nope not found\n  hint: relayctl tx list evm-1\n",
  );
});

test("reports a transaction of another relayer like a missing one", async () => {
  const other = one(evmRecord({ id: "t2", relayer_id: "evm-2" }));
  const service = answering({ ...held("t1"), [`GET ${PATH}/t2`]: other });
  const ran = await ends({ exitCode: 12, stdout: "t1\n" }, "tx get evm-1 t1 t2 -o name", { service });
  expect(ran.stderr).toContain("t2: transaction t2 belongs to relayer evm-2, not to evm-1");
});

test("ends with 5 if none exists", () =>
  says({ exitCode: 5, stdout: "" }, "tx get eth-main-1 nope neither", "error: 2 of 2 transactions failed\n"));

test("prints the requests with --dry-run", async () => {
  const ran = await ends({ exitCode: 0, requests: [] }, "tx get evm-1 t1 t2 --dry-run");
  expect(ran.stdout.match(/^GET .*/gm)).toEqual([`GET /api/v1${PATH}/t1`, `GET /api/v1${PATH}/t2`]);
});

test.each([
  ["t1 t2 -o raw", "-o: raw is the response to one request; specify one transaction"],
  ["t1 t2 --on-chain", "--on-chain: compares one transaction with the chain; specify one transaction"],
  ["t1 t2 --watch", "--watch: follows one transaction; for several, use `relayctl tx wait`"],
  ["t1 t2 --why", "--why: explains one transaction; specify one transaction"],
  ["t1 t2 --was 0x12", "--was: is a hash of one transaction"],
  ["t1 t2 --node https://node.example.org", "--node: has no effect without --on-chain, --why, or --watch"],
  ["t1 a/b", "<tx-id> 2 a/b: "],
])("%s is exit 2, and sends nothing", (words, problem) =>
  says({ exitCode: 2, stdout: "", requests: [] }, `tx get evm-1 ${words}`, problem),
);
