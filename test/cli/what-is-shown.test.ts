import { cli, exits } from "../helpers/cli.ts";
import { pageReply } from "../helpers/service/reply.ts";

describe("what a table shows can be requested", () => {
  test("relayers by their state", async () => {
    expect((await cli("relayers list --where state=paused -o name")).stdout).toBe("eth-main-2\n");
    expect((await cli("relayers list --where state=disabled -o name")).stdout).toBe("eth-sepolia\nxlm-pay\n");
    const { stdout } = await cli("relayers list --fields id,state -o tsv --where state!=active");
    expect(stdout).toBe("eth-main-2\tpaused\neth-sepolia\tdisabled\nxlm-pay\tdisabled\n");
  });

  test("transactions by their age", async () => {
    const youngest = (await cli("tx list eth-main-1 --sort age -o name")).stdout.trimEnd().split("\n");
    const oldest = (await cli("tx list eth-main-1 --sort=-age -o name")).stdout.trimEnd().split("\n");
    expect(youngest.length).toBeGreaterThan(3);
    expect(oldest).toEqual([...youngest].reverse());
    expect((await cli("tx list eth-main-1 --fields age -o tsv")).stdout).toMatch(/^(?:\d+\n)+$/);
    expect((await cli("tx list eth-main-1 --where 'age<1s' -o name")).stdout).toBe("");
  });
});

describe("a count of thousands", () => {
  const relayers = Array.from({ length: 4_000 }, (_, index) => ({ id: `r${index}`, name: "4000", paused: index > 0 }));
  const service = async ({ target }: { target: string }) => pageReply(relayers, target);
  const shown = (line: string) => cli(line, { service, terminal: true, columns: 80 });

  test("is grouped in sentences", async () => {
    expect((await shown("relayers list")).stderr).toContain(
      "4,000 relayers · http://127.0.0.1:8080 · 3,999 need attention",
    );
    expect((await shown("relayers list --where name=none")).stderr).toContain("(4,000 in all)");
    expect((await shown("relayers list --limit 2000")).stderr).toContain("2,000 of 4,000 relayers");
  });

  test("is never grouped in data", async () => {
    for (const format of ["tsv", "csv", "json", "ndjson", "yaml", "name"]) {
      const { stdout } = await cli(`relayers list -o ${format}`, { service });
      expect(stdout, format).not.toContain("4,000");
      if (format !== "name") expect(stdout, format).toContain("4000");
    }
  });
});

test.each(["signers list", "plugins list", "notifications list", "networks list"])(
  "the demo has something to show for %s",
  async (line) => {
    const { stdout } = await exits(0, `--demo ${line} -o name`);
    expect(stdout.split("\n").length).toBeGreaterThan(2);
  },
);
