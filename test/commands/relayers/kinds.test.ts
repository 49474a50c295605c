import { describe, expect, test } from "vitest";
import { cli } from "../../helpers/cli.ts";

const EVERY = "relayers pause --where network=mainnet";
const LINE = "relayers of 2 kinds: 2 evm (mainnet), 1 stellar (mainnet)";

describe("a selection that matches relayers of two kinds", () => {
  test("says so in the question, and shows the kind of each", async () => {
    const ran = await cli(EVERY, { terminal: true, answers: ["n"] });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.questions).toEqual([
      expect.stringMatching(/^\w+ \d+ relayers of different kinds \(evm and stellar\) in \S+\?$/),
    ]);
    expect(ran.stderr).toContain(`\n${LINE}\n  evm: eth-main-1, eth-main-2\n`);
    expect(ran.stderr).toContain("\n  stellar: xlm-treasury\n");
  });

  test.each([`${EVERY} --yes`, `${EVERY} --dry-run`])("is noted in a script: %s", async (line) => {
    expect((await cli(line)).stderr).toContain(`note: ${LINE}\n`);
  });

  test("of --all names some networks of each", async () => {
    const { stderr } = await cli("relayers pause --all --yes");
    expect(stderr).toContain(
      "note: relayers of 3 kinds: 5 evm (base, mainnet, sepolia, and 1 more), 1 solana (mainnet-beta), 2 stellar (testnet, mainnet)",
    );
  });

  test("of one kind says nothing", async () => {
    const { stderr } = await cli("relayers pause --where network=mainnet --where network_type=evm --yes");
    expect(stderr).not.toContain("kinds");
    const asked = await cli("relayers pause eth-main-1 eth-main-2", { terminal: true, answers: ["n"] });
    expect(asked.questions).toEqual([expect.stringMatching(/^\w+ \d+ relayers? in .+\?$/)]);
  });
});

describe("the table of relayers shows the kind where two networks share a name", () => {
  const networks = ({ stdout }: { stdout: string }) =>
    stdout
      .replaceAll(/\u001b\[\d+m/g, "")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/)[2]);

  test.each([true, false])("and only there; on a terminal: %s", async (terminal) => {
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

  test("and not where one of them is left out", async () => {
    const ran = await cli("relayers list -o table --where network_type=evm", { columns: 300 });
    expect(networks(ran)).toEqual(["NETWORK", "base", "mainnet", "mainnet", "sepolia", "polygon"]);
  });

  test.each(["tsv", "csv"])("-o %s stays as it is", async (format) => {
    const { stdout } = await cli(`relayers list -o ${format} --fields id,network`);
    expect(stdout).not.toContain("(");
  });
});
