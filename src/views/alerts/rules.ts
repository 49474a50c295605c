import { amountOr, type Currency, currencyOf, LAMPORTS, parseAmount, STROOPS, WEI } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { Problems } from "../../contract/problems.ts";
import { readThreshold, readThresholds, type Threshold } from "../relayer-status/thresholds.ts";

export interface RuleOptions {
  /** The thresholds of `--warn` and `--crit`. */
  typed: readonly Threshold[];
  /** What each command begins with; if undefined, the alert's label selects the context. */
  program: string | undefined;
  runbook: string;
  datasource: string;
}

interface Rule {
  name: string;
  severity: Threshold["severity"];
  /** Prometheus' `for`. */
  lasting: string;
  expression: string;
  /** Follows the relayer, or the context, in the summary. */
  summary: string;
  /** Its words after the program and the context. */
  command: string;
}

const RELAYER = "{{ $labels.relayer }}";
const UNSTICK = `relayers unstick ${RELAYER} --dry-run`;
/** The label of an exporter without a context is its server. */
const PROGRAM =
  'relayctl{{ with $labels.context }} {{ if match "^https?://" . }}--server{{ else }}-c{{ end }} {{ . }}{{ end }}';
const BY = "max by (context, relayer, network)";

/** Returns the latest value of each relayer, which bridges the restart of a pod, from whichever pod it is. */
const latest = (metric: string) => `${BY} (last_over_time(relayctl_relayer_${metric}[5m]))`;

function createRules({ typed }: RuleOptions): Rule[] {
  const isTyped = (known: Threshold["field"]) => typed.some(({ field }) => field === known);
  const defaults = readThresholds("--warn", ["runway<3d", "oldest>10m"], new Problems());
  const used = [...typed, ...defaults.filter(({ field }) => !isTyped(field))];
  const found = used.flatMap((threshold) => toRules(threshold, defaults.includes(threshold)));
  return [STOPPED, ...found, ...(isTyped("balance") ? [] : [MINIMUM]), ...OTHERS];
}

const STOPPED: Rule = {
  name: "RelayerStopped",
  severity: "critical",
  lasting: "5m",
  expression: `${latest('state{state="disabled"}')} == 1`,
  summary: "is disabled: the service stopped it",
  command: `doctor ${RELAYER}`,
};

const BALANCE = { name: "RelayerBalanceLow", lasting: "5m", command: `relayers balance ${RELAYER}` };

const MINIMUM: Rule = {
  ...BALANCE,
  severity: "critical",
  expression: `${latest("balance")} < ${latest("min_balance")}`,
  summary: "has less than its min_balance",
};

const FAILED = countSeries('transactions_failed_total{failure_reason!="canceled"}');
const CONFIRMED = countSeries("transactions_success_total");
const SUCCEEDED = `(${CONFIRMED} or 0 * ${FAILED})`;
const HEARD = "last_over_time(relayctl_webhook_last_delivery_timestamp_seconds[1d])";

function countSeries(counter: string): string {
  const rise = `sum by (relayer_id) (increase(${counter}[1h]))`;
  return `label_join(${rise}, "relayer", "", "relayer_id")`;
}

const SUCCESS = "max by (context) (relayctl_scrape_success)";
const STATES = "max by (context) (relayctl_relayer_state)";

const OTHERS: readonly Rule[] = [
  {
    name: "RelayerFailing",
    severity: "warning",
    lasting: "5m",
    expression: `${FAILED} >= 5 and ${FAILED} / (${FAILED} + ${SUCCEEDED}) > 0.1`,
    summary: "had more than 10% of its transactions fail in an hour",
    command: `tx list ${RELAYER} --status failed`,
  },
  {
    name: "RelayerWebhooksSilent",
    severity: "warning",
    lasting: "5m",
    expression: `time() - max by (relayer) (${HEARD}) > 3600 and on (relayer) ${CONFIRMED} >= 5`,
    summary: "had transactions confirmed in an hour, and no webhook about it arrived",
    command: "notifications list",
  },
  {
    name: "RelayctlBlind",
    severity: "critical",
    lasting: "10m",
    expression: `(${SUCCESS} == 0 unless ${STATES}) or (max by (context) (last_over_time(relayctl_scrape_success[1d])) unless ${SUCCESS})`,
    summary: "cannot be read: the service or the exporter does not respond",
    command: "doctor",
  },
  {
    name: "RelayctlPartlyBlind",
    severity: "warning",
    lasting: "10m",
    expression: `${SUCCESS} == 0 and ${STATES}`,
    summary: "can be read only in part: a node does not respond",
    command: "doctor",
  },
];

function toRules({ field, severity, text, operator, limit }: Threshold, isDefault: boolean): Rule[] {
  const crosses = (metric: string) => `${latest(metric)} ${operator} ${readThreshold(field, limit)}`;
  switch (field) {
    case "balance":
    case "spend_1h":
    case "spend_1d": {
      const { amount, labels } = readBalance(limit);
      const expression = `${latest(`${field}{${labels}}`)} ${operator} ${amount}`;
      const rule = field === "balance" ? BALANCE : { ...BALANCE, name: "RelayerSpending" };
      return [{ ...rule, severity, expression, summary: `crosses ${text}` }];
    }
    case "runway": {
      const isFalling = `${latest("balance")} < ${BY} (max_over_time(relayctl_relayer_balance[6h]))`;
      const expression = `${crosses("runway_seconds")} and ${isFalling}`;
      const summary = `crosses ${text}, and its balance is falling`;
      return [{ name: "RelayerRunwayShort", severity, lasting: "10m", expression, summary, command: BALANCE.command }];
    }
    case "oldest": {
      const isOld = crosses("oldest_pending_seconds");
      const drifts = `${latest("nonce_drift")} > 0`;
      return [
        {
          name: "RelayerJammed",
          severity: isDefault ? "critical" : severity,
          lasting: "1m",
          expression: `${isOld} and ${drifts}`,
          summary: `crosses ${text}, and its nonce is ahead of the chain's: a transaction holds up the others`,
          command: UNSTICK,
        },
        {
          name: "RelayerSlow",
          severity,
          lasting: "1m",
          expression: `${isOld} unless ${drifts}`,
          summary: `crosses ${text}, and its nonce is the chain's, or it has none`,
          command: `tx list ${RELAYER} --status pending`,
        },
      ];
    }
    case "pending":
    case "nonce_drift": {
      const name = field === "pending" ? "RelayerPending" : "RelayerNonceDrift";
      const [expression, summary] = [crosses(field), `crosses ${text}`];
      return [{ name, severity, lasting: "5m", expression, summary, command: UNSTICK }];
    }
    // The decimals of a token are in a context, and no context is read here: its thresholds are refused.
    default:
      return [];
  }
}

function readBalance(limit: string): { amount: bigint; labels: string } {
  const symbol = /[a-z0-9]*$/i.exec(limit.replace(/^[0-9.,_\s]+/, ""))?.[0] ?? "";
  const coins: readonly [Currency, string][] = [
    [WEI, 'unit="wei"'],
    [LAMPORTS, 'unit="lamport"'],
    [STROOPS, 'unit="stroop"'],
    [currencyOf("evm", symbol.toUpperCase()), `unit="wei",coin=~"(?i:${symbol})"`],
  ];
  for (const [coin, labels] of coins) {
    const amount = amountOr(() => parseAmount(limit, coin));
    if (amount !== undefined) return { amount, labels };
  }
  throw new Error(`${limit} was validated as an amount`);
}

export function createPrometheusRules(options: RuleOptions): JsonObject {
  const rules = createRules(options).map((rule) => ({
    alert: rule.name,
    expr: rule.expression,
    for: rule.lasting,
    labels: { severity: rule.severity },
    annotations: ruleAnnotations(rule, options),
  }));
  return { groups: [{ name: "relayctl", interval: "1m", rules }] };
}

/** Returns rules for Grafana's provisioning, which would replace `$labels` by a variable of the environment. */
export function createGrafanaRules(options: RuleOptions): JsonObject {
  const rules = createRules(options).map((rule, index) => ({
    uid: `relayctl-${index + 1}-${rule.name.toLowerCase()}`,
    title: `${rule.name} ${index + 1} (${rule.severity})`,
    condition: "B",
    data: grafanaQueries(rule, options),
    // An alert is absent while nothing is wrong.
    noDataState: "OK",
    execErrState: "Error",
    for: rule.lasting,
    annotations: Object.fromEntries(
      Object.entries(ruleAnnotations(rule, options)).map(([name, text]) => [
        name,
        text.replaceAll("$labels", ".Labels"),
      ]),
    ),
    labels: { severity: rule.severity, alertname: rule.name },
    isPaused: false,
  }));
  const group = { orgId: 1, name: "relayctl", folder: "relayctl", interval: "1m", rules };
  return { apiVersion: 1, groups: [group] };
}

/** Returns a query with the value 1 for a problem, since Grafana treats 0 as good. */
function grafanaQueries({ expression }: Rule, { datasource }: RuleOptions): JsonObject[] {
  const expr = `group by (context, relayer, network) (${expression})`;
  const evaluator = { type: "gt", params: [0] };
  return [
    {
      refId: "A",
      relativeTimeRange: { from: 600, to: 0 },
      datasourceUid: datasource,
      model: { refId: "A", expr, instant: true, range: false },
    },
    {
      refId: "B",
      relativeTimeRange: { from: 0, to: 0 },
      datasourceUid: "__expr__",
      model: { refId: "B", type: "threshold", expression: "A", conditions: [{ evaluator }] },
    },
  ];
}

function ruleAnnotations({ name, summary, command }: Rule, options: RuleOptions): Record<string, string> {
  const { runbook, program = PROGRAM } = options;
  const context = "{{ with $labels.context }} ({{ . }}){{ end }}";
  const subject = name.startsWith("Relayctl") ? "Context {{ $labels.context }}" : `Relayer ${RELAYER}${context}`;
  const runbook_url = `${runbook}#${name.toLowerCase()}`;
  return { summary: `${subject} ${summary}`, command: `${program} ${command}`, runbook_url };
}
