import type { Config } from "../../../src/config/config.ts";
import { cli, says } from "../../helpers/cli.ts";
import { runWith } from "../context/stored-world.ts";

const TREASURY = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const CHECKSUMMED = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const TOKEN = "0x52908400098527886e0f7030069857d2e4169ee7";
const ACCOUNT = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const CONFIG: Config = {
  version: 1,
  contexts: {},
  labels: { evm: { treasury: TREASURY }, stellar: { payouts: ACCOUNT } },
};
const world = { config: CONFIG };
const SEND = "tx send eth-main-1 --value 1 --speed fast";

describe("a label in place of an address", () => {
  test("sends to its address", async () => {
    const { exitCode, writes } = await cli(`${SEND} --to @treasury --yes`, world);
    expect([exitCode, writes.map(({ body }) => JSON.parse(body ?? ""))]).toEqual([
      0,
      [expect.objectContaining({ to: TREASURY })],
    ]);
  });

  test("replaces with its address", async () => {
    const ran = await cli("tx replace eth-main-1 tx-1 --to @treasury --value 1 --speed fast --dry-run", world);
    expect(ran.stdout).toContain(`"to":"${TREASURY}"`);
  });

  test.each([
    ["@tresury", "--to @tresury: unknown label (did you mean @treasury?)"],
    ["@payouts", "--to @payouts: is a label on Stellar, and this needs an address on EVM"],
    ["treasury", "--to treasury: is a label; write @treasury for its address"],
    ["@", "--to @: unknown label"],
    ["@constructor", "--to @constructor: unknown label"],
  ])("is refused before anything is sent: %s", (to, problem) =>
    says({ exitCode: 2, requests: [] }, `${SEND} --to ${to} --yes`, problem, world),
  );

  test("is accepted at a prompt, and another is suggested for one that is unknown", async () => {
    const answers = ["@tresury", "@treasury", "1eth", "a speed: the service sets the price", "fast", false];
    const ran = await cli("tx send eth-main-1", { ...world, terminal: true, answers });
    expect(ran.stderr).toContain(`to       ${TREASURY} @treasury`);
    expect(ran.stderr).toContain("--to @treasury");
    expect(ran.questions).toContain("  unknown label (did you mean @treasury?)");
  });

  const CALL = `tx send eth-main-1 --to ${TOKEN} --value 0 --speed fast`;

  test("is an argument of a call, also in a list or a tuple", async () => {
    const words = ["--call", "f(address,address[],(address,bool)[])", "--arg", "@treasury", "--dry-run"];
    const lists = ["--arg", '["@treasury"]', "--arg", '[["@treasury",true]]'];
    const { stdout } = await cli([...CALL.split(" "), ...words, ...lists], world);
    expect(stdout.match(new RegExp(TREASURY.slice(2), "g"))).toHaveLength(3);
  });

  test.each([
    ['["@tresury"]', '--arg 1 [0] ["@tresury"]: unknown label (did you mean @treasury?)'],
    ['["@payouts"]', '--arg 1 [0] ["@payouts"]: is a label on Stellar, and this needs an address on EVM'],
  ])("is refused in the list %s", (list, problem) =>
    says(
      { exitCode: 2, requests: [], stderr: expect.stringContaining(problem) },
      [...CALL.split(" "), "--call", "f(address[])", "--arg", list],
      "hint: relayctl label list",
      world,
    ),
  );

  test.each(["", "--demo"])("is refused with the command that stores labels if there are none yet %s", async (flag) => {
    const { exitCode, stderr } = await cli(`${SEND} --to @treasury --yes ${flag}`.trim());
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--to @treasury: there are no labels yet")]);
    expect(stderr).toContain("hint: relayctl label set --help");
  });

  test("is accepted at the prompt for an argument, and before it", async () => {
    const words = ["--call", "f(address,address)", "--arg", "@treasury"];
    const ran = await cli([...CALL.split(" "), ...words], { ...world, terminal: true, answers: ["@treasury", false] });
    expect(ran.questions).toEqual(["argument 2 (address):", expect.stringContaining("Send a transaction")]);
  });

  test("becomes an address in the limits of a context, whatever the label means later", async () => {
    const { config } = await runWith(
      ["context", "set", "prod", "--server", "https://x.example", "--allow-to", "@treasury,@payouts"],
      world,
    );
    expect(config.contexts.prod?.allow_to).toEqual([TREASURY, ACCOUNT]);
    const unknown = await runWith(
      ["context", "set", "prod", "--server", "https://x.example", "--allow-to", "@x"],
      world,
    );
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining("--allow-to @x: unknown label")]);
  });
});

describe("a label next to an address", () => {
  const terminal = { ...world, terminal: true, columns: 100 };

  test("is in the table and the details on a terminal", async () => {
    expect((await cli("relayers list --fields id,address", terminal)).stdout).toContain(`${TREASURY} @treasury`);
    expect((await cli("relayers get eth-main-2", terminal)).stdout).toContain(`${TREASURY} @treasury`);
  });

  test("is in the question about a call", async () => {
    const call = ["--call", "transfer(address,uint256)", "--arg", TREASURY, "--arg", "25"];
    const ran = await cli(["tx", "send", "eth-main-1", "--to", TOKEN, "--value", "0", "--speed", "fast", ...call], {
      ...terminal,
      answers: [false],
    });
    expect(ran.stderr).toContain(`transfer(to ${CHECKSUMMED} @treasury, amount 25)`);
  });

  test("leaves room for the address in the list of labels", async () => {
    const { stdout } = await runWith(["label", "list"], { ...world, terminal: true, columns: 70 });
    expect(stdout).toContain(`payouts   ${ACCOUNT}\n`);
    expect(stdout).not.toContain("@");
  });

  test("is in no output for programs", async () => {
    for (const format of ["json", "ndjson", "csv", "tsv", "yaml"]) {
      const { stdout } = await cli(`relayers list -o ${format}`, terminal);
      expect([stdout.includes(TREASURY), stdout.includes("@treasury")]).toEqual([true, false]);
    }
    expect((await cli("relayers get eth-main-2", world)).stdout).not.toContain("@treasury");
  });
});
