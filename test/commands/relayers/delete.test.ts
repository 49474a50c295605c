import { expect, test } from "vitest";
import { cli } from "../../helpers/cli.ts";

test("deletes with --yes, and prints the ID for a script", async () => {
  const { exitCode, stdout, stderr, writes } = await cli("relayers delete eth-sepolia --yes -o name");
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toBe("eth-sepolia\n");
  expect(stderr).toContain("relayer eth-sepolia");
  expect(writes).toHaveLength(1);
});

test("shows the relayer before the question", async () => {
  const { exitCode, writes, stderr } = await cli("relayers delete eth-sepolia", { terminal: true, answers: ["n"] });
  expect(exitCode).toBe(3);
  expect(stderr).toContain("delete relayer eth-sepolia in");
  expect(stderr).toContain("  name     Sepolia");
  expect(stderr).toContain("address  0x");
  expect(writes).toEqual([]);
});

test("keeps the service's message if transactions are pending", async () => {
  const { exitCode, stderr } = await cli("relayers delete eth-main-1 --yes");
  expect(exitCode).toBe(6);
  expect(stderr).toContain("Cannot delete relayer 'eth-main-1' because it has 5 transaction(s)");
  expect(stderr).toContain("hint: relayctl tx list eth-main-1\n");
});

test("exits with 5 for an unknown relayer, and sends nothing", async () => {
  expect(await cli("relayers delete nothing --yes")).toMatchObject({ exitCode: 5, writes: [] });
});
