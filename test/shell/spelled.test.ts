import fc from "fast-check";
import { commandLine, type Shell, shellSpelling, userShell } from "../../src/shell/shell-words.ts";
import { needsNoEscape } from "../../src/terminal/escape.ts";
import { anyCharacter } from "../helpers/any-character.ts";
import { runs } from "../helpers/deep.ts";
import { argvUnder } from "../helpers/shell.ts";

const HIDDEN = [
  "\u001b[2J",
  "\u202e",
  "\u200b",
  "\u2028",
  "\ufeff",
  "\u00ad",
  "\u{e0041}",
  "\u00a0",
  "\u007f",
  "\n",
  "\r\t",
];
const QUOTING = [
  "'",
  "\\",
  "\\\\",
  "\\'",
  '"',
  "!",
  "$HOME",
  "`id`",
  "=",
  "-",
  "--",
  "@",
  "%",
  " ",
  "  ",
  "~",
  "*",
  "#",
];
const part = fc.oneof(
  fc.constantFrom(...HIDDEN, ...QUOTING, "é", "日本", "👨‍👩‍👧", "\\n", "\\u{1b}"),
  fc.string({ unit: anyCharacter }),
);
const word = fc.array(part, { maxLength: 6 }).map((parts) => parts.join("").replaceAll("\0", ""));
/** Many at once: what takes time is to start a shell. */
const words = fc.array(word, { minLength: 40, maxLength: 40 });
const RUNS = runs(2, 100);

describe("a quoted word keeps its value in a shell", () => {
  test.each<[Shell, string]>([
    ["bash", "/bin/bash"],
    ["sh", "/bin/sh"],
    ["fish", "/bin/bash"],
    ["other", "/bin/sh"],
  ])("written for %s, read by %s, if it can be written", (shell, program) => {
    fc.assert(
      fc.property(words, (all) => {
        // What bash and fish read alike is tried in bash.
        const tried = all.filter((one) => shell !== "fish" || shellSpelling(one, "sh") !== undefined);
        const written = tried.flatMap((one) => (shellSpelling(one, shell) === undefined ? [] : [one]));
        const line = written.map((one) => shellSpelling(one, shell)).join(" ");
        expect(needsNoEscape(line)).toBe(true);
        expect(argvUnder(program, "relayctl", `relayctl ${line}`)).toEqual(written);
      }),
      RUNS,
    );
  });

  test("bash can express every word", () => {
    fc.assert(
      fc.property(words, (all) => {
        expect(all.filter((one) => shellSpelling(one, "bash") === undefined)).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe("a hidden character", () => {
  test.each<[Shell, string | undefined]>([
    ["bash", String.raw`$'a\033\342\200\256 it\047s\041'`],
    ["fish", String.raw`a\u001b\u202e' it'\''s!'`],
    ["sh", undefined],
    ["powershell", undefined],
    ["other", undefined],
  ])("is written visibly for %s", (shell, written) =>
    expect(shellSpelling("a\u001b\u202e it's!", shell)).toBe(written),
  );

  test("beyond the first plane has a long form in fish", () =>
    expect(shellSpelling("\u{e0041}", "fish")).toBe(String.raw`\U000e0041`));

  test.each(["a\0b", "\ud800"])("%j cannot be expressed in any shell", (text) => {
    expect((["bash", "sh", "fish", "powershell", "other"] as const).map((shell) => shellSpelling(text, shell))).toEqual(
      Array.from({ length: 5 }),
    );
  });
});

test.each([
  ["plain-word_1", "plain-word_1"],
  ["--policy", "--policy"],
  ["a=b c", '"a=b c"'],
  ["a.b", "a.b"],
  ["-a.b", '"-a.b"'],
  ['["x"]', undefined],
  ["$HOME", undefined],
  ["a\\", undefined],
  ["", undefined],
])("PowerShell and cmd both read %j as %j", (text, written) => expect(shellSpelling(text, "powershell")).toBe(written));

test.each<[Record<string, string>, Shell]>([
  [{}, "bash"],
  [{ SHELL: "" }, "bash"],
  [{ SHELL: "/usr/local/bin/zsh" }, "bash"],
  [{ SHELL: "/bin/dash" }, "sh"],
  [{ SHELL: "/opt/homebrew/bin/fish" }, "fish"],
  [{ SHELL: "/bin/tcsh" }, "other"],
  [{ OS: "Windows_NT" }, "powershell"],
  [{ OS: "Windows_NT", SHELL: "C:\\Program Files\\Git\\usr\\bin\\bash.exe" }, "bash"],
])("%j selects %s", (env, shell) => expect(userShell(env)).toBe(shell));

test("an argument that looks like a short flag is placed after the flags", () => {
  expect(commandLine("-c", "prod", "relayers", "get", "-id")).toBe("relayctl -c prod relayers get -- -id");
  expect(commandLine("relayers", "update", "-c", "--no-notification-id")).toBe(
    "relayctl relayers update --no-notification-id -- -c",
  );
  expect(commandLine("relayers", "get", "-")).toBe("relayctl relayers get -");
});
