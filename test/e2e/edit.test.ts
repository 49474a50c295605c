import { chosen, DEEP } from "../helpers/deep.ts";
import { changedRelayer } from "./demo.ts";
import { EDIT_FLOWS } from "./flows/edit.ts";
import { mark, take } from "./flows/steps.ts";
import { newFolder } from "./relayctl.ts";
import { type EmbeddedService, openService } from "./services/embedded.ts";
import { openTerminal, type TerminalSession } from "./terminal/terminal-session.ts";

const EDIT = "relayctl --demo relayers edit eth-main-1";
const SEQUENCE = /\u001b\[[?\d;]*[A-Za-z]/g;

async function markedCap(terminal: TerminalSession): Promise<void> {
  await take(terminal, [
    { sees: "What do you want to change?\n> ", keys: mark("gas_price_cap") },
    { sees: "> [x] gas_price_cap", keys: ["enter"] },
  ]);
}

/** Numbers of questions of each sort: checkboxes, a choice, a text, a refused text, a list, what to remove, and the review. */
const SORTS = { evm: [1, 4, 17], solana: [20], stellar: [] } as const;

describe("Ctrl-C exits with 130, restores the cursor, and sends nothing:", () => {
  let service: EmbeddedService;
  beforeAll(async () => {
    service = await openService();
  });
  afterAll(async () => {
    await service.close();
    expect(new Set(service.requests.map((request) => request.split(" ")[0]))).toEqual(new Set(["GET"]));
  });

  const steps = Object.entries(EDIT_FLOWS).flatMap(([kind, { id, steps }]) => {
    const chosen: readonly number[] = SORTS[kind as keyof typeof SORTS];
    const walks = steps.map(({ sees }, index) => ({ kind, id, step: index + 1, before: steps.slice(0, index), sees }));
    return walks.filter(({ step }) => DEEP || chosen.includes(step));
  });

  test.each(steps)("$kind relayer, question $step", async ({ id, before, sees }) => {
    const terminal = openTerminal(`relayctl relayers edit ${id}`, { env: service.env });
    await take(terminal, [...before, { sees, keys: ["Ctrl-C"] }]);
    expect(await terminal.ended).toMatchObject({ exitCode: 130 });
    expect(terminal.screen.cursor().isShown).toBe(true);
    expect(terminal.screen.lines().join("\n")).toMatch(/Canceled\. Nothing was sent\./);
  });
});

test("Ctrl-D exits with 3 and sends nothing", async () => {
  const terminal = openTerminal(EDIT);
  await take(terminal, [{ sees: "What do you want to change?", keys: ["Ctrl-D"] }]);
  expect(await terminal.ended).toMatchObject({ exitCode: 3 });
  expect(terminal.screen.cursor().isShown).toBe(true);
  expect(terminal.shown()).toContain("Canceled. Nothing was sent.");
});

describe("resizing the terminal", () => {
  const widths: readonly (readonly [string, number])[] = [
    ["narrower", 60],
    ["wider", 160],
  ];

  test.each(chosen(widths, 0))(
    "to a %s width during a list and a text prompt keeps every typed value",
    async (_, columns) => {
      const folder = newFolder();
      const terminal = openTerminal(EDIT, { folder });
      await terminal.sees("What do you want to change?\n> ");
      terminal.resize(columns);
      await markedCap(terminal);
      await take(terminal, [
        { sees: "gas_price_cap:\n> keep", keys: ["down", "enter"] },
        { sees: /\):$/, keys: ["120"] },
        { sees: /\): 120$/, keys: [] },
      ]);
      terminal.resize(80);
      terminal.type("gwei\r");
      await take(terminal, [{ sees: "? [y/N]", keys: ["y", "enter"] }]);
      expect(await terminal.ended).toMatchObject({ exitCode: 0 });
      expect(changedRelayer(folder, "eth-main-1")?.policies.gas_price_cap).toBe(120_000_000_000);
    },
  );

  test("repaints the whole list in the new width", async () => {
    const terminal = openTerminal(EDIT);
    await terminal.sees("What do you want to change?\n> ");
    terminal.resize(40);
    await take(terminal, [
      { sees: "> [ ] name", keys: ["down"] },
      { sees: "> [ ] paused", keys: ["Ctrl-C"] },
    ]);
    await terminal.ended;
    expect(terminal.screen.lines().filter((line) => line.length > 40 && !line.includes("eth-main-1 ·"))).toEqual([]);
  });
});

describe("the screen of relayers edit", () => {
  test.each([
    ["with colors, of which prompts have one, for their sign", {}, ["\u001b[36m", "\u001b[39m"]],
    ["with NO_COLOR, without any color", { NO_COLOR: "1" }, []],
  ])("%s", async (_, env, colors) => {
    const terminal = openTerminal(EDIT, { env });
    await markedCap(terminal);
    await take(terminal, [{ sees: "gas_price_cap:\n> keep", keys: ["enter"] }]);
    await terminal.ended;
    const questions = terminal.shown().split("o changes")[0] ?? "";
    expect(questions.match(SEQUENCE)).not.toBeNull();
    const styles = questions.match(SEQUENCE)?.filter((sequence) => sequence.endsWith("m"));
    expect([...new Set(styles)]).toEqual(colors);
    for (const sign of questions.split("\u001b[36m").slice(1)) expect(sign).toMatch(/^\?/);
  });

  const plain: readonly (readonly [string, Record<string, string>])[] = [
    ["TERM=dumb", { TERM: "dumb" }],
    ["RELAYCTL_ACCESSIBLE=1", { RELAYCTL_ACCESSIBLE: "1", NO_COLOR: "1" }],
  ];

  test.each(chosen(plain, 1))("with %s: uses plain lines with numbers, without escape sequences", async (_, env) => {
    const folder = newFolder();
    const terminal = openTerminal(EDIT, { folder, env });
    await take(terminal, [
      { sees: /What do you want to change\? numbers, or nothing$/, keys: mark("gas_price_cap") },
      { sees: /numbers, or nothing \d+$/, keys: ["enter"] },
      { sees: /gas_price_cap: number \[1]$/, keys: ["2", "enter"] },
      { sees: /keeps [^)]+\):$/, keys: ["1.5", "enter"] },
      { sees: /e\.g\. \S+gwei\n[^\n]*keeps [^)]+\):$/, keys: ["120gwei", "enter"] },
      { sees: / relayer \S+ in \S+\? \[y\/N]$/, keys: ["y", "enter"] },
    ]);
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
    expect(terminal.shown()).not.toContain("\u001b");
    expect(changedRelayer(folder, "eth-main-1")?.policies.gas_price_cap).toBe(120_000_000_000);
  });
});

test.each([
  [
    "if stdin is a pipe that stays open without data",
    `mkfifo silent; exec 3<>silent; ${EDIT} <&3`,
    "no terminal is attached",
  ],
  ["if stdin repeats yes endlessly", `yes | ${EDIT}`, "no terminal is attached"],
])("without a terminal relayers edit exits immediately with 3: %s", async (_, line, why) => {
  const terminal = openTerminal(line);
  expect(await terminal.ended).toMatchObject({ exitCode: 3 });
  expect(terminal.shown()).toContain(why);
  expect(terminal.shown()).not.toContain("What do you want to change?");
});
