import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bash, newFolder } from "../../e2e/relayctl.ts";
import { serve } from "../../e2e/services/embedded.ts";
import { chosen } from "../../helpers/deep.ts";
import { APPLIED } from "../../helpers/receipts.ts";

test("a slow reader gets every byte of a large output", async () => {
  const { env } = await serve({ seed: "fleet:2000" });
  const folder = newFolder();
  const line = "relayctl relayers list -o json";
  await bash(`${line} > whole; ${line} | (read -r first; echo "$first"; relayctl --version > /dev/null; cat) > slow`, {
    folder,
    env,
  });
  const [whole, slow] = ["whole", "slow"].map((name) => readFileSync(join(folder, name)));
  expect(whole?.length).toBeGreaterThan(10 * 65_536);
  expect(slow?.equals(whole ?? Buffer.alloc(0))).toBe(true);
});

test.each(chosen(["json", "ndjson", "tsv", "table"], 1, 3))(
  "a reader of %s that closes the pipe early is not an error",
  async (format) => {
    const { env } = await serve({ seed: "fleet:2000" });
    const line = `relayctl relayers list -o ${format} | head -c 10 > part; echo "$\{PIPESTATUS[0]}"`;
    expect(await bash(line, { env })).toMatchObject({ stdout: "0\n", stderr: "" });
  },
);

test("a write is sent and reported even if the reader has closed the pipe before", async () => {
  const line =
    "relayctl --demo relayers pause eth-main-1 -o json | true; relayctl --demo relayers get eth-main-1 -o json";
  const { stdout, stderr } = await bash(line);
  expect(JSON.parse(stdout)).toMatchObject({ paused: true });
  expect(stderr).toContain(`${APPLIED}demo`);
});

test("a write succeeds with stdin, stdout, and stderr closed", async () => {
  const folder = newFolder();
  const { exitCode } = await bash("relayctl --demo relayers pause eth-main-1 <&- >&- 2>&-", { folder });
  expect(exitCode).toBe(0);
  const { stdout } = await bash("relayctl --demo relayers get eth-main-1 -o json", { folder });
  expect(JSON.parse(stdout)).toMatchObject({ paused: true });
});

test.each(chosen(["echo y | relayctl", "relayctl <&-", "relayctl </dev/zero"], 2))(
  "%s: exits with 3 and sends nothing, since no user can confirm",
  async (start) => {
    const args = "--demo notifications update ops-hook --remove-signing-key";
    const { stdout } = await bash(
      `${start.replace("relayctl", `relayctl ${args}`)} 2> words; echo "$\{PIPESTATUS[@]: -1}"`,
    );
    expect(stdout).toBe("3\n");
  },
);
