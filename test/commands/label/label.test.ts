import type { Config } from "../../../src/config/config.ts";
import { cli, says } from "../../helpers/cli.ts";
import type { World } from "../../helpers/test-app.ts";
import { runWith } from "../context/stored-world.ts";

const TREASURY = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const OTHER = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const ACCOUNT = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const MINT = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

const LABELS = { evm: { treasury: TREASURY }, stellar: { treasury: ACCOUNT } };
const CONFIG: Config = { version: 1, contexts: {}, labels: LABELS };

const label = (words: string, world: World = {}) =>
  runWith(["label", ...words.split(" ")], { config: CONFIG, ...world });

describe("label set", () => {
  test.each([
    [`hot ${OTHER}`, { ...LABELS, evm: { treasury: TREASURY, hot: OTHER } }],
    [`@hot ${OTHER}`, { ...LABELS, evm: { treasury: TREASURY, hot: OTHER } }],
    [`treasury ${MINT}`, { ...LABELS, solana: { treasury: MINT } }],
  ])("stores %s for the kind of network of the address", async (words, labels) => {
    const { exitCode, stdout, config } = await label(`set ${words}`);
    expect([exitCode, stdout, config.labels]).toEqual([0, "", labels]);
  });

  test("changes nothing if the label has this address, in whatever case", async () => {
    const upper = `0x${TREASURY.slice(2).toUpperCase()}`;
    const { exitCode, stderr, questions } = await label(`set treasury ${upper}`, { terminal: true });
    expect([exitCode, stderr, questions]).toEqual([0, expect.stringContaining("already set: @treasury"), []]);
  });

  test("asks before a label gets another address, which whoever types it pays", async () => {
    const without = await label(`set treasury ${OTHER}`);
    expect([without.exitCode, without.config]).toEqual([3, CONFIG]);
    expect(without.stderr).toContain(`hint: relayctl label set treasury ${OTHER} --yes`);
    const asked = await label(`set treasury ${OTHER}`, { terminal: true, answers: [true] });
    expect(asked.questions).toEqual(["Change the address of @treasury?"]);
    expect(asked.stderr).toContain(`@treasury  ${TREASURY} @treasury → ${OTHER}`);
    expect(asked.config.labels?.evm).toEqual({ treasury: OTHER });
    expect((await label(`set treasury ${OTHER} --yes`)).config.labels?.evm).toEqual({ treasury: OTHER });
  });

  test.each([
    [`7up ${OTHER}`, "begins with a letter"],
    [`_x ${OTHER}`, "begins with a letter"],
    [`a/b ${OTHER}`, "begins with a letter"],
    [`${"a".repeat(65)} ${OTHER}`, "1 to 64 letters"],
    [`${MINT} ${OTHER}`, "could be an address"],
    [`${ACCOUNT} ${OTHER}`, "could be an address"],
    [`deadbeef-0000-4000-8000-000000000000 ${OTHER}`, "could be an ID"],
    [`hot ${OTHER.slice(0, -1)}`, "this one has 39"],
    ["hot 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293Bc", "the checksum of this address is wrong"],
    [`hot ${ACCOUNT.slice(0, -1)}A`, "the checksum of this address is wrong"],
    ["hot treasury", "needs an address of EVM"],
    [`Treasury ${OTHER}`, "@Treasury differs from @treasury only in case"],
  ])("refuses %s", async (words, rule) => {
    const { exitCode, stderr, config } = await label(`set ${words} --yes`);
    expect([exitCode, config]).toEqual([2, CONFIG]);
    expect(stderr).toContain(rule);
  });

  test("keeps names that objects have of themselves apart", async () => {
    const { config } = await label(`set constructor ${OTHER}`);
    expect(config.labels?.evm).toEqual({ treasury: TREASURY, constructor: OTHER });
    expect((await label("delete toString")).exitCode).toBe(5);
  });
});

describe("label list", () => {
  test("orders by name and kind", async () => {
    const { stdout } = await label("list");
    expect(stdout).toBe(`treasury\tevm\t${TREASURY}\ntreasury\tstellar\t${ACCOUNT}\n`);
    expect((await runWith(["labels", "ls", "--where", "kind=evm", "-o", "name"], { config: CONFIG })).stdout).toBe(
      "treasury\n",
    );
  });

  test("prints what an import reads", async () => {
    const { stdout } = await label("list -o json");
    const { config, stderr } = await label("import -", { config: { version: 1, contexts: {} }, stdin: stdout });
    expect(config.labels).toEqual(LABELS);
    expect(stderr).toBe("imported 2 labels: 2 created, 0 changed, 0 already set\n");
  });
});

describe("label delete", () => {
  test("deletes a label for every kind, and prints how to set it again", async () => {
    const { config, stderr } = await label("delete treasury");
    expect(config).toEqual({ version: 1, contexts: {} });
    expect(stderr).toContain(`undo: relayctl label set treasury ${TREASURY}\n`);
  });

  test("deletes it for one kind alone", async () =>
    expect((await label("rm @treasury --network-type evm")).config.labels).toEqual({ stellar: LABELS.stellar }));

  test("deletes none if one of them is unknown", async () => {
    const { exitCode, stderr, config } = await label("delete treasury tresury");
    expect([exitCode, config]).toEqual([5, CONFIG]);
    expect(stderr).toContain('error: unknown label "@tresury" (did you mean @treasury?)\n');
  });

  test("does not suggest a label that has an address of another kind alone", async () => {
    const { exitCode, stderr } = await label("delete treasury --network-type solana");
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining('unknown label "@treasury" of kind solana\n')]);
  });
});

describe("label import", () => {
  const imported = (text: string, flags = "") => label(`import labels${flags}`, { files: { labels: text } });

  test.each([
    ["an object", `{"hot":"${OTHER}","@main":"${ACCOUNT}"}`],
    ["a list", `[{"name":"hot","address":"${OTHER}"},{"name":"main","kind":"stellar","address":"${ACCOUNT}"}]`],
    ["CSV", `address,name\r\n${OTHER},hot\r\n\r\n"${ACCOUNT}","@main"\r\n`],
    ["CSV with a byte order mark", `\ufeffname,address\nhot,${OTHER}\nmain,${ACCOUNT}`],
  ])("reads %s, and keeps the other labels", async (_, text) => {
    const { exitCode, config } = await imported(text);
    expect([exitCode, config.labels]).toEqual([
      0,
      { evm: { treasury: TREASURY, hot: OTHER }, stellar: { treasury: ACCOUNT, main: ACCOUNT } },
    ]);
  });

  test("changes addresses only if that is confirmed, all or none", async () => {
    const text = `{"hot":"${OTHER}","treasury":"${OTHER}"}`;
    const declined = await imported(text);
    expect([declined.exitCode, declined.config]).toEqual([3, CONFIG]);
    expect((await imported(text, " --yes")).config.labels?.evm).toEqual({ hot: OTHER, treasury: OTHER });
  });

  test.each([
    ["", "line 1: needs the columns name and address"],
    ["name,address\n", "contains no labels"],
    ["{}", "contains no labels"],
    ["{", "is not JSON"],
    ['{"hot":5}', "needs an object of addresses by label"],
    ["[1]", "needs an object of addresses by label"],
    [`name,address\nhot,${OTHER}\n7up,0x1`, "labels, line 3 7up: a label has 1 to 64 letters"],
    [`name,address\nhot,${OTHER}\nHot,${TREASURY}`, "labels, line 3 Hot: is set twice for evm, as hot too"],
  ])("refuses %j", async (text, rule) => {
    const { exitCode, stderr, config } = await imported(text);
    expect([exitCode, config]).toEqual([2, CONFIG]);
    expect(stderr).toContain(rule);
  });
});

describe("a typed label", () => {
  const CHECKSUMMED = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
  const TOKEN = "0x52908400098527886e0f7030069857d2e4169ee7";
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

    test.each(["", "--demo"])(
      "is refused with the command that stores labels if there are none yet %s",
      async (flag) => {
        const { exitCode, stderr } = await cli(`${SEND} --to @treasury --yes ${flag}`.trim());
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--to @treasury: there are no labels yet")]);
        expect(stderr).toContain("hint: relayctl label set --help");
      },
    );

    test("is accepted at the prompt for an argument, and before it", async () => {
      const words = ["--call", "f(address,address)", "--arg", "@treasury"];
      const ran = await cli([...CALL.split(" "), ...words], {
        ...world,
        terminal: true,
        answers: ["@treasury", false],
      });
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
});
