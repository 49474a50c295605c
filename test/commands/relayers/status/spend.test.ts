import type { Transport } from "../../../../src/client/transport/transport.ts";
import { cli, ends, exits, says, TOKEN } from "../../../helpers/cli.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { testServer } from "../../../helpers/service/test-server.ts";
import { type Fleet, watching } from "../../watch/watching.ts";

describe("spend", () => {
  const callsOf = ({ requests }: { requests: readonly { target: string }[] }) =>
    requests.filter(({ target }) => target.endsWith("/rpc")).length;

  const linesOf = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("is read from the chain where it is named, as an integer, and is null where it is not known", async () => {
    const ran = await cli("relayers status base-hot sol-pay --fields relayer.id,spend_1h,spend_1d -o ndjson");
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    const found = linesOf(ran.stdout);
    expect(found).toContainEqual({ relayer: { id: "sol-pay" }, spend_1h: null, spend_1d: null });
    expect(found).toContainEqual({
      relayer: { id: "base-hot" },
      spend_1h: expect.any(Number),
      spend_1d: expect.any(Number),
    });
    expect(callsOf(ran)).toBeGreaterThan(0);
  });

  test("takes no requests unless it is named", async () => {
    expect(callsOf(await cli("relayers status", { terminal: true }))).toBe(0);
    expect(callsOf(await cli("relayers status --fields relayer.id,oldest"))).toBe(0);
  });

  test("selects and sorts relayers", async () => {
    const names = "eth-main-2 base-hot sol-pay";
    const line = `relayers status ${names} --where spend_1d>=0eth --sort -spend_1d --fields relayer.id -o ndjson`;
    const ran = await exits(0, line);
    expect(linesOf(ran.stdout).map(({ relayer: { id } }) => id)).toContain("base-hot");
  });

  test("crosses a threshold, and does not apply to relayers of other coins", async () => {
    const ran = await exits(13, "relayers status base-hot sol-pay --check --crit spend_1d>=0eth");
    expect(ran.stderr).toMatch(/base-hot: critical: spend_1d>=0eth \([0-9.]+ ETH spent\)\n/);
    expect(ran.stderr).toContain("note: spend_1d>=0eth does not apply to relayers of other coins: sol-pay\n");
  });

  test("is shown with thresholds, which need not name it", async () => {
    const fields = "--fields relayer.id,spend_1d -o ndjson";
    const shown = await cli(`relayers status base-hot ${fields}`);
    for (const warn of ["pending>99", "spend_1d>=999999eth"])
      expect((await cli(`relayers status base-hot --check --warn ${warn} ${fields}`)).stdout).toBe(shown.stdout);
    expect(linesOf(shown.stdout)[0].spend_1d).toEqual(expect.any(Number));
  });

  test("is a metric with --spend only", async () => {
    const line = /^relayctl_relayer_spend_1d\{.*relayer="base-hot".*\} [0-9]+$/m;
    expect((await cli("relayers status base-hot -o prom --spend")).stdout).toMatch(line);
    expect((await cli("relayers status base-hot -o prom")).stdout).not.toContain("spend_1d");
  });

  test("has its own metrics in several contexts, each with its samples below it", async () => {
    const context = (name: string) => ({ server: `https://${name}.example`, token: TOKEN });
    const config = { version: 1 as const, contexts: { eu: context("eu"), us: context("us") } };
    const { stdout } = await cli("relayers status base-hot -c eu,us -o prom --spend", { env: {}, config });
    const lines = stdout.split("\n").filter((line) => line.includes("relayer_spend_1"));
    expect(lines.map((line) => /spend_1[hd]/.exec(line)?.[0])).toEqual([
      ...["spend_1h", "spend_1h", "spend_1h", "spend_1h"],
      ...["spend_1d", "spend_1d", "spend_1d", "spend_1d"],
    ]);
  });

  test("is read in a watch, too", async () => {
    const ran = await exits(0, "relayers status base-hot --fields spend_1d -o ndjson --watch 1s --deadline 3s");
    expect(linesOf(ran.stdout)[0]).toMatchObject({ event: "seen", spend_1d: expect.any(Number) });
    expect(callsOf(ran)).toBeGreaterThan(0);
  });

  describe.each([-32_000, -32_601])("that a node fails to show with code %d", (code) => {
    const inner = testServer();
    const service: Transport = async (request) => {
      const { id, method } = request.target.endsWith("/rpc") ? JSON.parse(request.body ?? "{}") : {};
      const error = { code: -32_603, message: "Internal error", description: `RPC error occurred (code: ${code})` };
      return method === "eth_getTransactionCount" ? reply(200, { jsonrpc: "2.0", id, error }) : await inner(request);
    };

    test.each([
      ["--fields spend_1d -o ndjson", /"spend_1d":null/, "note: what base-hot spent is not known: "],
      ["--where spend_1d>=0", /^$/, "note: what base-hot spent is not known: "],
      ["--check --crit spend_1d>2eth", /base-hot/, "note: spend_1d>2eth not checked, the value is not known: base-hot"],
    ])("is reported, and a failure, with %s", async (line, stdout, note) => {
      const ran = await cli(`relayers status base-hot ${line}`, { service });
      expect(ran.stdout).toMatch(stdout);
      expect(ran.stderr).toContain(note);
      expect([7, 9]).toContain(ran.exitCode);
    });
  });

  test.each([
    ["--spend", "--spend: needs -o prom or --listen"],
    ["--brief --sort spend_1h", "--sort"],
    ["--check --warn spend_1d>2", "needs a unit, e.g. spend_1d>2eth"],
  ])("is refused with %s before anything is sent", (words, rule) =>
    says({ exitCode: 2, requests: [] }, `relayers status ${words}`, rule),
  );
});

describe("the runway", () => {
  const callsOf = ({ requests }: { requests: readonly { target: string }[] }) =>
    requests.filter(({ target }) => target.endsWith("/rpc")).length;

  test("is read from the chain where it is named, and is null where it is not known", async () => {
    const ran = await cli("relayers status base-hot sol-pay --fields relayer.id,runway -o ndjson");
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(callsOf(ran)).toBeGreaterThan(0);
    const runways = ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(runways).toContainEqual({ relayer: { id: "sol-pay" }, runway: null });
  });

  test("takes no requests unless it is named", async () => {
    expect(callsOf(await cli("relayers status", { terminal: true }))).toBe(0);
    expect(callsOf(await cli("relayers status --fields relayer.id,oldest"))).toBe(0);
  });

  test("cannot be selected together with --brief", () =>
    ends({ exitCode: 2, requests: [] }, "relayers status --brief --sort runway"));

  const statusWith = (balance: bigint) => ({
    network_type: "evm",
    balance: String(balance),
    pending_transactions_count: 0,
    nonce: "3",
  });

  test.each([
    [10n ** 15n, /LAST {2}LASTS\n.* 1\.079 ETH .* 8 hours\n/],
    [10n ** 10n, /LAST\n.* 1\.09999979 ETH /],
  ])(
    "a watch that has seen balances fall shows how long they last if they fall by %d per half minute and that is under 30 days",
    async (step, words) => {
      const fleet: Fleet = {
        relayers: [{ id: "r1", network: "mainnet", network_type: "evm" }],
        statuses: {},
        transactions: {},
      };
      let balance = 11n * 10n ** 17n;
      fleet.statuses.r1 = statusWith(balance);
      const watch = await watching("relayers status --watch 30s --retries 0", fleet, { terminal: true });
      for (let read = 0; read < 5; read++) {
        balance -= step;
        fleet.statuses.r1 = statusWith(balance);
        await watch.pass(30);
      }
      expect(watch.screen()).not.toContain("LASTS");
      for (let read = 0; read < 16; read++) {
        balance -= step;
        fleet.statuses.r1 = statusWith(balance);
        await watch.pass(30);
      }
      expect(watch.screen()).toMatch(words);
      expect(callsOf(watch)).toBe(0);
    },
  );
});
