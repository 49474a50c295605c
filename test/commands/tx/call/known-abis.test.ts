import { usageError } from "../../../../src/errors.ts";
import { cli, ends, runHere, SERVER, TOKEN, testApp, type World } from "../../../helpers/cli.ts";
import { worldWithout } from "../simulation/embedded-world.ts";
import { BUMP, simulated, WAYS, word } from "../simulation/simulating-world.ts";

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
