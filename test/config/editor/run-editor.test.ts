import { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { editorCommand, runEditor } from "../../../src/config/editor/editor-file.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test.each<[Record<string, string>, string, string, string]>([
  [{ VISUAL: "code", EDITOR: "ed" }, "linux", "code", "$VISUAL"],
  [{ VISUAL: "", EDITOR: "ed" }, "linux", "ed", "$EDITOR"],
  [{ VISUAL: " " }, "linux", "vi", "vi"],
  [{}, "linux", "vi", "vi"],
  [{}, "win32", "notepad", "notepad"],
])("the editor: %j on %s: %s", (env, platform, program, from) => {
  expect(editorCommand(env, platform)).toEqual({ argv: [program], from });
});

describe("the editor command is split like a shell command", () => {
  test.each<[string, string[]]>([
    ["code --wait", ["code", "--wait"]],
    ["  vim  -u   NONE ", ["vim", "-u", "NONE"]],
    ['"/opt/My Editor/edit" -w', ["/opt/My Editor/edit", "-w"]],
    ["'/opt/My Editor/edit'", ["/opt/My Editor/edit"]],
    ["/opt/My\\ Editor/edit", ["/opt/My Editor/edit"]],
    ["sh -c 'vi \"$1\"' --", ["sh", "-c", 'vi "$1"', "--"]],
    ['ed "a \\"b\\" \\\\"', ["ed", 'a "b" \\']],
    ["ed ''", ["ed", ""]],
    ["C:\\Windows\\notepad.exe /A", ["C:\\Windows\\notepad.exe", "/A"]],
    ["vi;rm $HOME `x` | &", ["vi;rm", "$HOME", "`x`", "|", "&"]],
  ])("%s", (typed, argv) => expect(editorCommand({ EDITOR: typed }, "linux").argv).toEqual(argv));

  test.each(['vi "x', "vi 'x", "vi a'"])(
    "an unclosed quote is rejected, with the name of the variable: %s",
    (typed) => {
      expect(() => editorCommand({ VISUAL: typed }, "linux")).toThrow(
        `$VISUAL ${typed}: has a quote that is not closed`,
      );
    },
  );
});

test("an editor that ignores a termination signal is killed a second later", async () => {
  const kill = vi.spyOn(ChildProcess.prototype, "kill");
  onTestFinished(() => {
    const [editor] = kill.mock.contexts as ChildProcess[];
    kill.mockRestore();
    editor?.kill("SIGKILL");
  });
  const clock = steppedClock();
  const interrupt = new AbortController();
  const started = join(temporaryFolder(), "started");
  const script = "trap '' TERM; echo > $0; exec sleep 600";
  const edited = runEditor({ argv: ["/bin/sh", "-c", script], from: "EDITOR" }, started, {
    env: process.env,
    interrupt: interrupt.signal,
    clock,
    lendTerminal: (use) => use(),
  }).catch((error: unknown) => error);
  while (!existsSync(started)) await setImmediate();
  interrupt.abort("interrupted");
  await clock.pass(999);
  expect(kill.mock.calls).toEqual([["SIGTERM"]]);
  await clock.pass(1);
  expect(kill.mock.calls).toEqual([["SIGTERM"], ["SIGKILL"]]);
  expect(await edited).toMatchObject({ failure: "interrupted" });
});
