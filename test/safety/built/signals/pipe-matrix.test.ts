import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder, said, start } from "../../../e2e/relayctl.ts";
import { APPLIED } from "../../../helpers/receipts.ts";
import { countCombinations, isTried, SIGNALS } from "./combination.ts";
import { holdingService, isRead, isWrite, LONG, NONE } from "./holding-service.ts";

/** Resolves once the program reports that it has taken the signal: a response could be there before it. */
const heard = (stderr: NodeJS.ReadableStream | null) =>
  stderr ? said(stderr, "interrupt again to stop waiting") : Promise.reject(new Error("no stderr"));

/** A process whose result nobody reads beyond its first bytes. */
function startUnread(args: readonly string[], world: { env: Record<string, string>; folder: string }) {
  const { child, ended } = start(args, world);
  const printing = new Promise<void>((resolve) =>
    child.stdout?.once("data", () => resolve(child.stdout?.pause() as never)),
  );
  return { child, ended, printing };
}

describe.each(SIGNALS)("%s", (signal, code) => {
  countCombinations();

  describe("during one write", () => {
    const PAUSE = ["relayers", "pause", "r1", "--diff", "-o", "json"];

    test.runIf(isTried(signal, 1))("before it is sent: reports that nothing was applied", async () => {
      const service = await holdingService(isRead);
      const { child, ended } = start(PAUSE, service);
      await service.holds(1);
      child.kill(signal);
      const { exitCode, stdout, stderr } = await ended;
      expect([exitCode, stdout, service.applied]).toEqual([code, "", []]);
      expect(lastLine(stderr)).toMatchObject({ error: { applied: "no", exit_code: code } });
    });

    test.runIf(isTried(signal, 2))("while it waits for the response: reports its outcome", async () => {
      const service = await holdingService(isWrite);
      const { child, ended } = start(PAUSE, service);
      await service.holds(1);
      child.kill(signal);
      await heard(child.stderr);
      service.release();
      const { exitCode, stdout, stderr } = await ended;
      expect([exitCode, JSON.parse(stdout).paused, service.applied]).toEqual([0, true, ["PATCH r1"]]);
      expect(stderr).toContain(APPLIED);
    });

    test.runIf(isTried(signal, 3))(
      "while its result is printed without a reader: reports that it was applied",
      async () => {
        const service = await holdingService(NONE, LONG);
        const { child, ended, printing } = startUnread(PAUSE, { ...service, folder: newFolder() });
        await printing;
        child.kill(signal);
        const { exitCode, stderr } = await ended;
        expect([exitCode, service.applied]).toEqual([code, ["PATCH r1"]]);
        expect(lastLine(stderr)).toMatchObject({ error: { applied: "yes", exit_code: code } });
      },
    );
  });

  describe("during bulk writes", () => {
    const pause = (format: string) => {
      const bounds = ["--concurrency", "2", "--yes", "--undo-file", "undo", "-o", format];
      return ["relayers", "pause", "r1", "r2", "r3", "r4", ...bounds];
    };
    const kept = (folder: string) => {
      const path = join(folder, "undo");
      return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1).sort() : [];
    };

    test.runIf(isTried(signal, 4))("before any is sent: reports that nothing was applied", async () => {
      const folder = newFolder();
      const service = await holdingService(isRead);
      const { child, ended } = start(pause("json"), { ...service, folder });
      await service.holds(1);
      child.kill(signal);
      const { exitCode, stderr } = await ended;
      expect([exitCode, service.applied, kept(folder)]).toEqual([code, [], []]);
      expect(lastLine(stderr)).toMatchObject({ error: { applied: "no", exit_code: code } });
    });

    test.runIf(isTried(signal, 5))(
      "while some wait for responses: reports and records those, and sends no others",
      async () => {
        const folder = newFolder();
        const service = await holdingService(isWrite);
        const { child, ended } = start(pause("json"), { ...service, folder });
        await service.holds(2);
        child.kill(signal);
        await heard(child.stderr);
        service.release();
        const { exitCode, stdout, stderr } = await ended;
        expect([exitCode, service.applied.toSorted(), kept(folder)]).toEqual([
          code,
          ["PATCH r1", "PATCH r2"],
          ["r1", "r2"],
        ]);
        expect(JSON.parse(stdout).map(({ id }: { id: string }) => id)).toEqual(["r1", "r2"]);
        expect(lastLine(stderr)).toMatchObject({
          error: { message: "interrupted: 2 of 4 relayers paused, 2 not started", applied: "yes", exit_code: code },
        });
      },
    );

    test.runIf(isTried(signal, 6))(
      "while the results are printed without a reader: records the applied writes",
      async () => {
        const folder = newFolder();
        const service = await holdingService(NONE, LONG);
        const { child, ended, printing } = startUnread(pause("ndjson"), { ...service, folder });
        await printing;
        child.kill(signal);
        const { exitCode, stderr } = await ended;
        expect(exitCode).toBe(code);
        expect(service.applied.map((one) => one.slice("PATCH ".length)).sort()).toEqual(kept(folder));
        expect(lastLine(stderr)).toMatchObject({ error: { applied: "yes", exit_code: code } });
      },
    );
  });
});

function lastLine(stderr: string): unknown {
  return JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "");
}
