import { cli } from "../../../helpers/cli.ts";

const TOKEN = "0x52908400098527886e0f7030069857d2e416c0de";
const SPENDER = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

test("shows on a terminal that an unlimited approval succeeds, and what it allows", async () => {
  const unlimited = 2n ** 256n - 1n;
  const approve = ["--call", "approve(address,uint256)", "--arg", SPENDER, "--arg", String(unlimited)];
  const line = ["--demo", "tx", "send", "base-hot", "--to", TOKEN, "--value", "0", "--speed", "fast", ...approve];
  const ran = await cli(line, { terminal: true, answers: [false] });
  expect(ran.stderr).toContain("unlimited");
  expect(ran.stderr).toMatch(/simulated +succeeds, uses \d+ gas/);
  expect(ran.writes).toEqual([]);
});
