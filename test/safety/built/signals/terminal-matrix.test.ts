import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../e2e/relayctl.ts";
import { uncolored } from "../../../e2e/terminal/terminal.ts";
import { openTerminal } from "../../../e2e/terminal/terminal-session.ts";
import { DEEP } from "../../../helpers/deep.ts";
import { countCombinations, isTried, SIGNALS } from "./combination.ts";
import { type HoldingService, holdingService, isWrite, LONG, NONE } from "./holding-service.ts";

/** A command in a separate terminal, to which a signal can be sent as from outside. */
function inTerminal(command: string, { env }: HoldingService, editor = "", after = "") {
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

/** A reader that takes the first byte, and holds the pipe open until a file is written. */
const UNREAD = "| { head -c 1 > /dev/null; echo '(printing)' >&2; cat hold > /dev/null; }";

describe.each(SIGNALS)("%s", (signal, code) => {
  countCombinations();

  async function signalledWhilePrinting({ session, kill, letGo, said }: ReturnType<typeof inTerminal>): Promise<void> {
    await session.sees(/\[y\/N]/);
    session.type("y\r");
    await session.sees(/\(printing\)/);
    kill(signal);
    await session.sees(/\(ended \d+\)/);
    letGo();
    await session.ended;
    expect(said()).toContain(`(ended ${code})`);
    expect(said()).toContain("applied");
  }

  describe("with an editor", () => {
    const EDIT = "relayers edit r1 --editor";
    const CHANGE = `sed -i 's/80000000000/"120gwei"/' "$1"`;
    const WAIT = `printf 'the editor waits: ' >&2; read -r line`;

    if (signal === "SIGINT") {
      test("leaves the key to the open editor", async () => {
        const service = await holdingService(NONE);
        const edited = inTerminal(EDIT, service, `${CHANGE}; ${WAIT}`);
        await edited.session.sees(/the editor waits:/);
        edited.kill(signal);
        edited.session.type("\r");
        await edited.session.sees(/\[y\/N]/);
        edited.session.type("y\r");
        expect((await edited.session.ended).exitCode).toBe(0);
        expect([service.applied, edited.documents()]).toEqual([["PATCH r1"], []]);
      });
    } else {
      test.runIf(DEEP || signal === "SIGHUP")("keeps the document, prints its path, and sends nothing", async () => {
        const service = await holdingService(NONE);
        const edited = inTerminal(EDIT, service, `${CHANGE}; ${WAIT}`);
        await edited.session.sees(/the editor waits:/);
        edited.kill(signal);
        expect((await edited.session.ended).exitCode).toBe(code);
        expect(service.applied).toEqual([]);
        const [document = ""] = edited.documents();
        expect(readFileSync(document, "utf8")).toContain('"120gwei"');
        expect(edited.said()).toContain(document);
        edited.expectRestored();
      });
    }

    test.runIf(isTried(signal, 1))(
      "reports the outcome of a change in progress, and deletes the document",
      async () => {
        const service = await holdingService(isWrite);
        const edited = inTerminal(EDIT, service, CHANGE);
        await edited.session.sees(/\[y\/N]/);
        edited.session.type("y\r");
        await service.holds(1);
        edited.kill(signal);
        await edited.session.sees(/interrupt again to stop waiting/);
        service.release();
        expect((await edited.session.ended).exitCode).toBe(0);
        expect([service.applied, edited.documents()]).toEqual([["PATCH r1"], []]);
        expect(uncolored(edited.said())).toContain("✓ r1 in ");
        edited.expectRestored();
      },
    );

    test.runIf(DEEP)("reports that the change was applied if its result has no reader", async () => {
      const service = await holdingService(NONE, LONG);
      const edited = inTerminal(`${EDIT} -o json`, service, CHANGE, UNREAD);
      await signalledWhilePrinting(edited);
      expect([service.applied, edited.documents()]).toEqual([["PATCH r1"], []]);
      edited.expectRestored();
    });

    test.runIf(DEEP)("keeps the document during the review, and prints its path", async () => {
      const service = await holdingService(NONE);
      const edited = inTerminal(EDIT, service, CHANGE);
      await edited.session.sees(/\[y\/N]/);
      edited.kill(signal);
      expect((await edited.session.ended).exitCode).toBe(code);
      expect([service.applied, edited.documents().length]).toEqual([[], 1]);
      expect(edited.said()).toContain(edited.documents()[0]);
      edited.expectRestored();
    });
  });

  describe("with a question", () => {
    test.runIf(isTried(signal, 2))("ends the question, and sends nothing", async () => {
      const service = await holdingService(NONE);
      const asked = inTerminal("relayers delete r1", service);
      await asked.session.sees(/\[y\/N]/);
      asked.kill(signal);
      expect((await asked.session.ended).exitCode).toBe(code);
      expect(service.applied).toEqual([]);
      asked.expectRestored();
    });

    test.runIf(isTried(signal, 3))("reports the outcome of a confirmed write", async () => {
      const service = await holdingService((request) => request.startsWith("DELETE "));
      const asked = inTerminal("relayers delete r1", service);
      await asked.session.sees(/\[y\/N]/);
      asked.session.type("y\r");
      await service.holds(1);
      asked.kill(signal);
      await asked.session.sees(/interrupt again to stop waiting/);
      service.release();
      expect((await asked.session.ended).exitCode).toBe(0);
      expect(service.applied).toEqual(["DELETE r1"]);
      asked.expectRestored();
    });

    test.runIf(isTried(signal, 4))("reports that the write was applied if its result has no reader", async () => {
      const service = await holdingService(NONE, LONG);
      const asked = inTerminal("relayers update r1 r2 --paused -o json", service, "", UNREAD);
      await signalledWhilePrinting(asked);
      expect(service.applied.toSorted()).toEqual(["PATCH r1", "PATCH r2"]);
      asked.expectRestored();
    });
  });
});
