import { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { openBrowserPage, openerOf } from "../../src/config/browser/open-page.ts";
import { editorCommand, runEditor } from "../../src/config/editor/editor-file.ts";
import { createLentTerminal } from "../../src/config/editor/lent-terminal.ts";
import { startPager } from "../../src/config/pager/start-pager.ts";
import { runDetached } from "../../src/config/run-detached.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("a program started aside", () => {
  const node = (code: string) => [process.execPath, "-e", code];
  /** A clock that nothing but the end of the program ends. */
  const patient = {
    sleep: (_: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
  };

  test("waits until the program ends", async () => {
    const file = join(temporaryFolder(), "done");
    await runDetached(node(`require("node:fs").writeFileSync(${JSON.stringify(file)}, "")`), 1, patient);
    expect(existsSync(file)).toBe(true);
  });

  test("waits no longer than the limit", async () => {
    const slept: number[] = [];
    const hasty = { sleep: async (milliseconds: number) => void slept.push(milliseconds) };
    await runDetached(node("setTimeout(() => {}, 2_000)"), 300, hasty);
    expect(slept).toEqual([300]);
  });

  test("ignores a missing program", async () => await runDetached(["/nowhere/relayctl"], 1, patient));
});

const URL = "https://etherscan.io/tx/0x12?a=$&";

test.each([
  ["xdg-open on Linux", {}, "linux", ["xdg-open", URL]],
  ["open on macOS", {}, "darwin", ["open", URL]],
  ["the system's handler on Windows", {}, "win32", ["rundll32", "url.dll,FileProtocolHandler", URL]],
  ["BROWSER, with its words", { BROWSER: "firefox --new-tab" }, "linux", ["firefox", "--new-tab", URL]],
  ["BROWSER, at its place", { BROWSER: "open-with %s quietly" }, "linux", ["open-with", URL, "quietly"]],
  ["the first program of BROWSER", { BROWSER: "firefox:w3m" }, "linux", ["firefox", URL]],
  ["the system's, if BROWSER is empty", { BROWSER: "" }, "linux", ["xdg-open", URL]],
])("a page is opened by %s", (_, env, platform, words) => expect(openerOf(URL, { env, platform })).toEqual(words));

test("a program that is missing is reported", async () => {
  const problem = await openBrowserPage(URL, { env: { BROWSER: "/nowhere/browser" }, platform: "linux" });
  expect(problem).toContain("ENOENT");
});

const started = (reason: string) =>
  startPager({
    env: { PAGER: "true", PATH: "/usr/bin:/bin" },
    interrupt: AbortSignal.abort(reason),
    clock: steppedClock(),
    lendTerminal: (use) => use(),
  });

test.each(["terminated", "hung_up"])("no pager opens for the result of a process that is %s", async (reason) => {
  expect(await started(reason)).toBeUndefined();
});

test("the terminal counts as lent until 50 ms after its use, since a Ctrl-C can arrive late", async () => {
  const clock = steppedClock();
  const terminal = createLentTerminal(clock);
  expect(terminal.isTerminalLent()).toBe(false);
  const used = terminal.lendTerminal(async () => "edited");
  await clock.pass(49);
  expect(terminal.isTerminalLent()).toBe(true);
  await clock.pass(1);
  expect(terminal.isTerminalLent()).toBe(false);
  expect(await used).toBe("edited");
});

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
