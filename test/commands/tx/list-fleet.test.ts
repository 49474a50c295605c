import { cli, exits, printedError } from "../../helpers/cli.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { freezable, relayer, submitted } from "../relayers/freeze/service.ts";
import { solanaRecord } from "./wire.ts";

const RELAYERS = [
  relayer("r3", { network: "polygon" }),
  relayer("r1"),
  relayer("paused", { paused: true }),
  relayer("sol", { network_type: "solana", network: "devnet" }),
  relayer("disabled", { system_disabled: true }),
];
const TRANSACTIONS = {
  r1: [submitted("b"), submitted("a")],
  r3: [submitted("c")],
  sol: [solanaRecord()],
  paused: [submitted("x")],
};
const service = freezable({ relayers: RELAYERS, transactions: TRANSACTIONS });

test("lists the transactions of every active relayer, by relayer, newest first", async () => {
  const ran = await exits(0, "tx list -o json", { service });
  const items: { id: string; relayer_id: string }[] = JSON.parse(ran.stdout);
  expect(items.map(({ id, relayer_id }) => [relayer_id, id])).toEqual([
    ["r1", "b"],
    ["r1", "a"],
    ["r3", "c"],
    ["sol", "s1"],
  ]);
  expect(ran.stderr).toBe("note: 2 relayers that are not active are left out; list one by its ID\n");
});

test("shows the relayer first, and amounts in the coin of each network", async () => {
  const { stdout } = await cli("tx list --color never", { service, terminal: true, columns: 250 });
  expect(stdout).toMatch(/^ +RELAYER +ID +STATUS +NONCE +AGE/);
  expect(stdout).toMatch(/^! r1 +a .* 0\.2 ETH /m);
  expect(stdout).toMatch(/^! r3 +c .* 0\.2 POL /m);
});

test("a relayer whose list cannot be read hides no other, and the exit code is 12", async () => {
  const instead = { "GET /relayers/r1/transactions": refusal(500, "boom") };
  const failing = freezable({ relayers: RELAYERS, transactions: TRANSACTIONS, instead });
  const ran = await exits(12, "tx list -o ndjson --retries 0", { service: failing });
  expect(
    ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id),
  ).toEqual(["c", "s1"]);
  expect(printedError(ran.stderr)).toMatchObject({
    code: "partial",
    applied: "no",
    details: [{ where: "r1", given: "server" }],
  });
});

test("fails like each of them if no list can be read", async () => {
  const instead = { "GET /relayers/r1/transactions": refusal(500, "boom") };
  const failing = freezable({ relayers: [relayer("r1")], instead });
  expect(await cli("tx list --retries 0", { service: failing })).toMatchObject({ exitCode: 9, stdout: "" });
});

test("requests nothing further once there are enough", async () => {
  const relayers = Array.from({ length: 30 }, (_, index) => relayer(`r${index + 10}`));
  const transactions = Object.fromEntries(
    relayers.map((each) => [String((each as { id: string }).id), [submitted("t")]]),
  );
  const { stdout, requests } = await cli("tx list --limit 1 -o name", {
    service: freezable({ relayers, transactions }),
  });
  expect(stdout).toBe("t\n");
  expect(requests.length).toBeLessThanOrEqual(1 + 8);
});

test("filters by status on the service, and by conditions here", async () => {
  const { stdout, requests } = await cli("tx list --status submitted --where relayer_id=r3 -o name", { service });
  expect(stdout).toBe("c\n");
  expect(requests.filter(({ target }) => target.includes("status=submitted"))).toHaveLength(3);
});

test("shows its requests in a dry run", async () => {
  const { stdout } = await cli("tx list --status sent --dry-run", { service });
  expect(stdout.match(/^GET \S+/gm)).toEqual(
    ["r1", "r3", "sol"].map((id) => `GET /api/v1/relayers/${id}/transactions?status=sent`),
  );
});

test.each([
  ["--page 2", "--page: needs a relayer"],
  ["-o raw", "specify a relayer"],
])("rejects %s without a relayer", async (flags, words) => {
  expect(await cli(`tx list ${flags}`, { service })).toMatchObject({
    exitCode: 2,
    requests: [],
    stderr: expect.stringContaining(words),
  });
});
