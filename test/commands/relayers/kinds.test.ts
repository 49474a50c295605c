import { cli, ends } from "../../helpers/cli.ts";

const EVERY = "relayers pause --where network=mainnet";
const LINE = "relayers of 2 kinds: 2 evm (mainnet), 1 stellar (mainnet)";

describe("a selection with relayers of two network types", () => {
  test("has a note in the question and the type of each relayer", async () => {
    const ran = await ends({ exitCode: 3, writes: [] }, EVERY, { terminal: true, answers: ["n"] });
    expect(ran.questions).toEqual([
      expect.stringMatching(/^\w+ \d+ relayers of different kinds \(evm and stellar\) in \S+\?$/),
    ]);
    expect(ran.stderr).toContain("\nrelayers of 2 kinds: 1 evm (mainnet), 1 stellar (mainnet)\n  evm: eth-main-1\n");
    expect(ran.stderr).toContain("\n  stellar: xlm-treasury\n");
    expect(ran.stderr).toContain("\nskipped: 1 of 3 relayers is already paused\n");
  });

  test.each([`${EVERY} --yes`, `${EVERY} --dry-run`])("has a note in a script: %s", async (line) => {
    expect((await cli(line)).stderr).toContain(`note: ${LINE}\n`);
  });

  test("from --all has a note with some networks of each type", async () => {
    const { stderr } = await cli("relayers pause --all --yes");
    expect(stderr).toContain(
      "note: relayers of 3 kinds: 5 evm (base, mainnet, sepolia, and 1 more), 1 solana (mainnet-beta), 2 stellar (testnet, mainnet)",
    );
  });

  test("of one network type has no note", async () => {
    const { stderr } = await cli("relayers pause --where network=mainnet --where network_type=evm --yes");
    expect(stderr).not.toContain("kinds");
    const asked = await cli("relayers pause eth-main-1 eth-main-2", { terminal: true, answers: ["n"] });
    expect(asked.questions).toEqual([expect.stringMatching(/^\w+ \d+ relayers? in .+\?$/)]);
  });
});

describe("the table of relayers shows the network type if two networks share a name", () => {
  const networks = ({ stdout }: { stdout: string }) =>
    stdout
      .replaceAll(/\u001b\[\d+m/g, "")
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^[ ●‖✗] /, "").split(/ {2,}/)[2]);

  test.each([true, false])("for those networks only; on a terminal: %s", async (terminal) => {
    const ran = await cli("relayers list -o table", { terminal, columns: 300 });
    expect(networks(ran)).toEqual([
      "NETWORK",
      "base",
      "mainnet (evm)",
      "mainnet (evm)",
      "sepolia",
      "polygon",
      "mainnet-beta",
      "testnet",
      "mainnet (stellar)",
    ]);
  });

  test("but not if only one of them is listed", async () => {
    const ran = await cli("relayers list -o table --where network_type=evm", { columns: 300 });
    expect(networks(ran)).toEqual(["NETWORK", "base", "mainnet", "mainnet", "sepolia", "polygon"]);
  });

  test.each(["tsv", "csv"])("but not in -o %s", async (format) => {
    const { stdout } = await cli(`relayers list -o ${format} --fields id,network`);
    expect(stdout).not.toContain("(");
  });
});
