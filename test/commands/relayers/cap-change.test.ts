import { describe, expect, test } from "vitest";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { seedState } from "../../../src/embedded-server/seed.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { cli } from "../../helpers/cli.ts";
import { UNDO } from "../../helpers/receipts.ts";
import { reply, success, wholeList } from "../../helpers/service/scripted-service.ts";
import type { World } from "../../helpers/test-app.ts";
import { CONFIG } from "../context/stored-world.ts";

const LOW = '{"gas_price_cap":80}';
const files = { "body.json": `{"policies":${LOW}}`, "policies.json": LOW };
const FALL = "gas_price_cap falls to a thousandth or less: 80 gwei → 0.00000008 gwei";

/** Every way in which the same patch can be sent. */
const WAYS = [
  "relayers update eth-main-1 --policy gas_price_cap=80wei",
  "relayers update eth-main-1 --policy gas_price_cap=80wei --kind evm",
  "relayers update eth-main-1 --policies policies.json",
  "relayers update eth-main-1 --policies policies.json --kind evm",
  "relayers update eth-main-1 -f body.json",
  "relayers update eth-main-1 -f body.json --kind evm",
  "api PATCH /relayers/eth-main-1 -f body.json",
  "api patch relayers/%65th-main-1 -f body.json",
];

describe.each(WAYS)("a cap that falls a thousandfold is asked about: %s", (line) => {
  test("a script needs --yes", async () => {
    const ran = await cli(line, { files });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain(`${FALL}\n  nothing was sent\n`);
    expect(ran.stderr).toMatch(/hint: relayctl .* --yes$/m);
  });

  test("a script that has agreed sends it", async () => {
    const ran = await cli(`${line} --yes`, { files });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.writes.map(({ body }) => body)).toEqual([`{"policies":${LOW}}`]);
    expect(ran.stderr).toContain(`${FALL}\n`);
  });

  test("a person sees it before the question", async () => {
    const asked: World = { files, terminal: true };
    const declined = await cli(line, { ...asked, answers: [false] });
    expect(declined).toMatchObject({
      exitCode: 3,
      writes: [],
      questions: [expect.stringMatching(/^(?:Update \w+|PATCH) .+\?$/)],
    });
    expect(declined.stderr).toContain(`${FALL}\n`);
    expect(await cli(line, { ...asked, answers: [true] })).toMatchObject({ exitCode: 0 });
  });
});

describe("a cap of one relayer", () => {
  test.each([
    ["a smaller change", "relayers update eth-main-1 --policy gas_price_cap=120gwei"],
    ["one that was unset", "relayers update eth-sepolia --policy gas_price_cap=80wei"],
    ["the same value", "relayers update eth-main-1 --policy gas_price_cap=80gwei"],
    ["another policy", "relayers update eth-main-1 --policy min_balance=1wei"],
  ])("is not asked about for %s", async (_, line) => {
    const made = memoryStore(seedState("demo"));
    await made.change(({ relayers }) => {
      const relayer = relayers.get("eth-sepolia");
      if (relayer) relayers.put({ ...relayer, system_disabled: false });
    });
    const ran = await cli(line, { store: made });
    expect(ran.exitCode, ran.stderr).toBe(0);
  });

  test("that rises is shown as rising, and so is one from 0", async () => {
    const service: Transport = async ({ method }) => {
      const gas_price_cap = method === "GET" ? 0 : 5;
      return success({ id: "r1", network: "mainnet", network_type: "evm", policies: { gas_price_cap } });
    };
    const ran = await cli("relayers update r1 --policy gas_price_cap=5wei", { service });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain("gas_price_cap rises a thousandfold or more: 0 gwei → 0.000000005 gwei\n");
  });

  test("that could not be read is asked about all the same, and that is said", async () => {
    const service: Transport = async ({ method }) =>
      method === "GET"
        ? reply(403, { success: false, data: null, error: "Forbidden" })
        : success({ id: "r1", policies: { gas_price_cap: 90_000_000_000 } });
    const line = "relayers update r1 --policy gas_price_cap=90gwei --kind evm";
    const ran = await cli(line, { service });
    expect(ran).toMatchObject({ exitCode: expect.not.toBeOneOf([0]), writes: [] });
    const missing: Transport = async (request, limits) =>
      request.method === "GET" ? reply(500) : await service(request, limits);
    const unread = await cli(`${line} --retries 0`, { service: missing });
    expect(unread).toMatchObject({ exitCode: 3, writes: [] });
    expect(unread.stderr).toContain("note: r1 could not be read: ");
    expect(unread.stderr).toContain("the live gas_price_cap could not be read, to compare it with 90 gwei\n");
    expect((await cli(`${line} --retries 0 --yes`, { service: missing })).writes).toHaveLength(1);
  });

  test("is compared with what the list says, where a relayer has no route of its own", async () => {
    const relayer = { id: "r1", network: "mainnet", network_type: "evm", policies: { gas_price_cap: 80_000_000_000 } };
    const service: Transport = async ({ target }) =>
      target.startsWith("/api/v1/relayers?") ? wholeList([relayer]) : reply(404);
    const ran = await cli("relayers update r1 --policy gas_price_cap=80wei", { service });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain(FALL);
  });

  test("in a protected context asks for its name alone, and shows the fall", async () => {
    const line = "relayers update eth-main-1 --policy gas_price_cap=80wei";
    const ran = await cli(line, { env: {}, config: CONFIG, terminal: true, answers: ["other"] });
    expect(ran).toMatchObject({
      exitCode: 3,
      writes: [],
      questions: [expect.stringMatching(/^(?:Update \w+|PATCH) .+\? Type prod to confirm:$/)],
    });
    expect(ran.stderr).toContain(`${FALL}\n`);
  });

  test("is shown for a dry run that reads", async () => {
    const ran = await cli("relayers update eth-main-1 --policy gas_price_cap=80wei --dry-run --diff");
    expect(ran).toMatchObject({ exitCode: 0, writes: [] });
    expect(ran.stderr).toContain(`${FALL}\n`);
  });

  test("its undo line agrees by itself", async () => {
    const store = memoryStore(seedState("demo"));
    const ran = await cli("relayers update eth-main-1 --policy gas_price_cap=80wei --yes", { store });
    expect(ran.stderr).toContain(`${UNDO}relayctl relayers update eth-main-1 --policy gas_price_cap=80gwei --yes\n`);
    expect(await cli("relayers update eth-main-1 --policy gas_price_cap=80gwei --yes", { store })).toMatchObject({
      exitCode: 0,
    });
  });
});

describe("caps of many relayers", () => {
  const LINE = "relayers update eth-main-1 eth-main-2 base-hot --policy gas_price_cap=6000gwei";

  test("are shown each beside its own, before one question", async () => {
    const ran = await cli(LINE, { terminal: true, answers: [false] });
    expect(ran).toMatchObject({
      exitCode: 3,
      writes: [],
      questions: [expect.stringMatching(/^(?:Update \w+|PATCH) .+\?$/)],
    });
    expect(ran.stderr).toContain(
      "gas_price_cap changes a thousandfold or more on 1 of 3 relayers\n" +
        "  base-hot: rises a thousandfold or more: 5 gwei → 6000 gwei\n",
    );
  });

  test("are shown to a script that has agreed, and with a kind that was typed", async () => {
    const ran = await cli(`${LINE} --kind evm --yes`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain("gas_price_cap changes a thousandfold or more on 1 of 3 relayers\n");
    expect(ran.stderr).toMatch(new RegExp(`^${UNDO}.* base-hot --policy gas_price_cap=5gwei --yes$`, "m"));
    expect(ran.stderr).toMatch(new RegExp(`^${UNDO}.* eth-main-1 eth-main-2 --policy gas_price_cap=80gwei$`, "m"));
  });
});

describe("relayers edit", () => {
  test("shows the fall in its review, and its equal command agrees", async () => {
    const answers = [["gas_price_cap"], "set another", "80wei", false];
    const ran = await cli("relayers edit eth-main-1", { terminal: true, answers });
    expect(ran).toMatchObject({ exitCode: 3, writes: [] });
    expect(ran.stderr).toContain(`${FALL}\n`);
    expect(ran.stderr).toContain(
      "without questions: relayctl relayers update eth-main-1 --policy gas_price_cap=80wei --yes\n",
    );
  });
});
