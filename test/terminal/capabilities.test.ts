import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasColor, hasLinks, hasPlainLines, hasUnicode } from "../../src/terminal/capabilities.ts";
import { notificationCodes } from "../../src/terminal/notification.ts";
import { cli } from "../helpers/cli.ts";

describe("color in a stream", () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ TERM: "xterm-256color" }, true, true],
    [{ TERM: "dumb" }, true, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "" }, false, false],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "false" }, true, false],
    [{ FORCE_COLOR: "2", TERM: "dumb" }, true, true],
    [{ CLICOLOR_FORCE: "1" }, false, true],
    [{ CLICOLOR_FORCE: "0" }, false, false],
  ])("with the environment %j and terminal %s: %s", (env, isTerminal, expected) => {
    expect(hasColor(env, "auto", isTerminal)).toBe(expected);
  });

  test("--color takes precedence over the environment", () => {
    expect(hasColor({ NO_COLOR: "1", TERM: "dumb" }, "always", false)).toBe(true);
    expect(hasColor({ FORCE_COLOR: "1" }, "never", true)).toBe(false);
  });
});

describe("plain lines for a screen reader", () => {
  test.each([
    [{ RELAYCTL_ACCESSIBLE: "1" }, true],
    [{ ACCESSIBLE: "1" }, true],
    [{ ACCESSIBLE: "true" }, true],
    [{ RELAYCTL_ACCESSIBLE: "", ACCESSIBLE: "1" }, true],
    [{ RELAYCTL_ACCESSIBLE: "", ACCESSIBLE: "" }, false],
    [{ TERM: "dumb" }, true],
    [{ TERM: "xterm-256color" }, false],
  ])("with the environment %j: %s", (env, expected) => {
    expect(hasPlainLines(env)).toBe(expected);
    expect(hasLinks({ FORCE_HYPERLINK: "1", ...env }, true)).toBe(!expected);
  });

  test("follow from one function, so that both variables count everywhere", () => {
    const source = join(import.meta.dirname, "../../src");
    const reading = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter(
        (name) => name.endsWith(".ts") && /\bACCESSIBLE|_ACCESSIBLE/.test(readFileSync(join(source, name), "utf8")),
      )
      .sort();
    // The others are the list of variables, a command's help, and what a tour leaves in the environment.
    const others = ["commands/relayers/edit/edit.ts", "config/variables.ts", "main.ts"];
    expect(reading).toEqual([...others, "terminal/capabilities.ts"]);
  });

  test("are named in help with both variables", async () => {
    const { stdout } = await cli("help environment");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "RELAYCTL_ACCESSIBLE Print plain lines in words for a screen reader, if set to any value (or ACCESSIBLE)",
    );
  });
});

test.each([
  [{ TERM: "xterm-256color" }, true, false],
  [{ TERM_PROGRAM: "iTerm.app" }, true, true],
  [{ TERM_PROGRAM: "Apple_Terminal" }, true, false],
  [{ TERM: "xterm-kitty" }, true, true],
  [{ WT_SESSION: "1" }, true, true],
  [{ VTE_VERSION: "7600" }, true, true],
  [{ VTE_VERSION: "4905" }, true, false],
  [{ TERM: "dumb", WT_SESSION: "1" }, true, false],
  [{ RELAYCTL_ACCESSIBLE: "1", WT_SESSION: "1" }, true, false],
  [{ FORCE_HYPERLINK: "1" }, true, true],
  [{ FORCE_HYPERLINK: "0", TERM: "xterm-kitty" }, true, false],
  [{ FORCE_HYPERLINK: "1", TERM: "xterm-kitty" }, false, false],
])("links with the environment %j and terminal %s: %s", (env, isTerminal, expected) => {
  expect(hasLinks(env, isTerminal)).toBe(expected);
});

test.each([
  [{}, true],
  [{ LANG: "en_US.UTF-8" }, true],
  [{ LANG: "C.utf8" }, true],
  [{ LANG: "C" }, false],
  [{ LANG: "en_US.UTF-8", LC_ALL: "POSIX" }, false],
  [{ LANG: "de_DE.ISO-8859-1", LC_CTYPE: "de_DE.UTF-8" }, true],
  [{ LANG: "en_US.UTF-8", LC_ALL: "" }, true],
  [{ OS: "Windows_NT" }, false],
  [{ OS: "Windows_NT", WT_SESSION: "4f1" }, true],
  [{ OS: "Windows_NT", LANG: "de_DE.UTF-8" }, true],
])("signs beyond ASCII with the locale %j: %s", (env, expected) => expect(hasUnicode(env)).toBe(expected));

describe("the notification", () => {
  const BELL = "\u0007";

  test.each([
    [{ TERM_PROGRAM: "iTerm.app" }, `${BELL}\u001b]9;relayctl: done\u001b\\`],
    [{ TERM_PROGRAM: "WezTerm" }, `${BELL}\u001b]9;relayctl: done\u001b\\`],
    [{ TERM: "xterm-kitty" }, `${BELL}\u001b]9;relayctl: done\u001b\\`],
    [{ TERM: "foot" }, `${BELL}\u001b]9;relayctl: done\u001b\\`],
    [{ TERM: "rxvt-unicode-256color" }, `${BELL}\u001b]777;notify;relayctl;done\u001b\\`],
    [{ TERM: "xterm-256color", KONSOLE_VERSION: "230800" }, `${BELL}\u001b]777;notify;relayctl;done\u001b\\`],
    [{ TERM: "xterm-256color", VTE_VERSION: "7600" }, `${BELL}\u001b]777;notify;relayctl;done\u001b\\`],
    [{ TERM: "xterm-256color" }, BELL],
    [{ WT_SESSION: "1" }, BELL],
    [{ TERM: "dumb" }, BELL],
    [{ ACCESSIBLE: "1", TERM_PROGRAM: "iTerm.app" }, BELL],
    [{ TERM: "tmux-256color", TMUX: "/tmp/tmux-0/default,1,0", KONSOLE_VERSION: "230800" }, BELL],
    [{ TERM: "screen", STY: "1.pts", VTE_VERSION: "7600" }, BELL],
    [{}, BELL],
  ])("is what the terminal of %o has", (env, expected) => expect(notificationCodes(env, "done")).toBe(expected));

  test.each(["\u001b\\\u001b]0;title\u0007", "a\u009c\u009d0;b", "a\nb\r\tc", "\u202egnp.exe", "4;1;100", "a;b"])(
    "does not act on the terminal, whatever its text is: %j",
    (text) => {
      for (const env of [{ TERM_PROGRAM: "ghostty" }, { TERM: "rxvt-unicode" }]) {
        const [, inner] = /^\u0007\u001b\](?:9;relayctl: |777;notify;relayctl;)(.*)\u001b\\$/su.exec(
          notificationCodes(env, text),
        ) ?? [undefined, "\u0007"];
        expect(inner).toMatch(/^[\x20-\x7e]+$/);
      }
      expect(notificationCodes({ TERM: "rxvt-unicode" }, text).split(";")).toHaveLength(4);
    },
  );

  test("is as long as a terminal shows", () =>
    expect(notificationCodes({ TERM: "foot" }, "x".repeat(10_000))).toHaveLength(
      200 + "\u0007\u001b]9;relayctl: \u001b\\".length,
    ));
});
