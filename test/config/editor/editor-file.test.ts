import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createEditorFile } from "../../../src/config/editor/editor-file.ts";
import { clock } from "../../../src/system.ts";

/** A file for an editor that is a script of Node's; `path` in it is the file. */
function openWith(
  script: string,
  more: { interrupt?: AbortSignal; name?: string; clock?: Pick<typeof clock, "sleep"> } = {},
) {
  const lent: boolean[] = [];
  const code = `const fs = require("node:fs"); const path = process.argv.at(-1); ${script}`;
  const made = createEditorFile(more.name ?? "eth-main-1", {
    env: { EDITOR: `'${process.execPath}' -e '${code}' -- --flag`, RELAYCTL_TOKEN: "canary", PATH: process.env.PATH },
    platform: "linux",
    interrupt: more.interrupt ?? new AbortController().signal,
    clock: more.clock ?? clock,
    lendTerminal: async (use) => {
      lent.push(true);
      return await use();
    },
  });
  return { made, lent };
}

describe("a file for an editor", () => {
  test("can be written, edited, and read repeatedly", async () => {
    const { made, lent } = openWith('fs.appendFileSync(path, "!")');
    const file = await made;
    expect(await file.edit("ä")).toBe("ä!");
    expect(await file.edit("b")).toBe("b!");
    expect(lent).toEqual([true, true]);
    await file.remove();
    expect(existsSync(dirname(file.path))).toBe(false);
  });

  test("is readable only by its owner, in a folder only for its owner", async () => {
    const file = await openWith("").made;
    await file.edit("x");
    expect([file.path, dirname(file.path)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
    await file.remove();
  });

  test("has a safe name for any ID", async () => {
    const file = await openWith("", { name: `../$(id)\n "x" ${"y".repeat(300)}` }).made;
    expect(file.path).toMatch(/relayctl-\w+\/_{5}id_{4}x_{2}y{46}\.jsonc$/);
    await file.remove();
  });

  test("counts as empty if the editor deleted it", async () => {
    const file = await openWith("fs.unlinkSync(path)").made;
    expect(await file.edit("x")).toBe("");
    await file.remove();
  });

  test("is rejected if it is not text", async () => {
    const file = await openWith("fs.writeFileSync(path, Buffer.from([0xff]))").made;
    await expect(file.edit("x")).rejects.toMatchObject({ failure: "usage" });
    await file.remove();
  });
});

describe("an editor", () => {
  test("gets no token, and gets the path after its own arguments", async () => {
    const file = await openWith("fs.writeFileSync(path, [process.env.RELAYCTL_TOKEN, process.argv[1]].join())").made;
    expect(await file.edit("x")).toBe(",--flag");
    await file.remove();
  });

  test.each([
    ["process.exit(3)", "ended with status 3"],
    ['process.kill(process.pid, "SIGINT"); setInterval(() => {}, 1000)', "ended with signal SIGINT"],
  ])("is reported as declined if it fails, and its file stays: %s", async (script, words) => {
    const file = await openWith(script).made;
    await expect(file.edit("x")).rejects.toMatchObject({
      failure: "declined",
      message: expect.stringContaining(words),
    });
    expect(existsSync(file.path)).toBe(true);
    await file.remove();
  });

  test("is a usage error with the variable if it does not exist", async () => {
    const surroundings = {
      env: { VISUAL: "/nowhere/ed --wait" },
      platform: "linux",
      interrupt: new AbortController().signal,
      clock,
      lendTerminal: <T>(use: () => Promise<T>) => use(),
    };
    const file = await createEditorFile("r", surroundings);
    await expect(file.edit("x")).rejects.toMatchObject({
      failure: "usage",
      message: "the editor ($VISUAL, /nowhere/ed --wait): cannot be run: program not found",
    });
    await file.remove();
  });

  test.each([
    ["interrupted", "SIGTERM"],
    ["terminated", "SIGTERM"],
    ["hung_up", "SIGHUP"],
  ])("gets a signal if the program is %s, and may save its text", async (reason, signal) => {
    const interrupt = new AbortController();
    const script = `process.on("${signal}", () => { fs.appendFileSync(path, "saved"); process.exit(0); });
      fs.writeFileSync(path, "ready "); setInterval(() => {}, 1000)`;
    const file = await openWith(script, { interrupt: interrupt.signal }).made;
    const edited = file.edit("x");
    await holds(file.path, "ready ");
    interrupt.abort(reason);
    await expect(edited).rejects.toMatchObject({ failure: "interrupted" });
    expect(readFileSync(file.path, "utf8")).toBe("ready saved");
    await file.remove();
  });

  test("is killed if it ignores the signal", async () => {
    const interrupt = new AbortController();
    const script = `process.on("SIGTERM", () => {}); fs.writeFileSync(path, "ready"); setInterval(() => {}, 1000)`;
    const { made } = openWith(script, { interrupt: interrupt.signal, clock: { sleep: async () => {} } });
    const file = await made;
    const edited = file.edit("x");
    await holds(file.path, "ready");
    interrupt.abort("terminated");
    await expect(edited).rejects.toMatchObject({ failure: "interrupted" });
    await file.remove();
  });
});

async function holds(path: string, text: string): Promise<void> {
  while (!existsSync(path) || readFileSync(path, "utf8") !== text) await setImmediate();
}
