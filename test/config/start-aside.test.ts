import { existsSync } from "node:fs";
import { join } from "node:path";
import { startAside } from "../../src/config/start-aside.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const node = (code: string) => [process.execPath, "-e", code];
/** A clock that nothing but the end of the program ends. */
const patient = {
  sleep: (_: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
};

test("waits until the program ends", async () => {
  const file = join(temporaryFolder(), "done");
  await startAside(node(`require("node:fs").writeFileSync(${JSON.stringify(file)}, "")`), 1, patient);
  expect(existsSync(file)).toBe(true);
});

test("waits no longer than the limit", async () => {
  const slept: number[] = [];
  const hasty = { sleep: async (milliseconds: number) => void slept.push(milliseconds) };
  await startAside(node("setTimeout(() => {}, 2_000)"), 300, hasty);
  expect(slept).toEqual([300]);
});

test("ignores a missing program", async () => await startAside(["/nowhere/relayctl"], 1, patient));
