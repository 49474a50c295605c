import { existsSync } from "node:fs";
import { exited, exitedSaying } from "../helpers/exited.ts";
import { appliedIn, UNDO, WHILE_PAUSED } from "../helpers/receipts.ts";
import { bash } from "./relayctl.ts";
import { serve } from "./services/embedded.ts";

const LIST = "relayctl --demo relayers list";

test("exits with 0 if the reader closes the pipe early", async () => {
  const { env } = await serve({ seed: "fleet:20000" });
  const line = "relayctl relayers list -o ndjson | head -1; echo exits with $" + "{PIPESTATUS[0]}";
  const { stdout, stderr } = await bash(line, { env });
  const [first, ends, ...more] = stdout.split("\n");
  expect(JSON.parse(first ?? "")).toMatchObject({ id: "relayer-0000001" });
  expect([ends, more, stderr]).toEqual(["exits with 0", [""], ""]);
});

test.skipIf(!existsSync("/dev/full"))("exits with 74 if stdout is a full disk", async () => {
  await exitedSaying(74, bash(`${LIST} > /dev/full`), /^error: .*stdout/);
});

test("exits with 74 if only part of the help can be written", async () => {
  const { exitCode, stdout } = await bash("ulimit -f 1; relayctl --help > help; code=$?; wc -c < help; exit $code");
  expect([exitCode, stdout.trim()]).toEqual([74, "1024"]);
});

test("a limit of file size fails the write to a file, and does not end a command whose request has left", async () => {
  const { env } = await serve({});
  const ran = await bash("ulimit -f 0; RELAYCTL_JOURNAL=$PWD/journal relayctl relayers pause eth-main-1", { env });
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/^warning: this write is not recorded: .*EFBIG$/m);
  expect(ran.stderr).toMatch(/^applied in .*: eth-main-1 paused$/m);
});

test.skipIf(!existsSync("/dev/full"))("reports a write as applied if its result cannot be printed", async () => {
  const { exitCode, stderr } = await bash("relayctl --demo relayers pause eth-main-1 -o json > /dev/full");
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  expect(exitCode).toBe(74);
  expect(JSON.parse(last).error).toMatchObject({ code: "io", exit_code: 74, applied: "yes" });
});

test("a closed stdout does not break a write", async () => {
  const { exitCode, stderr } = await bash("relayctl --demo relayers pause eth-main-1 >&-");
  expect([exitCode, stderr]).toEqual([
    0,
    `${appliedIn("demo")}eth-main-1 paused\npaused: ${WHILE_PAUSED}\n${UNDO}relayctl --demo relayers resume eth-main-1\n`,
  ]);
});

test("a closed stderr does not break a read", async () => {
  const { exitCode, stdout } = await bash(`${LIST} -o name 2>&-`);
  expect([exitCode, stdout.split("\n").length]).toEqual([0, 9]);
});

test("prints the same bytes with any stdin, stdout, terminal, and color settings", async () => {
  const plain = await exited({ exitCode: 0, stderr: "" }, bash(LIST));
  expect(plain.stdout.split("\n")[0]).toMatch(/^base-hot\tBase hot\tbase\tevm\t/);
  const others = [
    bash(`${LIST} < /dev/null | cat`),
    bash(`${LIST} | cat`, { env: { FORCE_COLOR: "3", TERM: "xterm-256color", COLUMNS: "20" } }),
    bash(`${LIST} | cat`, { env: { TERM: "dumb", LC_ALL: "tr_TR.UTF-8", TZ: "Asia/Kathmandu" } }),
    bash(`${LIST} | cat`, { env: { NO_COLOR: "1", CI: "true" } }),
  ];
  expect((await Promise.all(others)).map(({ stdout }) => stdout)).toEqual(others.map(() => plain.stdout));
});

test("reports that a folder on stdin cannot be read, not that it is empty", async () => {
  const { stderr } = await exited(2, bash("relayctl --demo relayers pause - --yes < /"));
  expect(stderr).toContain("error: stdin: could not be read: EISDIR\n");
  expect(stderr).not.toContain("holds no id");
});
