import type { Transport } from "../../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { cli, ends, exits, SERVER, says, type World } from "../../helpers/cli.ts";
import { appliedIn, NOTIFICATION_UNSET, UNDO, WHILE_PAUSED } from "../../helpers/receipts.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { refusal, reply, success, wholeList } from "../../helpers/service/reply.ts";
import { scriptedService } from "../../helpers/service/scripted-service.ts";
import { CONFIG } from "../context/stored-world.ts";

describe("relayers update", () => {
  test("sends only the specified fields", async () => {
    const ran = await cli("relayers update eth-main-1 --paused");
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: `${appliedIn("http://127.0.0.1:8080")}eth-main-1 paused\npaused: ${WHILE_PAUSED}\n${UNDO}relayctl relayers resume eth-main-1\n`,
    });
    expect(ran.writes.map(({ method, target, body }) => [method, target, body])).toEqual([
      ["PATCH", "/api/v1/relayers/eth-main-1", '{"paused":true}'],
    ]);
  });

  test.each(["relayers pause r1 --yes", "relayers resume r1", "relayers update r1 --paused"])(
    "%s for a script is sent whatever a read shows or whether it responds, and has its undo if one shows the state",
    async (line) => {
      const relayer = { id: "r1", network: "mainnet", network_type: "evm", policies: {} };
      const serving =
        (read: WireReply) =>
        async ({ method, body = "{}" }: WireRequest) =>
          method === "GET" ? read : success({ ...relayer, ...JSON.parse(body) });
      for (const paused of [true, false]) {
        const ran = await cli(line, { service: serving(success({ ...relayer, paused })) });
        expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "PATCH" }] });
        expect(ran.requests.map(({ method }) => method)).toEqual(["GET", "PATCH"]);
        const isChanged = paused === line.includes("resume");
        if (isChanged) expect(ran.stderr).toContain(`${UNDO}relayctl relayers ${paused ? "pause" : "resume"} r1\n`);
      }
      for (const status of [401, 403, 404, 429, 500]) {
        const ran = await cli(line, { service: serving(refusal(status, "no")) });
        expect(ran).toMatchObject({ exitCode: 0, writes: [{ method: "PATCH" }] });
        expect(ran.stderr).not.toContain(UNDO);
      }
    },
  );
});

describe("--diff", () => {
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
});

const LOW = '{"gas_price_cap":80}';
const files = { "body.json": `{"policies":${LOW}}`, "policies.json": LOW };
const FALL = "gas_price_cap falls to a thousandth or less: 80 gwei → 0.00000008 gwei";

/** Every way in which the same patch can be sent. */
const WAYS = [
  "relayers update eth-main-1 --policy gas_price_cap=80wei",
  "relayers update eth-main-1 --policy gas_price_cap=80wei --network-type evm",
  "relayers update eth-main-1 --policies policies.json",
  "relayers update eth-main-1 --policies policies.json --network-type evm",
  "relayers update eth-main-1 -f body.json",
  "relayers update eth-main-1 -f body.json --network-type evm",
  "api PATCH /relayers/eth-main-1 -f body.json",
  "api patch relayers/%65th-main-1 -f body.json",
];

describe.each(WAYS)("a cap that falls a thousandfold needs confirmation: %s", (line) => {
  test("a script needs --yes", () =>
    says({ exitCode: 3, writes: [] }, line, [`${FALL}\n  nothing was sent\n`, /hint: relayctl .* --yes$/m], { files }));

  test("a script with --yes sends the change", async () => {
    const ran = await exits(0, `${line} --yes`, { files });
    expect(ran.writes.map(({ body }) => body)).toEqual([`{"policies":${LOW}}`]);
    expect(ran.stderr).toContain(`${FALL}\n`);
  });

  test("a terminal shows the fall before the question", async () => {
    const asked: World = { files, terminal: true };
    await says(
      { exitCode: 3, writes: [], questions: [expect.stringMatching(/^(?:Update \w+|PATCH) .+\?$/)] },
      line,
      `${FALL}\n`,
      { ...asked, answers: [false] },
    );
    expect(await cli(line, { ...asked, answers: [true] })).toMatchObject({ exitCode: 0 });
  });
});

describe("the cap of one relayer", () => {
  test.each([
    ["a smaller change", "relayers update eth-main-1 --policy gas_price_cap=120gwei"],
    ["a cap that was not set", "relayers update eth-sepolia --policy gas_price_cap=80wei"],
    ["the same value", "relayers update eth-main-1 --policy gas_price_cap=80gwei"],
    ["another policy", "relayers update eth-main-1 --policy min_balance=1wei"],
  ])("needs no confirmation for %s", async (_, line) => {
    const made = demoStore();
    await made.change(({ relayers }) => {
      const relayer = relayers.get("eth-sepolia");
      if (relayer) relayers.put({ ...relayer, system_disabled: false });
    });
    await exits(0, line, { store: made });
  });

  test("is reported as rising if it rises, also from 0", async () => {
    const service: Transport = async ({ method }) => {
      const gas_price_cap = method === "GET" ? 0 : 5;
      return success({ id: "r1", network: "mainnet", network_type: "evm", policies: { gas_price_cap } });
    };
    const ran = await ends({ exitCode: 3, writes: [] }, "relayers update r1 --policy gas_price_cap=5wei", { service });
    expect(ran.stderr).toContain("gas_price_cap rises a thousandfold or more: 0 gwei → 0.000000005 gwei\n");
  });

  test("needs confirmation if the current value cannot be read, with a note", async () => {
    const service: Transport = async ({ method }) =>
      method === "GET"
        ? reply(403, { success: false, data: null, error: "Forbidden" })
        : success({ id: "r1", policies: { gas_price_cap: 90_000_000_000 } });
    const line = "relayers update r1 --policy gas_price_cap=90gwei --network-type evm";
    await ends({ exitCode: expect.not.toBeOneOf([0]), writes: [] }, line, { service });
    const missing: Transport = async (request, limits) =>
      request.method === "GET" ? reply(500) : await service(request, limits);
    const unread = await ends({ exitCode: 3, writes: [] }, `${line} --retries 0`, { service: missing });
    expect(unread.stderr).toContain("note: r1 could not be read: ");
    expect(unread.stderr).toContain("the live gas_price_cap could not be read, to compare it with 90 gwei\n");
    expect((await cli(`${line} --retries 0 --yes`, { service: missing })).writes).toHaveLength(1);
  });

  test("is compared with the list if the service cannot return a single relayer", async () => {
    const relayer = { id: "r1", network: "mainnet", network_type: "evm", policies: { gas_price_cap: 80_000_000_000 } };
    const service: Transport = async ({ target }) =>
      target.startsWith("/api/v1/relayers?") ? wholeList([relayer]) : reply(404);
    await says({ exitCode: 3, writes: [] }, "relayers update r1 --policy gas_price_cap=80wei", FALL, { service });
  });

  test("in a protected context requires only the context's name, and shows the fall", async () => {
    const line = "relayers update eth-main-1 --policy gas_price_cap=80wei";
    const ran = await cli(line, { env: {}, config: CONFIG, terminal: true, answers: ["other"] });
    expect(ran).toMatchObject({
      exitCode: 3,
      writes: [],
      questions: [expect.stringMatching(/^(?:Update \w+|PATCH) .+\? Type "prod" to confirm:$/)],
    });
    expect(ran.stderr).toContain(`${FALL}\n`);
  });

  test("shows the fall in a dry run with --diff", async () => {
    const ran = await cli("relayers update eth-main-1 --policy gas_price_cap=80wei --dry-run --diff");
    expect(ran).toMatchObject({ exitCode: 0, writes: [] });
    expect(ran.stderr).toContain(`${FALL}\n`);
  });

  test("has an undo command that includes its own confirmation", async () => {
    const store = demoStore();
    const ran = await cli("relayers update eth-main-1 --policy gas_price_cap=80wei --yes", { store });
    expect(ran.stderr).toContain(`${UNDO}relayctl relayers update eth-main-1 --policy gas_price_cap=80gwei --yes\n`);
    expect(await cli("relayers update eth-main-1 --policy gas_price_cap=80gwei --yes", { store })).toMatchObject({
      exitCode: 0,
    });
  });
});

describe("the caps of several relayers", () => {
  const LINE = "relayers update eth-main-1 eth-main-2 base-hot --policy gas_price_cap=6000gwei";

  test("are shown per relayer, before one question", () =>
    says(
      { exitCode: 3, writes: [], questions: [expect.stringMatching(/^(?:Update \w+|PATCH) .+\?$/)] },
      LINE,
      "gas_price_cap changes a thousandfold or more on 1 of 3 relayers\n" +
        "  base-hot: rises a thousandfold or more: 5 gwei → 6000 gwei\n",
      { terminal: true, answers: [false] },
    ));

  test("are shown with --yes, and with --network-type", async () => {
    const ran = await exits(0, `${LINE} --network-type evm --yes`);
    expect(ran.stderr).toContain("gas_price_cap changes a thousandfold or more on 1 of 3 relayers\n");
    expect(ran.stderr).toMatch(new RegExp(`^${UNDO}.* base-hot --policy gas_price_cap=5gwei --yes$`, "m"));
    expect(ran.stderr).toMatch(new RegExp(`^${UNDO}.* eth-main-1 eth-main-2 --policy gas_price_cap=80gwei$`, "m"));
  });
});

test("relayers edit shows the fall in its review, and its equivalent command includes the confirmation", async () => {
  const answers = [["gas_price_cap"], "set another", "80wei", true];
  const ran = await exits(0, "relayers edit eth-main-1", { terminal: true, answers });
  expect(ran.stderr).toContain(`${FALL}\n`);
  expect(ran.stderr).toContain(
    "without questions: relayctl relayers update eth-main-1 --policy gas_price_cap=80wei --yes\n",
  );
});
