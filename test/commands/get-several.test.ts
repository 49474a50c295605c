import { cli, ends } from "../helpers/cli.ts";

test("shows the resources as a list, in typed order", async () => {
  const ran = await cli("relayers get polygon-bulk base-hot eth-main-1 -o name");
  expect(ran).toMatchObject({ exitCode: 0, stdout: "polygon-bulk\nbase-hot\neth-main-1\n" });
  const list = await cli("notifications get ops-hook audit-log -o json");
  expect(JSON.parse(list.stdout)).toMatchObject([{ id: "ops-hook" }, { id: "audit-log" }]);
});

test("sends one request for an ID that is typed twice", async () => {
  const ran = await cli("networks get evm:mainnet evm:sepolia evm:mainnet -o name");
  expect(ran.stdout).toBe("evm:mainnet\nevm:sepolia\n");
  expect(ran.requests).toHaveLength(2);
});

test("shows what exists, reports what is missing, and ends with 12", async () => {
  const ran = await cli("relayers get base-hot nope eth-main-1 -o name");
  expect(ran).toMatchObject({ exitCode: 12, stdout: "base-hot\neth-main-1\n" });
  expect(ran.stderr).toBe(
    "error: 1 of 3 relayers failed\n  nope: Relayer with ID nope not found\n  hint: relayctl relayers list\n",
  );
});

test("ends with 5 if none exists", async () => {
  const ran = await ends({ exitCode: 5, stdout: "" }, "relayers get nope neither");
  expect(ran.stderr).toContain(
    "error: 2 of 2 relayers failed\n  nope not_found: Relayer with ID nope not found\n  neither not_found: ",
  );
});

test("prints the requests with --dry-run", async () => {
  const ran = await ends({ exitCode: 0, requests: [] }, "relayers get base-hot eth-main-1 --dry-run");
  expect(ran.stdout.match(/^GET .*/gm)).toEqual(["GET /api/v1/relayers/base-hot", "GET /api/v1/relayers/eth-main-1"]);
});

test("cannot be printed raw", async () => {
  const ran = await ends({ exitCode: 2, requests: [] }, "relayers get base-hot eth-main-1 -o raw");
  expect(ran.stderr).toContain("-o: raw is the response to one request; specify one relayer");
});
