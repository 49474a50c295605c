import { allCommands } from "../../src/cli/all-commands.ts";
import { TOPICS } from "../../src/cli/help/topics.ts";
import { usesService } from "../../src/cli/request-flags.ts";
import { cli } from "../helpers/cli.ts";
import { sampled } from "../helpers/deep.ts";
import { SURROUNDINGS } from "./example-surroundings.ts";
import { typed } from "./typed-examples.ts";

const COMMANDS = (await allCommands()).map(([path, file], turn) => [path, file, turn] as const);
const ASCII_TERMINAL = { terminal: true, columns: 80 };
const ASCII = /^[\r\n\t\u001b\x20-\x7e]*$/;

describe.each(sampled(COMMANDS, 2))("with a locale of ASCII, %s", (path, file, turn) => {
  test.each([
    ["its examples", "--yes", sampled(file.examples, 3, turn)],
    ["its first example", "--no-input", file.examples.slice(0, 1)],
  ])("prints ASCII in %s with %s, also where they fail", async (_, flag, examples) => {
    for (const example of examples) {
      const world = SURROUNDINGS[example] ?? SURROUNDINGS[path] ?? {};
      const demo = usesService(file.sends) ? ["--demo"] : [];
      const argv = [...typed(example).argv, ...demo, "--no-input", ...(flag === "--yes" ? [flag] : [])];
      const { stdout, stderr } = await cli(argv, { ...world, ...ASCII_TERMINAL, env: { ...world.env, LC_ALL: "C" } });
      expect(stdout + stderr, example).toMatch(ASCII);
    }
  });

  test("prints ASCII in its help", async () => {
    const { stdout } = await cli(`${path} --help`, { ...ASCII_TERMINAL, env: { LC_ALL: "C" } });
    expect(stdout).toMatch(ASCII);
  });
});

test.each(["", "--help", ...Object.keys(TOPICS).map((topic) => `help ${topic}`)])(
  "with a locale of ASCII, `relayctl %s` prints ASCII",
  async (line) => {
    const { stdout, stderr } = await cli(line, { ...ASCII_TERMINAL, env: { LC_ALL: "C" } });
    expect(stdout + stderr).toMatch(ASCII);
  },
);

test("data is the same in every locale", async () => {
  for (const format of ["json", "ndjson", "yaml", "csv", "tsv"]) {
    const line = `relayers list --demo -o ${format} --fields id,name`;
    const named = await dataIn(line, { LC_ALL: "C" });
    expect(named, format).toBe(await dataIn(line, { LC_ALL: "C.UTF-8" }));
    expect(named, format).toContain("A → B · …");
  }
});

async function dataIn(line: string, env: Record<string, string>): Promise<string> {
  const { memoryStore } = await import("../../src/embedded-server/state/store.ts");
  const { seedState } = await import("../helpers/seed-state.ts");
  const store = memoryStore(seedState("demo"));
  await cli(["relayers", "update", "base-hot", "--name", "A → B · …", "--demo"], { store, env: {} });
  return (await cli(line, { ...ASCII_TERMINAL, store, env })).stdout;
}
