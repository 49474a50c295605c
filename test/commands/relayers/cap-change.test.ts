import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, ends, exits, says, type World } from "../../helpers/cli.ts";
import { UNDO } from "../../helpers/receipts.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { reply, success, wholeList } from "../../helpers/service/reply.ts";
import { CONFIG } from "../context/stored-world.ts";

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
