import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { newFolder } from "../../../e2e/relayctl.ts";
import { openTerminal } from "../../../e2e/terminal/terminal-session.ts";
import type { HoldingService } from "./holding-service.ts";

/** A command in a separate terminal, to which a signal can be sent as from outside. */
export function inTerminal(command: string, { env }: HoldingService, editor = "", after = "") {
  const folder = newFolder();
  writeFileSync(join(folder, "editor.sh"), `${editor}\n`);
  const line = [
    "mkfifo hold",
    "stty -g > before",
    `{ (echo $BASHPID > pid; exec relayctl ${command}); code=$?; echo "(ended $code)" >&2; (exit $code); } ${after}`,
    "code=$?",
    "stty -g > after",
    "(exit $code)",
  ].join("\n");
  const session = openTerminal(line, { folder, env: { ...env, EDITOR: "sh editor.sh", TMPDIR: folder }, columns: 200 });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return {
    session,
    kill: (signal: NodeJS.Signals) => process.kill(Number(read("pid")), signal),
    /** Ends a reader that waits for this. */
    letGo: () => writeFileSync(join(folder, "hold"), ""),
    said: () => session.shown().replaceAll("\r\n", "\n"),
    /** The files for the editor that are left. */
    documents: () =>
      readdirSync(folder)
        .filter((name) => /^relayctl-[A-Za-z0-9]{6}$/.test(name))
        .map((name) => join(folder, name, "r1.jsonc")),
    expectRestored: () => {
      expect(read("after")).toBe(read("before"));
      expect(session.screen.cursor().isShown).toBe(true);
    },
  };
}
