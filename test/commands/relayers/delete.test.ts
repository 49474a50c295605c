import { exits } from "../../helpers/cli.ts";

test("deletes with --yes, and prints the ID for a script", async () => {
  const { stdout, stderr, writes } = await exits(0, "relayers delete eth-sepolia --yes -o name");
  expect(stdout).toBe("eth-sepolia\n");
  expect(stderr).toContain("relayer eth-sepolia");
  expect(writes).toHaveLength(1);
});

test("shows the relayer before the question", async () => {
  const { writes, stderr } = await exits(3, "relayers delete eth-sepolia", { terminal: true, answers: ["n"] });
  expect(stderr).toContain("delete relayer eth-sepolia in");
  expect(stderr).toContain("  name     Sepolia");
  expect(stderr).toContain("address  0x");
  expect(writes).toEqual([]);
});

test("keeps the service's message if transactions are pending", async () => {
  const { stderr } = await exits(6, "relayers delete eth-main-1 --yes");
  expect(stderr).toContain("Cannot delete relayer 'eth-main-1' because it has 5 transaction(s)");
  expect(stderr).toContain("hint: relayctl tx list eth-main-1\n");
});
