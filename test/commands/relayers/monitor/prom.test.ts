import { WEI } from "../../../../src/contract/amount.ts";
import { Problems } from "../../../../src/contract/problems.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import { promText } from "../../../../src/views/relayer-status/prom-text.ts";
import { readThresholds } from "../../../../src/views/relayer-status/thresholds.ts";
import { cli, ends, exits, printedError, says, TOKEN, type World } from "../../../helpers/cli.ts";
import { tokenService } from "../../../helpers/erc20-service.ts";
import { refusal, success, wholeList } from "../../../helpers/service/reply.ts";
import { samplesIn } from "./exposition.ts";

const RELAYER = { id: "r1", network: "mainnet", state: "active", isPaused: false, coin: WEI } as const;
const valuesOf = (text: string, name: string) =>
  Object.fromEntries(
    samplesIn(text)
      .filter((sample) => sample.name === `relayctl_${name}`)
      .map(({ labels, value }) => [labels.state ?? labels.relayer ?? labels.context, value]),
  );

describe("metrics of relayers", () => {
  test("are exact integers in the smallest unit", () => {
    const text = promText(
      {
        relayers: [
          {
            ...RELAYER,
            balance: 340282366920938463463374607431768211455n,
            minBalance: 5n,
            runway: { seconds: 90n, spent: 1n, span: 1 },
            drift: -2n,
            pending: 3n,
            oldest: 60,
          },
        ],
        failures: new Map(),
      },
      { context: "prod" },
    );
    expect(text.match(/^relayctl_\w+\{.*$/gm)).toEqual([
      'relayctl_build_info{version="0.1.0"} 1',
      'relayctl_relayer_balance{context="prod",relayer="r1",network="mainnet",coin="",unit="wei"} 340282366920938463463374607431768211455',
      'relayctl_relayer_min_balance{context="prod",relayer="r1",network="mainnet",coin="",unit="wei"} 5',
      'relayctl_relayer_runway_seconds{context="prod",relayer="r1",network="mainnet"} 90',
      'relayctl_relayer_nonce_drift{context="prod",relayer="r1",network="mainnet"} -2',
      'relayctl_relayer_pending{context="prod",relayer="r1",network="mainnet"} 3',
      'relayctl_relayer_oldest_pending_seconds{context="prod",relayer="r1",network="mainnet"} 60',
      'relayctl_relayer_state{context="prod",relayer="r1",network="mainnet",state="disabled"} 0',
      'relayctl_relayer_state{context="prod",relayer="r1",network="mainnet",state="paused"} 0',
      'relayctl_relayer_state{context="prod",relayer="r1",network="mainnet",state="active"} 1',
      'relayctl_scrape_success{context="prod"} 1',
    ]);
    expect(samplesIn(text)).toHaveLength(11);
  });

  test("are left out if they are not known", () => {
    const text = promText(
      { relayers: [RELAYER], failures: new Map([["r1", new RelayctlError("server", "no node")]]) },
      { context: "prod" },
    );
    expect(new Set(samplesIn(text).map(({ name }) => name))).toEqual(
      new Set(["relayctl_build_info", "relayctl_relayer_state", "relayctl_scrape_success"]),
    );
    expect(valuesOf(text, "scrape_success")).toEqual({ prod: "0" });
    expect(samplesIn(promText(undefined, { context: "prod" }))).toHaveLength(2);
  });

  test("have no end of the runway if nothing was spent", () => {
    const runway = { seconds: undefined, spent: 0n, span: 1 };
    const text = promText({ relayers: [{ ...RELAYER, runway }], failures: new Map() }, { context: "prod" });
    expect(valuesOf(text, "relayer_runway_seconds")).toEqual({ r1: "+Inf" });
  });

  test.each(['a"b', "a\\b", "a\nb", "a\\nb", '",relayer="other'])("escape the name %j", (name) => {
    const text = promText(
      { relayers: [{ ...RELAYER, id: name, network: name }], failures: new Map() },
      { context: name },
    );
    expect(samplesIn(text)[1]?.labels).toMatchObject({ context: name, relayer: name, network: name });
  });
});

describe("relayers status -o prom", () => {
  test("prints the metrics of the demo's fleet", async () => {
    const ran = await ends({ exitCode: 0, stderr: "" }, "relayers status -o prom");
    expect(valuesOf(ran.stdout, "relayer_balance")).toMatchObject({
      "eth-main-1": "1500000000000000000",
      "sol-pay": "30000000",
    });
    expect(valuesOf(ran.stdout, "relayer_min_balance")).toMatchObject({ "eth-main-2": "500000000000000000" });
    expect(valuesOf(ran.stdout, "relayer_pending")).toMatchObject({ "eth-main-1": "5", "base-hot": "0" });
    expect(Number(valuesOf(ran.stdout, "relayer_oldest_pending_seconds")["eth-main-1"])).toBeGreaterThan(3_600);
    expect(valuesOf(ran.stdout, "relayer_oldest_pending_seconds")["base-hot"]).toBe("0");
    expect(valuesOf(ran.stdout, "relayer_nonce_drift")).toHaveProperty("eth-main-1");
    expect(ran.writes).toEqual([]);
  });

  test("selects relayers by ID and condition", async () => {
    const ran = await cli("relayers status eth-main-1 base-hot -o prom --where relayer.network=base");
    expect(Object.keys(valuesOf(ran.stdout, "relayer_balance"))).toEqual(["base-hot"]);
  });

  test("shows that values are missing, and reports why", async () => {
    const ran = await exits(9, "relayers status r1 -o prom", {
      service: async ({ target }) => {
        if (target.includes("/status")) return refusal(500, "no node");
        return target.includes("/transactions") ? success([]) : wholeList([{ id: "r1" }]);
      },
    });
    expect(ran.stderr).toContain("status of r1 not known: no node");
    expect(valuesOf(ran.stdout, "scrape_success")).toEqual({ "http://127.0.0.1:8080": "0" });
  });

  test.each([
    ["relayers list -o prom", "-o prom: is a format of `relayctl relayers status` only"],
    ["relayers status -o prom --fields oldest", "--fields: cannot be combined with -o prom"],
    ["relayers status -o prom --check", "--check: cannot be combined with -o prom"],
    ["relayers status -o prom --watch 5s", "--watch: cannot be combined with -o prom"],
  ])("%s is rejected before any request", (line, words) => says({ exitCode: 2, requests: [] }, line, words));
});

const family = (name: string, type = "gauge", ...samples: string[]) =>
  `# HELP ${name} Some words.\n# TYPE ${name} ${type}\n${(samples.length > 0 ? samples : [`${name} 1`]).join("\n")}\n`;

test.each([
  family("pool_size"),
  family("requests_total", "counter", 'requests_total{code="200"} 1', 'requests_total{code="500"} 2'),
  family("age_seconds", "gauge", "age_seconds +Inf"),
  family("age_seconds") + family("size_bytes", "gauge", "size_bytes 1.5e+10"),
  family("info", "gauge", 'info{name="a\\"b\\\\c\\n,d=}"} 1'),
])("the parser of metrics accepts %j", (text) => expect(samplesIn(text).length).toBeGreaterThan(0));

test.each([
  ["the last line has no end", family("size").trimEnd()],
  ["no help and type", "size 1\n"],
  ["no help and type", "# TYPE size gauge\nsize 1\n"],
  ["no help and type", "# HELP size Words.\nsize 1\n"],
  ["no help and type", "# HELP size Words.\n# TYPE length gauge\nsize 1\n"],
  ["no help and type", "# HELP size Words \\x.\n# TYPE size gauge\nsize 1\n"],
  ["no help and type", family("size", "number")],
  ["no help and type", family("1size")],
  ["no sample of size", "# HELP size Words.\n# TYPE size gauge\n"],
  ["no sample of size", family("size", "gauge", "length 1")],
  ["no sample of size", family("size", "gauge", "size  1")],
  ["no sample of size", family("size", "gauge", "size 1", "")],
  ["no sample of size", family("size", "gauge", "size 1 1700000000000")],
  ["not a value", family("size", "gauge", "size one")],
  ["not a value", family("size", "gauge", "size 0x10")],
  ["not a value", family("size", "gauge", "size 1_000")],
  ["not labels", family("size", "gauge", 'size{a-b="1"} 1')],
  ["not labels", family("size", "gauge", "size{a='1'} 1")],
  ["not labels", family("size", "gauge", 'size{a="b"c"} 1')],
  ["not labels", family("size", "gauge", 'size{a="\\t"} 1')],
  ["not labels", family("size", "gauge", 'size{a="1",} 1')],
  ["the label a occurs twice", family("size", "gauge", 'size{a="1",a="2"} 1')],
  ["something occurs twice", family("size") + family("length") + family("size")],
  ["something occurs twice", family("size", "gauge", 'size{a="1",b="2"} 1', 'size{b="2",a="1"} 2')],
  ["has no help", "# HELP size  \n# TYPE size gauge\nsize 1\n"],
  ["has a colon", family("pool:size")],
  ["is not in snake case", family("poolSize")],
  ["has an abbreviated unit", family("age_ms")],
  ["is not in seconds", family("age_minutes")],
  ["is not in bytes", family("size_megabytes")],
  ["is not in ratio", family("usage_percent")],
  ["has its type", family("size_gauge")],
  ["is a counter without _total", family("requests", "counter")],
  ["is not a counter", family("size_total")],
  ["has a suffix", family("size_count")],
  ["has a label of a histogram", family("size", "gauge", 'size{le="1"} 1')],
  ["has a label that is not in snake case", family("size", "gauge", 'size{relayerId="1"} 1')],
  ["has a reserved label", family("size", "gauge", 'size{__a="1"} 1')],
  ["has different labels", family("size", "gauge", "size 1", 'size{a="1"} 1')],
])("the parser of metrics finds that a text %s: %j", (fault, text) => expect(() => samplesIn(text)).toThrow(fault));

test("the metrics of the embedded server are valid too", async () => {
  const { stdout } = await cli("server metrics --all");
  expect(samplesIn(stdout)).toHaveLength(5);
});

describe("a node of the user", () => {
  const NODE = "http://127.0.0.1:8545";
  const LINES = {
    runway: "--fields relayer.id,runway",
    spends: "--fields relayer.id,spend_1d",
    drift: "--check --warn nonce_drift>5",
  };

  /** The node has the accounts of every chain, whatever its chain ID is. */
  async function status(what: keyof typeof LINES, url: string, chain = "0x2105") {
    const asked: string[] = [];
    const node = tokenService({ chain: () => chain });
    const nodes: World["nodes"] = {
      [NODE]: async (request, limits) => {
        asked.push(JSON.parse(request.body ?? "{}").method);
        return await node(request, limits);
      },
    };
    const contexts = { prod: { server: "https://prod.example", token: TOKEN } };
    const config = { version: 1 as const, current: "prod", contexts };
    const world: World = { nodes, config, env: { RELAYCTL_NODE_BASE: url }, service: tokenService({}) };
    const ran = await cli(`relayers status base-hot ${LINES[what]} -o ndjson`, world);
    return { ...ran, asked, found: JSON.parse(ran.stdout) };
  }

  test.each(["runway", "spends", "drift"] as const)(
    "on the wrong chain shows nothing of a relayer: %s",
    async (what) => {
      const { found, stderr, asked } = await status(what, NODE, "0xa");
      expect(asked).toEqual(["eth_chainId"]);
      if (what !== "drift") expect(Object.values(found)[1]).toBeNull();
      expect(stderr).toContain("is on chain 10, the network is chain 8453");
    },
  );

  test.each(["runway", "spends", "drift"] as const)("with an invalid URL is reported: %s", async (what) => {
    const { found, stderr } = await status(what, "nonsense");
    expect(stderr).toContain("RELAYCTL_NODE_BASE");
    if (what !== "drift") expect(Object.values(found)[1]).toBeNull();
  });

  test("on the network's chain is asked", async () => {
    const { stderr, asked } = await status("drift", NODE);
    expect(asked.slice(0, 2)).toEqual(["eth_chainId", "eth_getTransactionCount"]);
    expect(stderr).not.toContain("is on chain");
  });
});

const CHECK = "relayers status base-hot eth-main-1 polygon-bulk sol-pay --check";

describe("a check with thresholds", () => {
  test("passes if none is crossed", () => exits(0, `${CHECK} --crit balance<0.05eth --warn runway<1m`));

  test("fails with each crossed threshold, its severity, and the value", async () => {
    const ran = await exits(13, `${CHECK} --crit balance<0.2eth --warn pending>4`);
    expect(ran.stderr).toContain("error: the check failed: 1 critical, 1 warning of 4 relayers\n");
    expect(ran.stderr).toContain("base-hot: critical: balance<0.2eth (0.15 ETH)\n");
    expect(ran.stderr).toContain("eth-main-1: warning: pending>4 (5 pending)\n");
  });

  test("lists them as details of the error in JSON", async () => {
    const ran = await cli(`${CHECK} --crit balance<0.2eth -o json`);
    const error = printedError(ran.stderr);
    expect(error).toMatchObject({
      code: "unmet",
      exit_code: 13,
      details: [{ where: "base-hot", rule: "critical: balance<0.2eth (0.15 ETH)" }],
    });
  });

  test.each([
    ["balance<1000pol", ["polygon-bulk"]],
    ["balance<1000sol", ["sol-pay"]],
    ["balance<1000eth", ["base-hot", "eth-main-1"]],
    ["balance<1000000gwei", []],
    ["balance<=150000000gwei", ["base-hot"]],
    ["oldest>1h", ["eth-main-1"]],
    ["oldest>1m", ["eth-main-1", "polygon-bulk", "sol-pay"]],
    ["pending>=5", ["eth-main-1"]],
  ])("%s is crossed by %j", async (threshold, ids) => {
    const ran = await exits(ids.length === 0 ? 0 : 13, `${CHECK} --warn ${threshold}`);
    const named = ["base-hot", "eth-main-1", "polygon-bulk", "sol-pay"].filter((id) =>
      ran.stderr.includes(`${id}: warning: ${threshold}`),
    );
    expect(named).toEqual(ids);
  });

  test("notes once which relayers have another coin", async () => {
    const ran = await cli(`${CHECK} --crit balance<1wei --warn balance<1pol`);
    expect(ran.stderr).toContain("note: balance<1wei does not apply to relayers of other coins: sol-pay\n");
    expect(ran.stderr).toContain(
      "note: balance<1pol does not apply to relayers of other coins: base-hot, eth-main-1, sol-pay\n",
    );
    expect(ran.stderr.match(/other coins/g)).toHaveLength(2);
  });

  test("still fails for a relayer that is paused or disabled", () =>
    says(13, "relayers status --check --crit balance<1wei", "the check failed: 2 disabled, 1 paused of 8 relayers"));
});

describe("a malformed threshold", () => {
  test.each([
    ["--crit balance<0.05", "--crit balance<0.05: needs a unit, e.g. balance<0.05eth"],
    ["--crit balance<5e3eth", "--crit balance<5e3eth: "],
    ["--crit balance<x", "--crit balance<x: is not an amount"],
    ["--warn runway<3", "--warn runway<3: needs a time with its unit, e.g. runway<3d"],
    ["--warn runway<3dx", "--warn runway<3dx: needs a time with its unit, e.g. runway<3d"],
    ["--warn runway<3eth", "--warn runway<3eth: needs a time with its unit"],
    ["--warn pending>1.5", "--warn pending>1.5: needs a whole number"],
    ["--warn ballance<1eth", '--warn ballance<1eth: unknown field "ballance" (did you mean balance?)'],
    ["--warn runway", "--warn runway: needs FIELD OP VALUE"],
    ["--warn runway=3d", "--warn runway=3d: needs FIELD OP VALUE"],
  ])("%s is rejected before any request", (flags, words) =>
    says({ exitCode: 2, requests: [] }, `relayers status --check ${flags}`, words),
  );

  test("needs --check, and no --brief", async () => {
    await says({ exitCode: 2, requests: [] }, "relayers status --warn runway<3d", "--warn: needs --check");
    expect(await cli("relayers status --check --brief --crit runway<3d")).toMatchObject({ exitCode: 2, requests: [] });
  });
});

test.each([
  ["--warn", "--check --warn oldest>1h --where status.balance>0"],
  ["--crit", "--check --crit balance<1eth --where oldest>1h"],
  ["-o prom", "-o prom --where runway<3d"],
  ["--listen", "--listen 127.0.0.1:0 --where !runway"],
])("selects by no value that is read after the selection: %s", async (flag, flags) => {
  const ran = await ends({ exitCode: 2, requests: [], stdout: "" }, `relayers status ${flags}`);
  expect(ran.stderr).toContain(`cannot select by a field of status with ${flag}, which selects by the list`);
});

test.each([
  ["1s", 1],
  ["1m", 60],
  ["1h", 3_600],
  ["1d", 86_400],
])("%s is %d seconds, with and without the limit itself", (limit, seconds) => {
  const isCrossed = (operator: string, oldest: number) =>
    readThresholds("--warn", [`oldest${operator}${limit}`], new Problems())[0]?.isCrossed({ oldest } as never);
  const around = [seconds - 1, seconds, seconds + 1];
  const crossed = (operator: string) => around.map((oldest) => isCrossed(operator, oldest));
  expect(["<", "<=", ">", ">="].map(crossed)).toEqual([
    [true, false, false],
    [true, true, false],
    [false, false, true],
    [false, true, true],
  ]);
});
