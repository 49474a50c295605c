import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { receivers } from "../helpers/payouts.ts";
import { folderWithPayouts, ROWS } from "./payouts-folder.ts";
import { ROOT, relayctl, spawnOptions } from "./relayctl.ts";
import { holdingPayments } from "./services/holding-payments.ts";

const TOTAL = (ROWS * (ROWS + 1)) / 2;

/** A program that pays the file with the built library, and prints the result or the failure. */
const PROGRAM = `
const { createClient } = require(${JSON.stringify(join(ROOT, "dist/index.js"))});
const client = createClient({ server: process.env.RELAYCTL_SERVER, token: process.env.RELAYCTL_TOKEN });
const options = { state: "runs", confirm: ${TOTAL}n, speed: "fast", maxInFlight: 2, resume: process.argv[2] === "resume" };
client.tx.sendMany("base-hot", { file: "payouts.csv" }, options).then(
  ({ run, rows, failure }) => console.log(run, rows.filter(({ state }) => state === "sent").length, failure?.failure),
  ({ failure }) => console.log(failure),
);`;

test("after kill -9 of a program, command and library resume its run, and pay every row once", async () => {
  const { env, paid, holdAfter, holds, release } = await holdingPayments();
  const folder = folderWithPayouts();
  writeFileSync(join(folder, "pay.cjs"), PROGRAM);
  const program = (...words: string[]) => {
    const child = execa(process.execPath, [join(folder, "pay.cjs"), ...words], {
      ...spawnOptions({ env, folder }),
      cwd: folder,
      reject: false,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  holdAfter(4);
  const first = program();
  await holds(2);
  expect((await program("resume")).stdout).toBe("conflict\n");
  first.kill("SIGKILL");
  await first;
  release();
  expect((await program()).stdout).toBe("conflict\n");
  expect(paid).toHaveLength(6);
  const line = ["tx", "send-many", "base-hot", "-f", join(folder, "payouts.csv"), "--speed", "fast", "--resume"];
  const flags = ["--state", join(folder, "runs"), "--confirm", String(TOTAL)];
  expect(await relayctl([...line, ...flags], { env, folder })).toMatchObject({ exitCode: 0 });
  expect(paid.toSorted()).toEqual(receivers(ROWS));
  expect((await program("resume")).stdout).toMatch(new RegExp(`^[0-9a-f-]{36} ${ROWS} undefined\n$`));
  expect(paid).toHaveLength(ROWS);
});
