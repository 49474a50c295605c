import { record } from "../../../chain/verdict/records.ts";
import { cli, ends } from "../../../helpers/cli.ts";
import { watching } from "../../watch/watching.ts";
import { waitingWorld } from "../waiting-service.ts";
import { answering, evmRecord, many, one, relayerRecord, solanaRecord, stellarRecord, TO } from "../wire.ts";

const TRANSFER = `0xa9059cbb${TO.slice(2).padStart(64, "0")}${"19".padStart(64, "0")}`;
const CHECKSUMMED = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const WORDS = `transfer(to ${CHECKSUMMED}, amount 25)`;

const RECORDS = [
  evmRecord({ id: "transfers", data: TRANSFER }),
  evmRecord({ id: "unknown", data: "0xDEADBEEF00" }),
  evmRecord({ id: "malformed", data: TRANSFER.slice(0, -2) }),
  evmRecord({ id: "pays", data: null }),
  evmRecord({ id: "short", data: "0xa905" }),
  evmRecord({ id: "creates", to: null, data: TRANSFER }),
  evmRecord({ id: "burns", data: `0x42966c68${"01".padEnd(64, "0")}` }),
  stellarRecord({ id: "of-stellar" }),
  solanaRecord({ id: "of-solana" }),
];
const service = answering({
  "GET /relayers/evm-1/transactions": many(RECORDS),
  "GET /relayers/evm-1": one(relayerRecord()),
  "GET /relayers": many([relayerRecord()]),
});

const listed = async (line: string, files: Record<string, string> = {}) =>
  (await cli(`tx list ${line}`, { service, files })).stdout;

test("has the function with its arguments, or the selector of an unknown one, or null", async () => {
  const items = JSON.parse(await listed("evm-1 --fields id,call -o json"));
  expect(items).toEqual([
    { id: "transfers", call: WORDS },
    { id: "unknown", call: "0xdeadbeef" },
    { id: "malformed", call: "0xa9059cbb" },
    ...["pays", "short", "creates"].map((id) => ({ id, call: null })),
    { id: "burns", call: `burn(amount ${1n << 248n})` },
    ...["of-stellar", "of-solana"].map((id) => ({ id, call: null })),
  ]);
});

test("selects and sorts", async () => {
  expect(await listed("evm-1 --where call~TRANSFER( --fields id,call -o tsv")).toBe(`transfers\t${WORDS}\n`);
  expect(await listed("evm-1 --where !call --fields id -o tsv")).toBe("pays\nshort\ncreates\nof-stellar\nof-solana\n");
  const sorted = await listed("evm-1 --where call --sort=-call -o name");
  expect(sorted).toBe("transfers\nburns\nunknown\nmalformed\n");
});

test("is a field of the list of the fleet", async () =>
  expect(await listed("--where call~transfer --fields relayer_id,call -o ndjson")).toBe(
    `{"relayer_id":"evm-1","call":"${WORDS}"}\n`,
  ));

test("is decoded by the ABIs next to the settings, and has every function that fits", async () => {
  const inputs = [
    { name: "dst", type: "address" },
    { name: "wad", type: "uint256" },
  ];
  const functions = [
    { type: "function", name: "transfer", inputs },
    { type: "function", name: "collate_propagate_storage", inputs: [{ name: "", type: "bytes16" }] },
  ];
  const files = { "abis/token.json": JSON.stringify(functions) };
  expect(await listed("evm-1 --where id=transfers,burns --fields call -o tsv", files)).toBe(
    `transfer(dst ${CHECKSUMMED}, wad 25)\nburn(amount ${1n << 248n}) or collate_propagate_storage(0x01${"0".repeat(30)})\n`,
  );
});

test("is not part of what is printed unless it is selected, and no ABI is read", async () => {
  const files = { "abis/broken.json": "{" };
  const plain = await cli("tx list evm-1 -o json", { service, files });
  expect(plain.stdout).not.toContain('"call"');
  expect(plain.stderr).toBe("");
  const named = await cli("tx list evm-1 --fields call -o json", { service, files });
  expect(named.stderr).toContain("abis/broken.json: is not JSON");
});

test("is whole on a terminal of any width", async () => {
  for (const columns of [40, 80, 200]) {
    const { stdout } = await cli("tx list evm-1 --where call --fields id,call", { service, terminal: true, columns });
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(WORDS);
  }
});

test.each(["", " --why", " --on-chain"])("is a field of one transaction%s", async (flags) => {
  const one = `tx get polygon-bulk d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293${flags}`;
  const words = `transfer(to ${CHECKSUMMED}, amount 1000000)`;
  expect((await cli(`${one} --fields id,call -o tsv`)).stdout).toContain(`\t${words}\n`);
  expect(JSON.parse((await cli(`${one} --fields call -o json`)).stdout)).toEqual({ call: words });
  expect((await cli(`${one} -o json`)).stdout).not.toContain('"call"');
});

test("is a field of several transactions", async () => {
  const [transfers = {}, unknown = {}] = RECORDS;
  const path = "GET /relayers/evm-1/transactions";
  const service = answering({ [`${path}/transfers`]: one(transfers), [`${path}/unknown`]: one(unknown) });
  await ends({ stdout: `0xdeadbeef\n${WORDS}\n` }, "tx get evm-1 unknown transfers --fields call -o tsv", { service });
});

test("is a field of a transaction that is watched until its end", async () => {
  const world = waitingWorld({ record: () => record({ status: "confirmed", to: TO, data: TRANSFER }) });
  const ran = await cli("tx get evm-1 tx-1 --watch --fields id,call -o json", world);
  expect(JSON.parse(ran.stdout)).toEqual({ id: "tx-1", call: WORDS });
});

test("is decoded in a watch too", async () => {
  const record = { id: "t1", relayer_id: "r1", status: "submitted", to: TO, data: TRANSFER };
  const relayers = [{ id: "r1", network: "mainnet", network_type: "evm" }];
  const watch = await watching("tx list r1 --watch 5s --fields id,call --where call~transfer", {
    relayers,
    statuses: {},
    transactions: { r1: [record, { ...record, id: "t2", data: null }] },
  });
  const { stdout } = await watch.end();
  expect(stdout).toContain(`"id":"t1","call":"${WORDS}"`);
  expect(stdout).not.toContain("t2");
});
