import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasColor, hasLinks, hasPlainLines, hasUnicode } from "../../src/terminal/capabilities.ts";
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
