import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../src/client/clock.ts";
import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import { coinCacheWith, networksInCoinCache } from "../../../src/coins/coin-symbol.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { COIN_LIFETIME } from "../../../src/timing.ts";
import { cli, runHere, testApp } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { reply, success } from "../../helpers/service/reply.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { CONFIG } from "../context/stored-world.ts";

const RELAYER = {
  id: "r1",
  network: "polygon",
  network_type: "evm",
  policies: { min_balance: "30000000000000000000" },
};

function service(answer: WireReply | (() => Promise<WireReply>), network = "polygon"): Transport {
  return async ({ target }) => {
    if (target.includes("/networks/")) return typeof answer === "function" ? await answer() : answer;
    if (target.endsWith("/balance")) return success('{"balance":30000000000000000000,"unit":"wei"}');
    return success({ ...RELAYER, id: target.split("/")[4], network });
  };
}

const named = (symbol: unknown, network = "polygon") =>
  success({ id: `evm:${network}`, name: network, network_type: "evm", symbol });

async function shown(transport: Transport) {
  const { stdout, stderr } = await cli("relayers balance r1 -o table --retries 0", { service: transport });
  return { text: stdout.trim().replace(/^balance +/, ""), stderr };
}

const POL = "30 POL (30000000000000000000)";
const WEI = "30000000000000000000 wei";

describe("the coin of a network", () => {
  test("is the coin that the service returns, even if another coin is well known", async () => {
    expect((await shown(service(named("MATIC")))).text).toBe("30 MATIC (30000000000000000000)");
    expect((await shown(service(named("FOO", "devnet-9"), "devnet-9"))).text).toBe("30 FOO (30000000000000000000)");
  });

  test.each<[string, WireReply | (() => Promise<WireReply>)]>([
    ["lacks the route", reply(404)],
    ["refuses", reply(403, { success: false, data: null, error: "Forbidden" })],
    ["fails", reply(503)],
    ["asks to wait", reply(429, "", { "retry-after": "60" })],
    ["returns no coin", named(undefined)],
    ["returns another network", named("FOO", "mainnet")],
    ["returns an unreadable response", reply(200, "<html>")],
    ["closes the connection", () => Promise.reject(new TransportFailure("reset", "reset", { sent: true }))],
  ])("is the well-known coin if the service %s, without a note", async (_, answer) => {
    expect(await shown(service(answer))).toEqual({ text: POL, stderr: "" });
  });

  test.each([
    "wei",
    "GWEI",
    "lamports",
    "stroop",
    "ether",
    "SOL",
    "XLM",
    "e18",
    "ABCDEFGHIJKLM",
    "A B",
    "\u001b[2J",
    "\u202e",
    "",
    5,
    null,
    ["POL"],
    { POL: 1 },
  ])("is not %j", async (symbol) => {
    expect((await shown(service(named(symbol)))).text).toBe(POL);
    const unknown = await shown(service(named(symbol, "devnet-9"), "devnet-9"));
    expect(unknown.text).toBe(WEI);
    expect(unknown.stderr).toBe("note: the coin of devnet-9 is unknown; its amounts are in wei\n");
  });

  test("leaves amounts in wei if it is unknown, with one note", async () => {
    const ran = await cli("relayers balance r1 r2 r3 -o table", { service: service(reply(404), "my\u001b[2Jnet") });
    expect(ran.stdout.match(/ wei/g)).toHaveLength(3);
    expect(ran.stderr).toBe("note: the coin of my\\u{1b}[2Jnet is unknown; its amounts are in wei\n");
  });

  test.each(["json", "tsv", "ndjson", "yaml", "csv", "name", "raw"])("needs no request in %s", async (format) => {
    const ran = await cli(`relayers balance r1 -o ${format}`, { service: service(named("POL")) });
    expect(ran.requests).toHaveLength(1);
  });

  test.each(["relayers balance r1", "relayers list -o table", "relayers balance r1 -o table --fields unit"])(
    "needs no request for %s",
    async (line) => {
      const ran = await cli(line);
      expect(ran.requests.filter(({ target }) => target.includes("/networks"))).toEqual([]);
    },
  );

  test("is looked up once for several amounts, and for a few wei too", async () => {
    const many = await cli("relayers status -o table");
    const asked = many.requests.flatMap(({ target }) => /networks\/(.*)$/.exec(target)?.[1] ?? []);
    expect(asked.length).toBe(new Set(asked).size);
    expect(many.stdout).toMatch(/polygon-bulk +active +30 POL/);
    const few = service(named("POL"));
    const small: Transport = async (request, limits) =>
      request.target.endsWith("/balance") ? success('{"balance":999999,"unit":"wei"}') : await few(request, limits);
    expect((await shown(small)).text).toBe("0.000000000000999999 POL (999999)");
  });
});

test("a service that hangs on a request for a network is abandoned after three seconds", async () => {
  const clock = steppedClock();
  const asked: string[] = [];
  const hanging: Transport = async (request, limits) => {
    asked.push(request.target);
    if (!request.target.includes("/networks/")) return await service(reply(404))(request, limits);
    await new Promise((resolve) => limits.signal.addEventListener("abort", resolve));
    throw new TransportFailure("timeout", "no response in time", { sent: true });
  };
  const ended = cli("relayers balance r1 -o table", { service: hanging, clock });
  while (asked.length < 3) await setImmediate();
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await clock.pass(2_999);
  expect(isOver).toBe(false);
  await clock.pass(1);
  while (!isOver) await setImmediate();
  expect(await ended).toMatchObject({ exitCode: 0, stdout: `balance    ${POL}\n`, stderr: "" });
});

describe("the cache of coins lasts for a day", () => {
  function world(env: Record<string, string> = {}) {
    const base = manualClock();
    let passed = 0;
    const clock: Clock = { ...base, now: () => base.now() + passed };
    let symbol = "POL";
    const transport: Transport = async (request, limits) => await service(named(symbol))(request, limits);
    const made = testApp({ env, config: CONFIG, clock, service: transport });
    const run = async () => {
      const before = made.requests.length;
      await runHere(made, ["relayers", "balance", "r1", "-o", "table"]);
      return made.requests.slice(before).filter(({ target }) => target.includes("/networks/")).length;
    };
    return {
      made,
      run,
      pass: (time: number) => {
        passed += time;
      },
      rename: (to: string) => {
        symbol = to;
      },
    };
  }

  test("and is renewed afterwards", async () => {
    const { made, run, pass, rename } = world();
    expect(await run()).toBe(1);
    rename("NEW");
    pass(COIN_LIFETIME - 1);
    expect(await run()).toBe(0);
    expect(made.stdout.text()).not.toContain("NEW");
    pass(1);
    expect(await run()).toBe(1);
    expect(made.stdout.text()).toContain("30 NEW");
  });

  test("without a token, and with only what the network says of its coin and explorer", async () => {
    const { made, run } = world();
    await run();
    const texts = [...made.kept.values()];
    expect(texts).toEqual([`2\thttps://prod.example\n${manualClock().now()}\tpolygon\tPOL\t\n`]);
  });

  test("but is not used if the server and the token come from the environment", async () => {
    const env = { RELAYCTL_SERVER: "https://prod.example", RELAYCTL_TOKEN: "t0123456789abcdef" };
    const { made, run } = world(env);
    expect([await run(), await run()]).toEqual([1, 1]);
    expect(made.kept.size).toBe(0);
  });

  test("and costs only a request if it cannot be read or written", async () => {
    const { made, run } = world();
    const broken = Object.create(made.app, {
      kept: {
        value: () => ({
          load: () => Promise.reject(new Error("EIO")),
          renew: () => Promise.reject(new Error("EROFS")),
        }),
      },
    });
    const ended = await runHere({ ...made, app: broken }, ["relayers", "balance", "r1", "-o", "table"]);
    expect(ended).toMatchObject({ exitCode: 0, stdout: `balance    ${POL}\n`, stderr: "" });
    expect(await run()).toBe(1);
  });
});

describe("kept symbols", () => {
  const ORIGIN = "https://relayer.example.org";
  const NOW = Date.parse("2026-11-21T03:12:07Z");
  const kept = (network: string, symbol: string, at = NOW) => ({ network, symbol, explorer: "", at });

  test("returns what is known of each network last", () => {
    const one = coinCacheWith(undefined, ORIGIN, kept("polygon", "MATIC", NOW - 5));
    const two = coinCacheWith(one, ORIGIN, kept("gnosis", "xDAI"));
    const three = coinCacheWith(two, ORIGIN, kept("polygon", "POL"));
    expect(networksInCoinCache(three, ORIGIN, NOW)).toEqual([kept("polygon", "POL"), kept("gnosis", "xDAI")]);
  });

  test.each([
    ["of another service", `2\thttps://other.example\n${NOW}\tpolygon\tPOL\t\n`],
    ["of another version", `1\t${ORIGIN}\n${NOW}\tpolygon\tPOL\t\n`],
    ["a day old", `2\t${ORIGIN}\n${NOW - 86_400_000}\tpolygon\tPOL\t\n`],
    ["with a time in the future", `2\t${ORIGIN}\n${NOW + 1}\tpolygon\tPOL\t\n`],
    ["without a time", `2\t${ORIGIN}\n\tpolygon\tPOL\t\n\nx\tpolygon\tPOL\t\n`],
    ["with a unit as symbol", `2\t${ORIGIN}\n${NOW}\tpolygon\tgwei\t\n`],
    ["with a terminal escape", `2\t${ORIGIN}\n${NOW}\tpolygon\t\u001b[2J\t\n`],
    ["with an invalid network", `2\t${ORIGIN}\n${NOW}\tpoly gon\tPOL\t\n`],
    ["cut short", `2\t${ORIGIN}\n${NOW}\tpolygon`],
    ["cut short in the explorer", `2\t${ORIGIN}\n${NOW}\tpolygon\tPOL\thttps://exp`],
    ["of binary data", "\u0000\u0001"],
    ["that does not exist", undefined],
  ])("returns nothing for a file %s", (_, text) => expect(networksInCoinCache(text, ORIGIN, NOW)).toEqual([]));

  test("returns a symbol that is almost a day old", () => {
    const at = NOW - 86_399_999;
    expect(networksInCoinCache(`2\t${ORIGIN}\n${at}\tpolygon\tPOL\t\n`, ORIGIN, NOW)).toEqual([
      kept("polygon", "POL", at),
    ]);
  });

  test("limits the file to 100 networks, and rejects names that would break its lines", () => {
    let text: string | undefined;
    for (let index = 0; index < 150; index++) text = coinCacheWith(text, ORIGIN, kept(`n${index}`, "FOO"));
    expect(networksInCoinCache(text, ORIGIN, NOW)).toHaveLength(100);
    expect(coinCacheWith(undefined, ORIGIN, kept("a\tb\nc", "FOO"))).toBe(`2\t${ORIGIN}\n`);
  });
});
