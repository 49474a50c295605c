import { parse } from "yaml";
import type { App } from "../../../src/app.ts";
import { promDeliveriesText } from "../../../src/views/relayer-status/prom-text.ts";
import { cli, ends, exited, says, type World } from "../../helpers/cli.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { demoStore } from "../../helpers/seed-state.ts";
import { refusal } from "../../helpers/service/reply.ts";
import { testServer } from "../../helpers/service/test-server.ts";
import { samplesIn } from "../relayers/monitor/exposition.ts";
import { openRules, type Rules, whyNot } from "./evaluated-rules.ts";

interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; command: string; runbook_url: string };
}

interface GrafanaRule {
  uid: string;
  title: string;
  noDataState: string;
  labels: { severity: string; alertname: string };
  data: { datasourceUid: string; model: { expr?: string } }[];
}

interface Dashboard {
  panels: { title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[];
  templating: { list: { name: string }[] };
}

async function rulesOf(line: string): Promise<AlertRule[]> {
  const { stdout } = await cli(line);
  return parse(stdout).groups.flatMap(({ rules }: { rules: AlertRule[] }) => rules);
}

async function grafanaRulesOf(flags = ""): Promise<GrafanaRule[]> {
  const { stdout } = await cli(`alerts --for grafana-alerts${flags}`);
  return parse(stdout).groups.flatMap(({ rules }: { rules: GrafanaRule[] }) => rules);
}

async function dashboardOf(): Promise<Dashboard> {
  return JSON.parse((await cli("alerts --for grafana")).stdout);
}

/** Returns the metrics that an expression reads: the words with an underscore outside of quotes that call nothing. */
function metricsOf(expression: string): string[] {
  const words = expression.replaceAll(/"[^"]*"/g, "").replaceAll(/\bby \([^)]*\)/g, "");
  return [...words.matchAll(/\b[a-z]+_\w+\b(?!\s*(?:\(|=|!))/g)]
    .map(([name]) => name)
    .filter((n) => !n.startsWith("__"));
}

/** What the service counts only with Redis storage, so that the embedded server does not print it. */
const COUNTED_WITH_REDIS = ["transactions_failed_total", "transactions_success_total"];

async function exportedNames(): Promise<Set<string>> {
  const relayers = await cli("relayers status -o prom");
  const service = await cli("server metrics --all");
  const deliveries = promDeliveriesText(new Map([["eth-main-1", 0]]));
  const names = [relayers.stdout, service.stdout, deliveries].flatMap((text) =>
    samplesIn(text).map(({ name }) => name),
  );
  return new Set([...names, "request_latency_seconds_bucket", ...COUNTED_WITH_REDIS]);
}

/** Returns a command as Prometheus renders it for an alert with these labels. */
function rendered(command: string, { context, relayer }: { context?: string; relayer: string }): string {
  const flag = context?.startsWith("http") ? "--server" : "-c";
  return command
    .replace(/\{\{ if match "\^https\?:\/\/" \. \}\}--server\{\{ else \}\}-c\{\{ end \}\}/, flag)
    .replace(/\{\{ with \$labels\.context \}\}(.*?)\{\{ \. \}\}\{\{ end \}\}/, context ? `$1${context}` : "")
    .replace("{{ $labels.relayer }}", relayer);
}

describe("alert rules", () => {
  test("cover every case once, and send nothing", async () => {
    await ends({ exitCode: 0, stderr: "", requests: [] }, "alerts --for prometheus");
    expect((await rulesOf("alerts --for prometheus")).map(({ alert, labels }) => [alert, labels.severity])).toEqual([
      ["RelayerStopped", "critical"],
      ["RelayerRunwayShort", "warning"],
      ["RelayerJammed", "critical"],
      ["RelayerSlow", "warning"],
      ["RelayerBalanceLow", "critical"],
      ["RelayerFailing", "warning"],
      ["RelayerWebhooksSilent", "warning"],
      ["RelayctlBlind", "critical"],
      ["RelayctlPartlyBlind", "warning"],
    ]);
  });

  test("use only metrics that are exported", async () => {
    const exported = await exportedNames();
    const rules = await rulesOf("alerts --for prometheus --warn pending>5 --warn nonce_drift>2 --warn balance<1eth");
    const { panels } = await dashboardOf();
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map((t) => t.expr)),
    ];
    for (const expression of expressions) for (const name of metricsOf(expression)) expect(exported).toContain(name);
    expect(new Set(expressions.flatMap(metricsOf)).size).toBe(11);
  });

  test("select balances by labels that are exported", async () => {
    const { stdout } = await cli("relayers status -o prom");
    const balances = samplesIn(stdout).filter(({ name }) => name === "relayctl_relayer_balance");
    const coins = balances.map(({ labels }) => [labels.relayer, labels.coin, labels.unit]);
    expect(coins).toContainEqual(["eth-main-1", "ETH", "wei"]);
    expect(coins).toContainEqual(["sol-pay", "SOL", "lamport"]);
  });

  test.each([
    ["--warn runway<7d", "RelayerRunwayShort", "warning", "< 604800 and"],
    ["--crit runway<=36h", "RelayerRunwayShort", "critical", "<= 129600 and"],
    ["--crit oldest>1h", "RelayerJammed", "critical", "> 3600 and"],
    ["--crit oldest>1h", "RelayerSlow", "critical", "> 3600 unless"],
    ["--warn pending>50", "RelayerPending", "warning", "> 50"],
    ["--crit nonce_drift>5", "RelayerNonceDrift", "critical", "> 5"],
    [
      "--crit balance<0.05eth",
      "RelayerBalanceLow",
      "critical",
      '{unit="wei",coin=~"(?i:eth)"}[5m])) < 50000000000000000',
    ],
    [
      "--warn balance<5pol",
      "RelayerBalanceLow",
      "warning",
      '{unit="wei",coin=~"(?i:pol)"}[5m])) < 5000000000000000000',
    ],
    ["--crit balance<7gwei", "RelayerBalanceLow", "critical", '{unit="wei"}[5m])) < 7000000000'],
    ["--crit balance<2sol", "RelayerBalanceLow", "critical", '{unit="lamport"}[5m])) < 2000000000'],
    ["--crit balance<3xlm", "RelayerBalanceLow", "critical", '{unit="stroop"}[5m])) < 30000000'],
  ])("%s becomes a rule %s (%s), in place of the default", async (flags, name, severity, words) => {
    const found = (await rulesOf(`alerts --for prometheus ${flags}`)).filter(({ alert }) => alert === name);
    expect(found.map(({ labels }) => labels.severity)).toEqual([severity]);
    expect(found[0]?.expr).toContain(words);
  });

  test("have both thresholds of a field if there is a warning and a critical one", async () => {
    const rules = await rulesOf("alerts --for prometheus --warn runway<7d --crit runway<1d");
    const severities = rules.filter(({ alert }) => alert === "RelayerRunwayShort").map(({ labels }) => labels.severity);
    expect(severities).toEqual(["critical", "warning"]);
  });

  test("show the command to run and the page about the alert", async () => {
    const rules = await rulesOf("alerts --for prometheus --runbook https://wiki.example.org/alerts");
    const { annotations } = rules.find(({ alert }) => alert === "RelayerJammed") ?? {};
    expect(annotations).toMatchObject({
      command: expect.stringContaining(" relayers unstick {{ $labels.relayer }} --dry-run"),
      runbook_url: "https://wiki.example.org/alerts#relayerjammed",
    });
    for (const rule of rules) expect(Object.keys(rule.annotations)).toEqual(["summary", "command", "runbook_url"]);
  });

  test("name commands that exist", async () => {
    for (const { annotations } of await rulesOf("alerts --for prometheus")) {
      const line = rendered(annotations.command, { relayer: "eth-main-1" }).replace("relayctl ", "");
      expect([0, 13]).toContain((await cli(line)).exitCode);
    }
  });

  test.each([
    ["prod", "relayctl -c prod "],
    ["https://relayer.example.org/v1", "relayctl --server https://relayer.example.org/v1 "],
  ])("select the context of the label %s", async (context, words) => {
    for (const { annotations } of await rulesOf("alerts --for prometheus"))
      expect(rendered(annotations.command, { relayer: "r1", context })).toContain(words);
  });

  test.each(["prometheus", "grafana-alerts"])(
    "of %s select the typed context, whatever the labels are",
    async (system) => {
      const { stdout } = await cli(`alerts -c prod --for ${system}`);
      const commands = stdout.split("\n").filter((line) => line.includes("command: "));
      expect(commands.length).toBeGreaterThan(8);
      for (const command of commands) expect(command).toMatch(/command: relayctl -c prod \w/);
    },
  );

  test("do not depend on the pod that is scraped", async () => {
    for (const { alert, expr } of await rulesOf("alerts --for prometheus"))
      for (const [, by] of expr.matchAll(/\b(?:max|sum) by \(([^)]*)\)/g))
        expect([alert, by]).toEqual([
          alert,
          expect.stringMatching(/^(?:context(?:, relayer, network)?|relayer|relayer_id)$/),
        ]);
  });
});

describe("Grafana's rules", () => {
  test("have the expressions of the rules for Prometheus, as 1 for what is wrong", async () => {
    const rules = await rulesOf("alerts --for prometheus");
    const grafana = await grafanaRulesOf();
    expect(grafana.map(({ data }) => data[0]?.model.expr)).toEqual(
      rules.map(({ expr }) => `group by (context, relayer, network) (${expr})`),
    );
    expect(grafana.map(({ labels }) => labels.alertname)).toEqual(rules.map(({ alert }) => alert));
    for (const field of ["uid", "title"] as const)
      expect(new Set(grafana.map((rule) => rule[field])).size).toBe(grafana.length);
  });

  test("contain nothing that Grafana takes for a variable of the environment", async () =>
    expect((await cli("alerts --for grafana-alerts")).stdout).not.toContain("$"));

  test("do not fire while a metric is absent, and use the data source that you specify", async () => {
    for (const { noDataState, data } of await grafanaRulesOf(" --datasource mimir"))
      expect([noDataState, data[0]?.datasourceUid]).toEqual(["OK", "mimir"]);
  });
});

describe("the dashboard", () => {
  test("has six panels that do not overlap, and variables for context and relayer", async () => {
    const { panels, templating } = await dashboardOf();
    expect(panels.map(({ title }) => title)).toEqual([
      "State",
      "Balance and runway",
      "Pending and oldest",
      "Nonce drift",
      "Failures by reason",
      "Latency of the service",
    ]);
    expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(6);
    expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "context", "relayer"]);
  });

  test("is the same as YAML", async () =>
    expect(parse((await cli("alerts --for grafana -o yaml")).stdout)).toEqual(await dashboardOf()));
});

test("Alertmanager's routes lead to a receiver that exists, and leave the cause", async () => {
  const { route, receivers, inhibit_rules: inhibit } = parse((await cli("alerts --for alertmanager")).stdout);
  expect(receivers.map(({ name }: { name: string }) => name)).toContain(route.receiver);
  expect(inhibit).toContainEqual({
    source_matchers: ['alertname="RelayctlBlind"'],
    target_matchers: ['alertname=~"Relayer.+|RelayctlPartlyBlind"'],
    equal: ["context"],
  });
  expect(inhibit).toContainEqual({
    source_matchers: ['alertname="RelayerStopped"'],
    target_matchers: ['alertname="RelayerJammed"'],
    equal: ["context", "relayer"],
  });
});

describe("relayctl alerts", () => {
  test.each(["prometheus", "grafana-alerts", "alertmanager", "grafana"])("prints %s as JSON too", async (system) => {
    const usual = await cli(`alerts --for ${system}`);
    const json = await cli(`alerts --for ${system} -o json`);
    expect(JSON.parse(json.stdout)).toEqual(parse(usual.stdout));
  });

  test.each([
    ["alerts", "--for: is required: one of prometheus, grafana-alerts, grafana, alertmanager"],
    ["alerts --for nagios", "--for"],
    ["alerts --for grafana --warn runway<3d", "--warn: applies to rules only"],
    ["alerts --for alertmanager --runbook https://example.org", "--runbook: applies to rules only"],
    ["alerts --for prometheus --datasource x", "--datasource: applies to --for grafana-alerts only"],
    ["alerts --for prometheus --runbook wiki", "--runbook wiki: needs a URL"],
    ["alerts --for prometheus --warn runway<3", "--warn runway<3: needs a time with its unit"],
    ["alerts --for prometheus --crit balance<1", "--crit balance<1: needs a unit"],
  ])("%s is rejected", (line, words) => says({ exitCode: 2, stdout: "", requests: [] }, line, words));
});

/** What an exporter served for so many minutes; nothing while it was not there. */
type Phase = readonly [minutes: number, text: string | undefined];

/** A service with an incident, and the exporter that is scraped meanwhile. */
function incident(relayer: string) {
  const interrupt = new AbortController().signal;
  const clock = manualClock(undefined, interrupt);
  const store = demoStore();
  const service = testServer({ store, clock });
  const world: World = { clock, interrupt, service, journal: memoryJournal() };
  const scrape = async (more: World = {}): Promise<string> => {
    let text = "";
    const receive: App["receive"] = async ({ respond }) => {
      const headers = { host: "127.0.0.1:9464" };
      // A scrape does not wait on this clock: the second one has what the first one read.
      for (let time = 0; time < 2; time++) {
        ({ text } = await respond({ method: "GET", target: "/metrics", headers, body: new Uint8Array() }));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await cli(`relayers status ${relayer} --listen 9464 --retries 0`, { ...world, ...more, receive });
    return text;
  };
  return { clock, store, scrape, run: (line: string) => cli(line, world) };
}

/** Returns the series of all samples, of one minute each; a sample that ends is stale, as after a scrape without it. */
function seriesIn(phases: readonly Phase[]): Record<string, string>[] {
  const found = new Map<string, string[]>();
  let minute = 0;
  for (const [minutes, text] of phases) {
    const samples = text === undefined ? [] : samplesIn(text);
    const values = new Map(
      samples.map(({ name, labels, value }) => {
        const pairs = Object.entries(labels).map(([label, of]) => `${label}=${JSON.stringify(of)}`);
        return [`${name}{${pairs.join(",")}}`, value.replace("+", "")];
      }),
    );
    for (const name of new Set([...found.keys(), ...values.keys()])) {
      const before = found.get(name) ?? Array(minute).fill("_");
      const value = values.get(name);
      const gap = before.at(-1) === "_" || before.length === 0 ? "_" : "stale";
      const more = value === undefined ? [gap, ...Array(minutes - 1).fill("_")] : Array(minutes).fill(value);
      found.set(name, [...before, ...more]);
    }
    minute += minutes;
  }
  return [...found].map(([series, values]) => ({ series, values: values.join(" ") }));
}

describe.skipIf(whyNot !== "")(`incidents of the embedded server${whyNot}`, () => {
  let rules: Rules;
  beforeAll(async () => {
    rules = await openRules();
  });
  afterAll(() => rules.close());

  const holdTo = (phases: readonly Phase[], expected: Readonly<Record<number, readonly string[]>>) => {
    for (const [minute, firing] of Object.entries(expected))
      expect(rules.evaluate(seriesIn(phases), firing, [Number(minute)]), `at minute ${minute}`).toContain("SUCCESS");
  };

  // The record of nonce 5 stays submitted although the chain used the nonce, and the payments left the balance.
  test("a jam fires until it is freed, also while the exporter restarts", async () => {
    const { scrape, run } = incident("eth-main-1");
    const jammed = await scrape();
    await exited(0, run("relayers unstick eth-main-1 --yes"));
    const phases: Phase[] = [
      [20, jammed],
      [2, undefined],
      [20, jammed],
      [40, await scrape()],
    ];
    holdTo(phases, {
      15: ["RelayerJammed"],
      21: ["RelayerJammed"],
      35: ["RelayerJammed"],
      60: ["RelayerSlow", "RelayerRunwayShort"],
    });
  });

  test("a disabled relayer fires until it is enabled", async () => {
    const { scrape, store } = incident("eth-sepolia");
    const disabled = await scrape();
    await store.change((state) => {
      const relayer = state.relayers.get("eth-sepolia");
      if (relayer) state.relayers.put({ ...relayer, system_disabled: false, disabled_reason: null });
    });
    holdTo(
      [
        [20, disabled],
        [30, await scrape()],
      ],
      { 3: [], 15: ["RelayerStopped"], 40: [] },
    );
  });

  test("a low balance fires", async () => {
    const { scrape } = incident("xlm-pay");
    holdTo([[20, await scrape()]], { 15: ["RelayerStopped", "RelayerBalanceLow"] });
  });

  test("an outage of the service fires, and so does one of the exporter", async () => {
    const { scrape } = incident("base-hot");
    const healthy = await scrape();
    const away = await scrape({ service: async () => refusal(503, "away") });
    holdTo(
      [
        [20, healthy],
        [20, away],
        [30, healthy],
      ],
      { 15: [], 25: [], 35: ["RelayctlBlind"], 60: [] },
    );
    holdTo(
      [
        [20, healthy],
        [20, undefined],
        [30, healthy],
      ],
      { 25: [], 35: ["RelayctlBlind"], 60: [] },
    );
  });

  test("an hour of traffic with restarts of the exporter fires nothing", async () => {
    const { scrape, run, clock } = incident("base-hot");
    const phases: Phase[] = [];
    for (let turn = 0; turn < 6; turn++) {
      phases.push([8, await scrape()], [2, undefined]);
      const sent = await run(
        "tx send base-hot --to 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 --value 1gwei --speed fast --yes",
      );
      expect(sent.exitCode, sent.stderr).toBe(0);
      phases.push([1, await scrape()]);
      await clock.sleep(600_000);
    }
    for (const minute of [9, 12, 25, 40, 55, 65]) holdTo(phases, { [minute]: [] });
  });
});
