import { cli, exits, SERVER } from "../../helpers/cli.ts";
import { appliedIn, NOTIFICATION_UNSET, UNDO } from "../../helpers/receipts.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";

const CHANGE = "relayers update eth-main-1 --policy gas_price_cap=120gwei --unset-policy min_balance";

test("shows old and new values, with units and consequences, before sending", async () => {
  const ran = await cli(`${CHANGE} --no-notification-id --diff`);
  expect(ran.writes).toHaveLength(1);
  expect(ran.stderr).toBe(
    `update relayer eth-main-1 in ${SERVER}\n` +
      "  notification_id  ops-hook → not set\n" +
      "  gas_price_cap    80 gwei → 120 gwei\n" +
      "  min_balance      0.5 ETH → not set (default: 1 wei)\n" +
      `${NOTIFICATION_UNSET}\n` +
      `${appliedIn(SERVER)}3 changes to eth-main-1\n` +
      `${UNDO}relayctl relayers update eth-main-1 --notification-id ops-hook --policy gas_price_cap=80gwei --policy min_balance=0.5eth\n`,
  );
});

test("is shown before the service refuses", async () => {
  const ran = await exits(5, "relayers update eth-main-1 --notification-id nope --diff");
  expect(ran.stderr).toMatch(/^update relayer eth-main-1 in .*\n {2}notification_id {2}ops-hook → nope\nerror: /);
});

test("is shown once if a question also shows it", async () => {
  const line = "relayers update eth-main-2 --unset-policy whitelist_receivers --diff";
  const ran = await exits(0, line, { terminal: true, stdoutTerminal: false, answers: ["eth-main-2"] });
  expect(ran.stderr.match(/this relayer may send to any address/g)).toHaveLength(1);
  expect(ran.stderr.match(/- 0x52908400098527886E0F7030069857D2E4169EE7/g)).toHaveLength(1);
});

test("has a note if the service cannot return the relayer, and the change is sent", async () => {
  const service = scriptedService(
    { expect: "GET /api/v1/relayers/r1", reply: reply(404, "") },
    { expect: "PATCH /api/v1/relayers/r1", reply: success({ id: "r1", name: "x" }) },
  );
  const ran = await cli("relayers update r1 --name x --diff", { service: service.transport });
  expect(ran.stderr).toBe(
    "note: this service cannot return r1 by itself; its current values are unknown\n" +
      `update relayer r1 in ${SERVER}\n  name  → x\n${appliedIn(SERVER)}r1 name → x\n`,
  );
});

describe("--diff in a dry run", () => {
  test.each(["--dry-run", "--curl"])("reads, and sends nothing else: %s", async (flag) => {
    const plain = await cli(`${CHANGE} ${flag}`);
    const ran = await cli(`${CHANGE} ${flag} --diff`);
    expect(plain.requests).toEqual([]);
    expect(ran.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "GET /api/v1/relayers/eth-main-1",
      "GET /api/v1/networks/evm%3Amainnet",
    ]);
    expect(ran.stdout).toBe(plain.stdout);
    expect(ran.stderr).toContain("  gas_price_cap  80 gwei → 120 gwei\n");
  });

  test("reports that the state was read", async () =>
    expect((await cli("relayers pause eth-main-1 --dry-run --diff")).stderr).toContain(
      `dry run: the current state was read, nothing was changed at ${SERVER}\n`,
    ));

  test("asks nothing", async () => {
    const ran = await cli("relayers update eth-main-2 --reset-policies --dry-run --diff", { terminal: true });
    expect(ran).toMatchObject({ exitCode: 0, questions: [], writes: [] });
    expect(ran.stderr).toContain("any receiver will be allowed\n");
  });

  test("reports values that are already set", async () =>
    expect((await cli("relayers pause eth-main-2 --dry-run --diff")).stderr).toContain(
      "eth-main-2 is already paused; nothing would be sent\n",
    ));

  test("needs a token", async () => {
    const env = { RELAYCTL_SERVER: SERVER };
    expect(await cli("relayers pause eth-main-1 --dry-run --diff", { env })).toMatchObject({ exitCode: 4 });
  });
});
