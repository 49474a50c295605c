import { describe, expect, test } from "vitest";
import { editorCommand } from "../../../src/config/editor/run-editor.ts";

describe("the editor", () => {
  test.each<[Record<string, string>, string, string, string]>([
    [{ VISUAL: "code", EDITOR: "ed" }, "linux", "code", "$VISUAL"],
    [{ VISUAL: "", EDITOR: "ed" }, "linux", "ed", "$EDITOR"],
    [{ VISUAL: " " }, "linux", "vi", "vi"],
    [{}, "linux", "vi", "vi"],
    [{}, "win32", "notepad", "notepad"],
  ])("%j on %s: %s", (env, platform, program, from) => {
    expect(editorCommand(env, platform)).toEqual({ argv: [program], from });
  });
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
  ])("%s", (typed, argv) => {
    expect(editorCommand({ EDITOR: typed }, "linux").argv).toEqual(argv);
  });

  test.each(['vi "x', "vi 'x", "vi a'"])(
    "an unclosed quote is rejected, with the name of the variable: %s",
    (typed) => {
      expect(() => editorCommand({ VISUAL: typed }, "linux")).toThrow(
        `$VISUAL ${typed}: has a quote that is not closed`,
      );
    },
  );
});
