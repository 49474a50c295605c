import { usageError } from "../../../../src/errors.ts";
import { record } from "../../../chain/verdict/records.ts";
import { cli, ends, runHere, SERVER, TOKEN, testApp, type World } from "../../../helpers/cli.ts";
import { watching } from "../../watch/watching.ts";
import { worldWithout } from "../simulation/embedded-world.ts";
import { BUMP, simulated, WAYS, word } from "../simulation/simulating-world.ts";
import { waitingWorld } from "../waiting-service.ts";
import { answering, evmRecord, many, one, relayerRecord, solanaRecord, stellarRecord, TO } from "../wire.ts";

describe("a listed call", () => {
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
    expect(await listed("evm-1 --where !call --fields id -o tsv")).toBe(
      "pays\nshort\ncreates\nof-stellar\nof-solana\n",
    );
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
    await ends({ stdout: `0xdeadbeef\n${WORDS}\n` }, "tx get evm-1 unknown transfers --fields call -o tsv", {
      service,
    });
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
});

describe("a shown call", () => {
  /** A transaction of the seed that transfers tokens. */
  const SEEDED = "polygon-bulk d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293";
  const TRANSFER = "transfer(to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC, amount 1000000)";
  const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

  /** One line for a text that may be wrapped. */
  const unwrapped = (text: string) => text.replaceAll(/\s+/g, " ");

  test("a transaction on a terminal shows what it calls, and in a pipe it stays the same", async () => {
    const shown = await cli(`tx get ${SEEDED}`, { terminal: true });
    expect(unwrapped(shown.stdout)).toContain(TRANSFER);
    for (const format of ["", " -o json", " -o yaml", " -o tsv"]) {
      const { stdout } = await cli(`tx get ${SEEDED}${format}`);
      expect(stdout).toContain("0xa9059cbb");
      expect(stdout).not.toContain("transfer(");
    }
  });

  test("a bump shows what the transaction calls", async () => {
    const ran = await cli(`tx bump ${SEEDED}`, { terminal: true, answers: [false] });
    expect(unwrapped(ran.stderr)).toContain(`calls ${TRANSFER}`);
    expect(ran.writes).toEqual([]);
  });

  test("a replacement shows what both versions call", async () => {
    const approve = `0x095ea7b3${TO.slice(2).padStart(64, "0")}${"f".repeat(64)}`;
    const line = `tx replace ${SEEDED} --to ${TO} --value 0 --gas-limit 90000 --data ${approve}`;
    const ran = await cli(line, { terminal: true, answers: [false] });
    const text = unwrapped(ran.stderr);
    expect(text).toContain(`calls now ${TRANSFER}`);
    expect(text).toContain(
      "calls approve(spender 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC, amountOrId unlimited (2^256-1))",
    );
    const same = await cli(`tx replace ${SEEDED} --inherit`, { terminal: true, answers: [false] });
    expect(unwrapped(same.stderr)).not.toContain("calls now");
  });

  describe("the ABIs next to the settings", () => {
    const ABI = JSON.stringify([
      { type: "function", name: "transfer", inputs: [address("dst"), { name: "wad", type: "uint256" }] },
      { type: "error", name: "Frozen", inputs: [address("account")] },
    ]);

    function address(name: string) {
      return { name, type: "address" };
    }

    test("have precedence over the standards", async () => {
      const { stdout } = await cli(`tx get ${SEEDED}`, { terminal: true, files: { "abis/token.json": ABI } });
      expect(unwrapped(stdout)).toContain("transfer(dst 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC, wad 1000000)");
    });

    test("that cannot be read are noted, and others are ignored", async () => {
      const files = { "abis/a.json": "{", "abis/b.json": "[]", "abis/notes.txt": "x", "abis/token.json": ABI };
      const { stdout, stderr } = await cli(`tx get ${SEEDED}`, { terminal: true, files });
      expect(unwrapped(stdout)).toContain("wad 1000000");
      expect(unwrapped(stderr)).toContain("abis/a.json: is not JSON");
      expect(unwrapped(stderr)).toContain("abis/b.json: is not an ABI of a contract");
      expect(stderr).not.toContain("notes.txt");
    });

    test("are read up to a number", async () => {
      const files = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`abis/${index}.json`, ABI]));
      const { stderr } = await cli(`tx get ${SEEDED}`, { terminal: true, files });
      expect(unwrapped(stderr)).toContain("only the first 64 of 70 ABIs in abis are read");
    });

    test("are not read for data output", async () => {
      const { stderr } = await cli(`tx get ${SEEDED} -o json`, { files: { "abis/a.json": "{" } });
      expect(stderr).not.toContain("a.json");
    });
  });
});

/** The error of a transfer without an allowance, with other names than in its standard. */
const ERROR = JSON.stringify([
  {
    type: "error",
    name: "ERC20InsufficientAllowance",
    inputs: [
      { name: "who", type: "address" },
      { name: "has", type: "uint256" },
      { name: "wants", type: "uint256" },
    ],
  },
]);
const FILES = { "abis/token.json": ERROR };
const WORDS = `ERC20InsufficientAllowance(who 0x${"0".repeat(39)}1, has 0, wants 3)`;
const TRANSFER_FROM = `0x23b872dd${word(1)}${word(2)}${word(3)}`;
const SEND = `tx send base-hot --to 0x52908400098527886e0f7030069857d2e416c0de --value 0 --gas-limit 100000 --speed fast --yes --data ${TRANSFER_FROM}`;

async function sent(world: World & ReturnType<typeof worldWithout>): Promise<string> {
  const { stdout } = await cli(`${SEND} -o name`, world);
  await world.clock.sleep(60_000);
  return stdout.trim();
}

describe("a custom error is decoded by the ABIs next to the settings", () => {
  test.each(["--why", "--on-chain"])("by tx get %s", async (flag) => {
    const world = { ...worldWithout(), files: FILES };
    const { stdout, stderr } = await cli(`tx get base-hot ${await sent(world)} ${flag} --color never`, world);
    expect(stdout + stderr).toContain(WORDS);
  });

  test("by tx wait, and by a send that waits, which uses its --abi too", async () => {
    const world = { ...worldWithout(), files: FILES };
    const waited = await cli(`tx wait base-hot ${await sent(world)} -o json`, world);
    expect(JSON.parse(waited.stdout)).toMatchObject([{ reason: WORDS }]);
    const typed = { ...worldWithout(), files: { "abi.json": abiOf("transferFrom") } };
    const call = `--call transferFrom --abi abi.json --arg 0x${word(1).slice(24)} --arg 0x${word(2).slice(24)} --arg 3`;
    const line = SEND.replace(`--data ${TRANSFER_FROM}`, call);
    await ends({ exitCode: 13, stderr: expect.stringContaining(WORDS) }, `${line} --wait`, typed);
  });

  test("before a bump", async () => {
    const data = `0xfb8f41b2${word(1)}${word(0)}${word(3)}`;
    const node = { ways: WAYS, outcome: () => ({ isReverted: true, data }) };
    const { exitCode, stderr, sent: writes } = await simulated(`${BUMP} --yes --simulate`, node, { files: FILES });
    expect([exitCode, writes]).toEqual([7, []]);
    expect(stderr).toContain(WORDS);
  });

  test("and a file that is not one, or goes missing, fails nothing", async () => {
    const world = { ...worldWithout(), files: { "abis/broken.json": "{" } };
    const id = await sent(world);
    const got = await cli(`tx get base-hot ${id} --why -o json`, world);
    expect([got.exitCode, JSON.parse(got.stdout).why.reason]).toEqual([0, expect.stringContaining("needed 3")]);
    expect(got.stderr.match(/abis\/broken.json: is not JSON/g)).toHaveLength(1);
    const drawn = await cli(`tx get base-hot ${id} --why`, { ...world, terminal: true });
    expect(drawn.stderr.match(/abis\/broken.json: is not JSON/g)).toHaveLength(1);
    const waited = await cli(`tx wait base-hot ${id}`, world);
    expect(waited.stderr + waited.stdout).toContain("needed 3");
  });
});

function abiOf(name: string): string {
  const inputs = ["address", "address", "uint256"].map((type, index) => ({ name: `a${index}`, type }));
  return JSON.stringify([{ type: "function", name, stateMutability: "nonpayable", inputs }, ...JSON.parse(ERROR)]);
}

test("a folder of ABIs that cannot be listed is noted, and fails nothing", async () => {
  const made = testApp({ ...worldWithout() });
  const list = async (path: string) => {
    throw usageError([{ where: path, rule: "cannot be read: its links form a loop" }]);
  };
  const app = { ...made.app, files: { ...made.app.files, list } };
  const { exitCode, stderr } = await runHere({ ...made, app }, ["tx", "list", "base-hot", "--fields", "call"]);
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/abis: cannot be read: .*; it is not used/)]);
});

describe("the folder of a context", () => {
  const transfer = (name: string) =>
    JSON.stringify([
      {
        type: "function",
        name: "transfer",
        inputs: [
          { name, type: "address" },
          { name: "wad", type: "uint256" },
        ],
      },
    ]);
  const context = { server: SERVER, token: TOKEN };
  const config = { version: 1 as const, contexts: { prod: context, test: context } };
  const LIST = "tx list polygon-bulk --where call~transfer --fields call -o tsv";

  test("has precedence over the folder of all, and is not read for another context", async () => {
    const files = { "abis/a.json": transfer("all"), "abis/prod/a.json": transfer("prod") };
    const inProd = await cli(`${LIST} -c prod`, { config, env: {}, files });
    expect(inProd.stdout).toMatch(/^transfer\(prod 0x/);
    expect((await cli(`${LIST} -c test`, { config, env: {}, files })).stdout).toMatch(/^transfer\(all 0x/);
    expect((await cli(LIST, { files })).stdout).toMatch(/^transfer\(all 0x/);
  });

  test("is that of each of several contexts", async () => {
    const files = { "abis/prod/a.json": transfer("prod"), "abis/test/a.json": transfer("test") };
    const { stdout } = await cli(`${LIST} -c prod,test`, { config, env: {}, files });
    expect(stdout.split("\n").map((line) => line.slice(0, 14))).toEqual(["transfer(prod ", "transfer(test ", ""]);
  });
});
