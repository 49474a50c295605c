import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chosen } from "../helpers/deep.ts";
import { ENDED_BY_SIGNAL } from "../helpers/time-up.ts";
import { newFolder } from "./relayctl.ts";
import { openTerminal } from "./terminal/terminal-session.ts";

const CTRL_C = "\u0003";

/** A pager has a tenth of a second to fail before it gets the text; on a busy machine it may need more. */
const UNTIL_IT_ENDS = { NODE_OPTIONS: ENDED_BY_SIGNAL, ATTEMPT: "100" };

/** A pager that shows how it was called, and waits for Enter. A Ctrl-C does not end it. */
const PAGER = `#!/bin/sh
trap 'echo "(kept)"' INT
echo "(pager $* token=$RELAYCTL_TOKEN less=$LESS lv=$LV $LESSCHARSET)"
cat
echo "(end)"
until read -r line < /dev/tty; do :; done
`;

function open(line: string, env: Record<string, string> = {}) {
  const folder = newFolder();
  const program = join(folder, "show");
  writeFileSync(program, PAGER);
  chmodSync(program, 0o755);
  return openTerminal(`stty rows 5; ${line}`, { folder, env: { PAGER: `${program} -x`, ...env } });
}

describe("a list longer than the screen", () => {
  test("goes to the pager in color, which gets no token; Ctrl-C is the pager's", async () => {
    const token = "canary-token";
    const session = open("relayctl --demo relayers list", { RELAYCTL_TOKEN: token });
    await session.sees(/\(pager -x token= less=FRX lv=-c utf-8\)[\s\S]*eth-main-1[\s\S]*\(end\)$/);
    expect(session.shown()).toMatch(/\u001b\[\d+m/);
    session.type(CTRL_C);
    await session.sees(/\(kept\)$/);
    session.type("\r");
    expect(await session.ended).toMatchObject({ exitCode: 0 });
    expect(session.screen.lines().join("\n")).toMatch(/\(kept\)\n+.*hidden.*\n8 relayers · demo/);
  });

  test("of which little is read ends with 0 when the pager ends", async () => {
    const session = open("relayctl --demo help exit-codes", { PAGER: "head -n 2" });
    expect(await session.ended).toMatchObject({ exitCode: 0 });
    expect(session.screen.lines().length).toBeLessThan(6);
  });

  const unusable: readonly (readonly [string, string, string])[] = [
    ["does not exist", "no-such-pager", "program not found"],
    ["fails", "false", "it ended with status 1"],
  ];

  test.each(chosen(unusable, 0))("is printed straight if the pager %s, with one warning", async (_, PAGER, problem) => {
    const session = open("relayctl --demo relayers list", { PAGER, ...UNTIL_IT_ENDS });
    expect(await session.ended).toMatchObject({ exitCode: 0 });
    const screen = session.screen.lines().join("\n");
    expect(screen.match(/^warning: .*$/gm)).toEqual([`warning: the pager cannot be used: ${problem}`]);
    expect(screen.match(/eth-main-1/g)).toHaveLength(1);
  });

  const parts: readonly (readonly [string, string])[] = [
    ["the whole text", "cat; exit 1"],
    ["a part of it", "head -n 3; exit 1"],
  ];

  test.each(chosen(parts, 1))("is printed once if the pager fails after it has shown %s", async (_, lines) => {
    const folder = newFolder();
    const program = join(folder, "failing");
    writeFileSync(program, `#!/bin/sh\n${lines}\n`);
    chmodSync(program, 0o755);
    const session = openTerminal("stty rows 5; relayctl --demo relayers list", { folder, env: { PAGER: program } });
    expect(await session.ended).toMatchObject({ exitCode: 0 });
    const screen = session.screen.lines().join("\n");
    expect(screen.match(/base-hot/g)).toHaveLength(1);
    expect(screen.replaceAll(/\s+/g, " ")).toContain(
      "warning: the pager failed: it ended with status 1; --no-pager prints all without it",
    );
  });

  const straight: readonly (readonly [string, string, Record<string, string>])[] = [
    ["--no-pager", "relayctl --demo relayers list --no-pager", {}],
    ["an empty PAGER", "relayctl --demo relayers list", { PAGER: "" }],
    ["RELAYCTL_PAGER=cat", "relayctl --demo relayers list", { RELAYCTL_PAGER: "cat" }],
    ["a pipe", "relayctl --demo relayers list | cat", {}],
    ["TERM=dumb", "relayctl --demo relayers list", { TERM: "dumb" }],
  ];

  test.each(chosen(straight, 0, 3))("is printed straight with %s", async (_, line, env) => {
    const session = open(line, env);
    expect(await session.ended).toMatchObject({ exitCode: 0 });
    expect(session.shown()).toContain("eth-main-1");
    expect(session.shown()).not.toContain("(pager");
  });
});

test("less is the usual pager, and q ends it silently", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "less"), '#!/bin/sh\necho "(less)"; read -r line < /dev/tty\n');
  chmodSync(join(folder, "less"), 0o755);
  const session = openTerminal('stty rows 5; unset PAGER; PATH="$PWD:$PATH" relayctl --demo --help', { folder });
  await session.sees(/^\(less\)$/);
  session.type("q\r");
  expect(await session.ended).toMatchObject({ exitCode: 0 });
  expect(session.screen.lines().slice(2).join("")).toMatch(/^\(exit 0\)$/);
});
