import type { Transport } from "../../../src/client/transport/transport.ts";
import { type Config, type Context, contextShape } from "../../../src/config/config.ts";
import { sampled } from "../../helpers/deep.ts";
import { symbolText, tokenService, USDC, word } from "../../helpers/erc20-service.ts";
import { exited, exitedSaying } from "../../helpers/exited.ts";
import { reply } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { TOKEN, type World } from "../../helpers/test-app.ts";
import { runWith } from "./stored-world.ts";

const OTHER = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const configWith = (more: Partial<Context> = {}): Config => ({
  version: 1,
  contexts: { prod: { server: "https://prod.example", token: TOKEN, ...more } },
});

async function set(flags: readonly string[], before: Partial<Context> = {}, world: World = {}) {
  const ran = await runWith(["context", "set", "prod", ...flags], { config: configWith(before), ...world });
  return { ...ran, erc20: ran.config.contexts.prod?.erc20 };
}

const add = (token = `usdc=mainnet:${USDC}`) => ["--erc20", token];
const stored = (decimals: number, addresses: Record<string, string>) => ({ erc20: { usdc: { decimals, addresses } } });

describe("context set --erc20", () => {
  test("reads decimals and symbol through a relayer of the network, shows them, and asks", async () => {
    const ran = await set(add(), {}, { terminal: true, answers: [true] });
    expect(ran).toMatchObject({ exitCode: 0, questions: ["Add this token to context prod?"] });
    expect(ran.stderr).toContain(`usdc on mainnet: ${USDC}, 6 decimals; it calls itself "USDC"\n`);
    expect(ran.erc20).toEqual({ usdc: { decimals: 6, addresses: { mainnet: USDC } } });
    expect(ran.requests.map(({ target }) => target)).toEqual([
      "/api/v1/relayers?page=1&per_page=1000",
      "/api/v1/relayers/eth-main-1/rpc",
      "/api/v1/relayers/eth-main-1/rpc",
    ]);
  });

  test("stores nothing without a yes, and reads nothing where nobody can say it", async () => {
    expect(await set(add(), {}, { terminal: true, answers: [false] })).toMatchObject({ exitCode: 3, erc20: undefined });
    expect(await set(add())).toMatchObject({ exitCode: 3, requests: [], erc20: undefined });
  });

  test.each(
    sampled(
      [
        ["usdc", "must be a name, =, a network, :, and an address"],
        [`usdc=${USDC}`, "must be a name, =, a network, :, and an address"],
        [`usdc=mainnet:${USDC.slice(0, -1)}`, "an address has 40 hex digits, this one has 39"],
        ["usdc=mainnet:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB49", "the checksum of this address is wrong"],
        [`USDC=mainnet:${USDC}`, "lowercase letters"],
        [`a.b=mainnet:${USDC}`, "lowercase letters"],
        [`eth=mainnet:${USDC}`, "is the unit of a coin"],
        [`pol=mainnet:${USDC}`, "is the unit of a coin"],
        [`gwei=mainnet:${USDC}`, "is the unit of a coin"],
        [`e18=mainnet:${USDC}`, "could be part of a number"],
        [`xaf=mainnet:${USDC}`, "could be part of a number"],
      ],
      4,
    ),
  )("rejects %s before it reads anything", (token, rule) =>
    exitedSaying({ exitCode: 2, requests: [], erc20: undefined }, set([...add(token), "--yes"]), rule),
  );

  test.each([
    [[...add(), ...add()], "is specified twice"],
    [["--unset-erc20", "usdc", "--unset-erc20", "usdc"], "is specified twice"],
    [[...add(), "--server", "https://other.example"], "cannot be combined with --server"],
  ])("rejects %j", (flags, rule) =>
    exitedSaying({ exitCode: 2, requests: [] }, set([...flags, "--yes"], stored(6, { mainnet: USDC })), rule),
  );

  test.each(
    sampled(
      [
        [`usdc=mainet:${USDC}`, 'no EVM relayer is on network "mainet" (did you mean mainnet?)'],
        [`usdc=mainnet-beta:${USDC}`, 'no EVM relayer is on network "mainnet-beta"'],
        [`usdc=sepolia:${USDC}`, "no active relayer of sepolia passes on requests"],
        [`usdc=mainnet:0x${"12".repeat(20)}`, "returned 0 bytes in place of 32"],
      ],
      2,
    ),
  )("does not add %s", (token, rule) =>
    exitedSaying({ exitCode: 2, erc20: undefined }, set([...add(token), "--yes"]), rule),
  );

  test("gives up on hung nodes within seconds each", async () => {
    const clock = steppedClock();
    const tokens = tokenService({});
    const service: Transport = async (request, limits) =>
      request.target.endsWith("/rpc")
        ? await new Promise((_, reject) => limits.signal.addEventListener("abort", () => reject(lost("timeout"))))
        : await tokens(request, limits);
    const running = set([...add(), "--yes"], {}, { clock, service });
    await clock.pass(20_000);
    expect(await Promise.race([running, "still running"])).toMatchObject({ exitCode: 10, erc20: undefined });
  });

  test.each(
    sampled(
      [
        ["nothing", "0x", "returned 0 bytes in place of 32"],
        ["too little", "0x06", "returned 1 byte in place of 32"],
        ["too much", `${word(6n)}${"00".repeat(32)}`, "returned 64 bytes in place of 32"],
        ["no hex", "six", "returned no bytes in place of 32"],
        ["too many decimals", word(78n), "returned 78, and 77 is the most"],
      ],
      3,
    ),
  )("does not add a contract whose decimals are %s", async (_, decimals, rule) => {
    const ran = await set([...add(), "--yes"], {}, { service: tokenService({ decimals: () => decimals }) });
    expect(ran).toMatchObject({ exitCode: 2, erc20: undefined });
    expect(ran.stderr).toContain(rule);
  });

  test.each([[0], [77]])("adds a token with %d decimals", async (decimals) => {
    const ran = await set(
      [...add(), "--yes"],
      {},
      { service: tokenService({ decimals: () => word(BigInt(decimals)) }) },
    );
    expect(ran.erc20).toEqual({ usdc: { decimals, addresses: { mainnet: USDC } } });
  });

  test.each(
    sampled(
      [
        ["escape sequences", "\u001b[2JUSDC\n\r", '"\\u{1b}[2JUSDC\\u{a}\\u{d}"'],
        ["bidi and zero-width characters", "US\u202eCD\u200b", '"US\\u{202e}CD\\u{200b}"'],
        ["letters of another alphabet", "USDС", '"USD\\u{421}"'],
        ["quotes", 'USDC", 18 decimals; "', '"USDC\\u{22}, 18 decimals; \\u{22}"'],
        ["10,000 characters", "U".repeat(10_000), `"${"U".repeat(24)}"… (10,000 characters)`],
        ["no characters", "", "it has no symbol"],
      ],
      3,
    ),
  )("shows a symbol with %s so that it cannot deceive", async (_, symbol, shown) => {
    const ran = await set([...add(), "--yes"], {}, { service: tokenService({ symbol: () => symbolText(symbol) }) });
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain(shown);
    expect(ran.stderr.split("\n")[0]?.length).toBeLessThan(240);
  });

  test.each(sampled([["ETH"], ["eth"], ["POL "], ["wei"]], 2))(
    "warns that %s is the name of a coin",
    async (symbol) => {
      const ran = await set([...add(), "--yes"], {}, { service: tokenService({ symbol: () => symbolText(symbol) }) });
      expect(ran.stderr).toContain("is also the name of a coin; this token is not that coin");
      expect(ran.erc20).toEqual({ usdc: { decimals: 6, addresses: { mainnet: USDC } } });
    },
  );

  test.each(
    sampled(
      [
        ["a symbol of 32 bytes", `0x${"4d4b52".padEnd(64, "0")}`, 'it calls itself "MKR"'],
        ["a length beyond its end", `0x${word(32n).slice(2)}${word(2n ** 255n).slice(2)}`, "it has no symbol"],
        ["an offset elsewhere", `0x${word(64n).slice(2)}${word(1n).slice(2)}`, "it has no symbol"],
        ["bytes that are no text", symbolText("x").replace(/78(?=0*$)/, "ff"), "it has no symbol"],
        ["a megabyte", `0x${"55".repeat(1_000_000)}`, "it has no symbol"],
      ],
      3,
    ),
  )("reads %s", (_, returned, shown) =>
    exitedSaying(0, set([...add(), "--yes"], {}, { service: tokenService({ symbol: () => returned }) }), shown),
  );

  test("adds the same name on another network only with the same decimals", async () => {
    const line = [...add(`usdc=base:${OTHER}`), "--yes"];
    expect((await set(line, stored(6, { mainnet: USDC }))).erc20).toEqual({
      usdc: { decimals: 6, addresses: { mainnet: USDC, base: OTHER } },
    });
    const refused = await set(line.slice(0, 2), stored(18, { mainnet: USDC }), { terminal: true });
    expect(refused).toMatchObject({ exitCode: 2, questions: [], ...stored(18, { mainnet: USDC }) });
    expect(refused.stderr).toContain("usdc has 18 decimals on mainnet, and 6 here; use another name, e.g. usdc-base");
  });

  test("replaces a token on its network, and one whose decimals changed on all of its networks at once", async () => {
    const before = stored(18, { mainnet: OTHER, base: OTHER });
    const ran = await set([...add(), ...add(`usdc=base:${OTHER}`), "--yes"], before);
    expect(ran.erc20).toEqual({ usdc: { decimals: 6, addresses: { mainnet: USDC, base: OTHER } } });
  });

  test("reads a token from the node that the same line sets, if it is on the network's chain", async () => {
    const origin = "http://127.0.0.1:8545";
    const node = (chain: string) => ({ nodes: { [origin]: tokenService({ chain: () => chain }) } });
    const line = [...add(), "--node", `mainnet=${origin}`, "--yes"];
    await exited({ exitCode: 0, erc20: { usdc: { decimals: 6 } } }, set(line, {}, node("0x1")));
    const wrong = await exited({ exitCode: 9, erc20: undefined }, set(line, {}, node("0x2105")));
    expect(wrong.stderr).toContain("is on chain 8453, the network is chain 1");
  });

  test("says so if the context is not there, or its relayers cannot be read", async () => {
    const line = ["context", "set", "nope", ...add(), "--yes"];
    expect(await runWith(line, { config: configWith() })).toMatchObject({ exitCode: 5 });
    const service = tokenService({ status: 401 });
    expect(await set([...add(), "--yes"], {}, { service })).toMatchObject({ exitCode: 4, erc20: undefined });
  });

  test("says of no token what only a response that was cut off shows", async () => {
    const answer = tokenService({});
    const service: Transport = async (request, limits) =>
      request.target.endsWith("/rpc") ? reply(200, '{"jsonrpc":"2.0","id":1,"res') : await answer(request, limits);
    const ran = await exited({ exitCode: 9, erc20: undefined }, set([...add(), "--yes"], {}, { service }));
    expect(ran.stderr).not.toContain("is not an ERC-20 token");
  });
});

test.each([
  [["usdc"], undefined],
  [["usdc=mainnet"], stored(6, { base: OTHER }).erc20],
  [["usdc=mainnet", "usdc=base"], undefined],
])("context set --unset-erc20 %j removes tokens without a request", async (names, left) => {
  const flags = names.flatMap((name) => ["--unset-erc20", name]);
  const ran = await exited({ exitCode: 0, requests: [] }, set(flags, stored(6, { mainnet: USDC, base: OTHER })));
  expect(ran.erc20).toEqual(left);
});

test.each([["usdt"], ["usdc=polygon"], ["__proto__"], [""]])("--unset-erc20 %j is not a token", async (name) => {
  const before = stored(6, { mainnet: USDC });
  expect(await set(["--unset-erc20", name], before)).toMatchObject({ exitCode: 2, ...before });
});

test("context show and context list show the tokens", async () => {
  const config = configWith(stored(6, { mainnet: USDC }));
  const shown = await runWith(["context", "show", "prod"], { config, terminal: true });
  expect(shown.stdout).toMatch(new RegExp(`erc20 usdc\\S*\\s+${USDC} on mainnet, 6 decimals\n`));
  for (const command of ["show prod", "list"]) {
    const { stdout } = await runWith(["context", ...command.split(" "), "-o", "json"], { config });
    expect([JSON.parse(stdout)].flat()[0]).toMatchObject(stored(6, { mainnet: USDC }));
  }
});

test.each([
  [{ decimals: 78, addresses: { mainnet: USDC } }],
  [{ decimals: 1.5, addresses: { mainnet: USDC } }],
  [{ decimals: 6, addresses: { mainnet: "0x12" } }],
  [{ decimals: 6 }],
])("a config with the token %j is not one", (token) => {
  expect(contextShape({ server: "https://prod.example", erc20: { usdc: token } })).toMatch(/^erc20\.usdc/);
});

test("flags of requests have no effect on context set without --erc20, and are refused", async () => {
  const ran = await exited({ exitCode: 2, requests: [] }, set(["--protected", "--timeout", "5s", "--proxy", "none"]));
  expect(ran.stderr).toContain("--timeout: applies to --erc20 only");
  expect((await set([...add(), "--yes", "--timeout", "5s"])).exitCode).toBe(0);
});
