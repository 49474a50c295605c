import { describe, expect, test } from "vitest";
import { colorEnabled } from "../../src/terminal/capabilities.ts";

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
    expect(colorEnabled(env, "auto", isTerminal)).toBe(expected);
  });

  test("--color takes precedence over the environment", () => {
    expect(colorEnabled({ NO_COLOR: "1", TERM: "dumb" }, "always", false)).toBe(true);
    expect(colorEnabled({ FORCE_COLOR: "1" }, "never", true)).toBe(false);
  });
});
