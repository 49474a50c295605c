import type { JsonObject } from "../../contract/json.ts";
import { createRules, type Rule, type RuleOptions } from "./rules.ts";

export function createPrometheusRules(options: RuleOptions): JsonObject {
  const rules = createRules(options).map((rule) => ({
    alert: rule.name,
    expr: rule.expression,
    for: rule.lasting,
    labels: { severity: rule.severity },
    annotations: annotationsOf(rule, options),
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
      Object.entries(annotationsOf(rule, options)).map(([name, text]) => [name, text.replaceAll("$labels", ".Labels")]),
    ),
    labels: { severity: rule.severity, alertname: rule.name },
    isPaused: false,
  }));
  const group = { orgId: 1, name: "relayctl", folder: "relayctl", interval: "1m", rules };
  return { apiVersion: 1, groups: [group] };
}

/** Returns a query whose value is 1 for what is wrong, since Grafana takes a value of 0 for good. */
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

function annotationsOf({ name, summary, command }: Rule, { runbook }: RuleOptions): Record<string, string> {
  const context = "{{ with $labels.context }} ({{ . }}){{ end }}";
  const subject = name.startsWith("Relayctl")
    ? "Context {{ $labels.context }}"
    : `Relayer {{ $labels.relayer }}${context}`;
  return { summary: `${subject} ${summary}`, command, runbook_url: `${runbook}#${name.toLowerCase()}` };
}
