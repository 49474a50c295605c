import type { Config, Erc20Tokens } from "../../../../src/config/config.ts";
import { cli, ends, exited, exits, says, TOKEN, type World } from "../../../helpers/cli.ts";
import { sampled } from "../../../helpers/deep.ts";
import { type TokenAnswers, tokenService, USDC, word } from "../../../helpers/erc20-service.ts";

const BASE = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const TOKENS: Erc20Tokens = { usdc: { decimals: 6, addresses: { mainnet: USDC, base: BASE } } };

function world(answers: TokenAnswers = {}, erc20 = TOKENS): World {
  const prod = { server: "https://prod.example", token: TOKEN, erc20: { ...erc20 } };
  const config: Config = { version: 1, current: "prod", contexts: { prod } };
  return { env: {}, config, service: tokenService(answers) };
}

const status = (line: string, answers?: TokenAnswers, erc20?: Erc20Tokens) =>
  cli(`relayers status ${line}`, world(answers, erc20));
const rows = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const callsIn = ({ requests }: { requests: readonly { body?: string }[] }) =>
  requests.flatMap(({ body = "" }) =>
    body.includes("eth_call") ? [JSON.parse(body).params[0].data.slice(0, 10)] : [],
  );

/** 2^255, which no number of JavaScript is. */
const LARGE = 2n ** 255n + 1n;

describe("balances of ERC-20 tokens, in relayers status", () => {
  test("are exact integers, and null for relayers of other networks and kinds", async () => {
    const ran = await exited(0, status("--fields relayer.id,erc20 -o ndjson", { balanceOf: () => word(LARGE) }));
    expect(ran.stdout).toContain(`{"relayer":{"id":"base-hot"},"erc20":{"usdc":${LARGE}}}\n`);
    for (const id of ["polygon-bulk", "sol-pay", "xlm-treasury"])
      expect(rows(ran.stdout)).toContainEqual({ relayer: { id }, erc20: { usdc: null } });
  });

  test("take one call for each relayer and token, and one for the decimals of each token on its network", async () => {
    const dai = { decimals: 6, addresses: { mainnet: BASE } };
    const ran = await status("eth-main-1 base-hot polygon-bulk --erc20 -o ndjson", {}, { ...TOKENS, dai });
    expect(callsIn(ran).sort()).toEqual([
      "0x313ce567",
      "0x313ce567",
      "0x313ce567",
      ..."0x70a08231 ".repeat(3).trim().split(" "),
    ]);
    const all = await status("--fields erc20.dai -o ndjson eth-main-1", {}, { ...TOKENS, dai });
    expect([all.stdout, callsIn(all).length]).toEqual(['{"erc20":{"dai":2500000}}\n', 2]);
  });

  test("take no requests unless they are selected", async () => {
    const lines = ["", "-o json", "--fields relayer.id,oldest", "-o prom", "--check --warn pending>50"];
    for (const line of sampled(lines, 3, 2)) expect(callsIn(await status(line))).toEqual([]);
  });

  test("have a column in tables, tsv, and csv with --erc20, in the token in tables", async () => {
    const table = await cli("relayers status base-hot polygon-bulk --erc20", { ...world(), terminal: true });
    expect(table.stdout).toMatch(/USDC/);
    expect(table.stdout).toMatch(/base-hot .* 2\.5\n/);
    const { stdout } = await status("base-hot polygon-bulk --erc20 -o csv");
    expect(stdout.split("\r\n").map((line) => line.split(",").at(-1))).toEqual(["erc20.usdc", "2500000", "", ""]);
  });

  test("select and sort relayers, also by amounts in the token", async () => {
    const answers = {
      balanceOf: ({ relayer }: { relayer: string }) => word(relayer === "base-hot" ? 90n : 10n ** 30n),
    };
    const ids = async (line: string) =>
      (await status(`${line} --fields relayer.id`, answers)).stdout.split("\n").slice(0, 2);
    expect(await ids("base-hot eth-main-1 --sort -erc20.usdc")).toEqual(["eth-main-1", "base-hot"]);
    expect(await ids("base-hot eth-main-1 --sort erc20.usdc")).toEqual(["base-hot", "eth-main-1"]);
    expect(await ids("--where erc20.usdc<0.000091usdc")).toEqual(["base-hot", ""]);
    expect(await ids("--where erc20.usdc<91")).toEqual(["base-hot", ""]);
    expect(await ids("--where erc20.usdc=0.00009USDC,7")).toEqual(["base-hot", ""]);
    expect(await ids("--where erc20.usdc>999999999999999999999999usdc")).toEqual(["eth-main-1", ""]);
  });

  test("cross thresholds, which do not apply to relayers of other networks", async () => {
    const ran = await status("base-hot polygon-bulk --check --crit erc20.usdc<2.500001usdc --warn erc20.usdc<2.5usdc");
    expect(ran.exitCode).toBe(13);
    expect(ran.stderr).toContain("base-hot: critical: erc20.usdc<2.500001usdc (2.5 usdc)\n");
    expect(ran.stderr).not.toContain("warning:");
    expect(ran.stderr).toContain("does not apply to relayers of other networks: polygon-bulk\n");
    expect((await status("base-hot --check --crit erc20.usdc<2.5usdc")).exitCode).toBe(0);
  });

  test("are shown with thresholds, which need not name them", async () => {
    const ran = await status("base-hot --check --warn pending>99 --fields relayer.id,erc20.usdc -o ndjson");
    expect(rows(ran.stdout)).toEqual([{ relayer: { id: "base-hot" }, erc20: { usdc: 2_500_000 } }]);
  });

  test("are a metric with --erc20, with the token as labels", async () => {
    const labels = `context="prod",relayer="base-hot",network="base",token="usdc",address="${BASE}",decimals="6"`;
    const ran = await status("-o prom --erc20", { balanceOf: () => word(LARGE) });
    expect(ran.stdout).toContain(`relayctl_relayer_erc20_balance{${labels}} ${LARGE}\n`);
    expect(ran.stdout).toContain('relayctl_scrape_success{context="prod"} 1\n');
  });

  test("are measured by guard", async () => {
    const line = "relayers guard base-hot --pause-if erc20.usdc<3usdc --yes";
    await says(13, line, "erc20.usdc<3usdc (2.5 usdc)", world());
    await ends({ exitCode: 2, writes: [] }, line.replace("base-hot", "polygon-bulk"), world());
  });

  test.each(
    sampled(
      [
        ["an error", null, "state is not available"],
        ["nothing", "0x", "returned 0 bytes in place of 32"],
        ["too little", "0x01", "returned 1 byte in place of 32"],
        ["too much", `${word(1n)}00`, "returned 33 bytes in place of 32"],
        ["no hex", "2500000", "returned no bytes in place of 32"],
      ],
      3,
    ),
  )("are null, not 0, if the node returns %s, and the rest is read", async (_, returned, why) => {
    const balanceOf = ({ relayer }: { relayer: string }) => (relayer === "base-hot" ? returned : word(7n));
    const ran = await exited(12, status("base-hot eth-main-1 --fields relayer.id,erc20 -o ndjson", { balanceOf }));
    expect(ran.stdout).toBe(
      '{"relayer":{"id":"base-hot"},"erc20":{"usdc":null}}\n{"relayer":{"id":"eth-main-1"},"erc20":{"usdc":7}}\n',
    );
    expect(ran.stderr).toMatch(/^note: usdc of base-hot not known: /);
    expect(ran.stderr).toContain(why);
    const prom = await status("base-hot -o prom --erc20", { balanceOf });
    expect(prom.stdout).not.toContain("erc20_balance");
    expect(prom.stdout).toContain('relayctl_scrape_success{context="prod"} 0\n');
    const check = await status("base-hot --check --crit erc20.usdc<3usdc", { balanceOf });
    expect(check.exitCode).toBe(returned === null ? 7 : 9);
    expect(check.stderr).toContain("erc20.usdc<3usdc not checked, the value is not known: base-hot");
  });

  test("are null if the contract has other decimals than were agreed to, and the note has the command", async () => {
    const ran = await exited(9, status("base-hot --erc20 -o json", { decimals: () => word(18n) }));
    expect(JSON.parse(ran.stdout)[0].erc20).toEqual({ usdc: null });
    expect(callsIn(ran)).toEqual(["0x313ce567"]);
    expect(ran.stderr).toContain(
      `it has 18 decimals now, and had 6; to accept that: relayctl context set prod --erc20 usdc=base:${BASE}`,
    );
  });

  test("do not depend on one node that cannot return the decimals", async () => {
    const decimals = ({ relayer }: { relayer: string }) => (relayer === "base-hot" ? null : word(6n));
    const ran = await status("--fields relayer.id,erc20.usdc -o ndjson base-hot eth-main-1", { decimals });
    expect(rows(ran.stdout).map(({ erc20 }) => erc20.usdc)).toEqual([null, 2_500_000]);
  });

  test("of a paused relayer are read from the user's own node, and are unknown without one", async () => {
    const line = "relayers status eth-main-2 --erc20 -o ndjson";
    const paused = await exits(0, line, world());
    expect(rows(paused.stdout)[0].erc20).toEqual({ usdc: null });
    expect(paused.stderr).toContain("note: usdc of eth-main-2 not known: it is paused or disabled");
    const node = "http://127.0.0.1:8545";
    const own = (chain: string) => ({
      ...world(),
      ...{ env: { RELAYCTL_NODE_MAINNET: node }, nodes: { [node]: tokenService({ chain: () => chain }) } },
    });
    expect(rows((await cli(line, own("0x1"))).stdout)[0].erc20).toEqual({ usdc: 2_500_000 });
    const wrong = await cli(line, own("0xa"));
    expect(rows(wrong.stdout)[0].erc20).toEqual({ usdc: null });
    expect(wrong.stderr).toContain("is on chain 10, the network is chain 1");
  });

  test.each(
    sampled(
      [
        ["--fields erc20.usdt", "--fields usdt: unknown token"],
        ["--sort erc20.usdt", "--sort usdt: unknown token"],
        ["--where erc20.usdt>1usdt", "--where usdt: unknown token"],
        ["--where erc20.usdc>1eth", "needs an amount in usdc, e.g. 100usdc"],
        ["--where erc20.usdc>1.5", "needs a unit, e.g. 100usdc"],
        ["--where erc20.usdc>0.0000001usdc", "has more decimals than usdc (6 at most)"],
        ["--where erc20.usdc>1e3", "needs an amount in usdc"],
        ["--check --warn erc20.usdc<5", "needs a unit, e.g. 100usdc"],
        ["--check --warn erc20.usdc<5eth", "needs an amount in usdc"],
        ["--check --warn erc20.usdt<5usdt", 'unknown field "erc20.usdt"'],
        ["--check --warn erc20<5", 'unknown field "erc20"'],
        ["--brief --erc20", "--erc20: cannot be combined with --brief"],
        ["--check --erc20", "--erc20: cannot be combined with --check"],
        ["--brief --fields erc20.usdc", "cannot select a field of status together with --brief"],
        ["--fields erc20.usdc.x", "unknown field of a relayer status"],
        ["--token usdc", "--token: is not supported"],
      ],
      5,
    ),
  )("are refused with %s before anything is sent", async (line, rule) => {
    const ran = await exited({ exitCode: 2, requests: [] }, status(line));
    expect(ran.stderr).toContain(rule);
    expect(ran.stderr.match(/^ {2}--/gm)?.length ?? 1).toBe(1);
  });

  test("need tokens in the context", async () => {
    const ran = await exited({ exitCode: 2, requests: [] }, status("--erc20", {}, {}));
    expect(ran.stderr).toContain("there are no ERC-20 tokens in prod; relayctl context set --erc20 adds one");
    const { stderr } = await cli("relayers status --erc20");
    expect(stderr).toContain("there are no ERC-20 tokens; relayctl context set --erc20 adds one");
  });

  test("are those of the demo with --demo, whatever the context has", async () => {
    const { config = { version: 1, contexts: {} } } = world({}, { dai: { decimals: 1, addresses: {} } });
    const ran = await cli("--demo relayers status base-hot --fields erc20 -o ndjson", { env: {}, config });
    expect(ran.stdout).toBe('{"erc20":{"usdc":1000000000000}}\n');
  });
});

describe("ERC-20 tokens in several contexts", () => {
  const both = (eu: Erc20Tokens, us: Erc20Tokens): World => ({
    ...world(),
    config: {
      version: 1,
      contexts: {
        eu: { server: "https://eu.example", token: TOKEN, erc20: { ...eu } },
        us: { server: "https://us.example", token: TOKEN, erc20: { ...us } },
      },
    },
  });

  test("are read in the contexts that have them", async () => {
    const line = "relayers status base-hot -c eu,us --where erc20.usdc>=2.5usdc --fields erc20,context -o json";
    const ran = await cli(line, both({}, TOKENS));
    expect(JSON.parse(ran.stdout)).toEqual([{ erc20: { usdc: 2_500_000 }, context: "us" }]);
  });

  test("are refused if one name has two meanings, and only then", async () => {
    const other = { usdc: { decimals: 18, addresses: { base: BASE } }, dai: { decimals: 6, addresses: {} } };
    const ran = await cli("relayers status -c eu,us --sort erc20.usdc", both(TOKENS, other));
    expect(ran).toMatchObject({ exitCode: 2, requests: [] });
    expect(ran.stderr).toContain("usdc has 6 decimals in eu, and 18 in us");
    expect((await cli("relayers status base-hot -c eu,us --fields erc20.dai", both(TOKENS, other))).exitCode).toBe(0);
  });

  test("are one metric each, with the samples of all contexts", async () => {
    const { stdout } = await cli("relayers status base-hot -c eu,us -o prom --erc20", both(TOKENS, TOKENS));
    const lines = stdout.split("\n").filter((line) => line.includes("relayctl_relayer_erc20_balance"));
    expect(lines.map((line) => line.replace(/[{ ].*/, ""))).toEqual([
      ..."##".split(""),
      ...Array(2).fill("relayctl_relayer_erc20_balance"),
    ]);
  });
});
