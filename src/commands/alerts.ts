import { type JsonValue, parseJson, prettyJson } from "../contract/json.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { RuleOptions } from "../views/alerts/rules.ts";
import { createCommand } from "./command.ts";

const SYSTEMS = ["prometheus", "grafana-alerts", "grafana", "alertmanager"] as const;
const RULES: readonly (string | undefined)[] = ["prometheus", "grafana-alerts"];

export const alerts = createCommand({
  summary: "Print alert rules, a dashboard, or routes for the metrics of relayers",
  sends: "nothing",
  takes: ["context"],
  examples: [
    "relayctl alerts --for prometheus",
    "relayctl alerts --for grafana-alerts --warn 'runway<7d' --crit 'balance<0.05eth'",
    "relayctl alerts --for grafana",
  ],
  description:
    "Print a file for a system that watches the metrics of `relayctl relayers status --listen` and of the service: alert rules for Prometheus or Grafana, a Grafana dashboard, or a route with inhibit rules for Alertmanager. The rules use the same thresholds as `relayers status --check`: the defaults are 'runway<3d', 'oldest>10m', and the min_balance of each relayer; a threshold that you specify replaces the default of its field. Each alert has the command to run, for the context of its label or of -c. Needs no service. The dashboard is JSON and the other files are YAML, unless you specify -o json or -o yaml.",
  define: (command) =>
    command
      .optionsGroup("File")
      .choice("--for <system>", "System to print a file for (required)", SYSTEMS)
      .option("--warn <threshold>", "Threshold of a warning, e.g. 'runway<7d' or 'pending>50' (repeatable)", "values")
      .option("--crit <threshold>", "Threshold of a critical alert, e.g. 'balance<0.05eth' (repeatable)", "values")
      .option(
        "--runbook <url>",
        "Page that the alerts link to, which has a heading for each (default: docs/guides/alerts.md)",
      )
      .option("--datasource <uid>", "UID of the Prometheus data source in Grafana's rules (default: prometheus)"),
  async prepare({ flags, common: { context } }, problems) {
    const { for: system, warn, crit, runbook, datasource } = flags;
    if (system === undefined) problems.add("--for", `is required: one of ${SYSTEMS.join(", ")}`);
    for (const [flag, value] of Object.entries({ warn, crit, runbook }))
      if (value !== undefined && system !== undefined && !RULES.includes(system))
        problems.add(`--${flag}`, "applies to rules only: --for prometheus or --for grafana-alerts");
    if (datasource !== undefined && system !== "grafana-alerts")
      problems.add("--datasource", "applies to --for grafana-alerts only");
    if (runbook !== undefined && !/^https?:\/\/[^\s#]+$/.test(runbook))
      problems.add("--runbook", "needs a URL without a fragment, e.g. https://wiki.example.org/alerts", runbook);
    const { readThresholds } = await import("../views/relayer-status/thresholds.ts");
    const typed = [...readThresholds("--crit", crit, problems), ...readThresholds("--warn", warn, problems)];
    const program = context === undefined ? undefined : commandLine("-c", context);
    return { typed, program, runbook: runbook ?? "docs/guides/alerts.md", datasource: datasource ?? "prometheus" };
  },
  async run({ flags, output }, options) {
    const value = await fileContent(flags.for, options);
    const { format = "table" } = output;
    if (format !== "table") return { kind: "facts", lines: [], value };
    if (flags.for === "grafana") return { kind: "text", text: `${prettyJson(value)}\n` };
    const { yamlText } = await import("../terminal/formats/yaml.ts");
    return { kind: "text", text: await yamlText(value) };
  },
});

async function fileContent(system: (typeof SYSTEMS)[number] | undefined, options: RuleOptions): Promise<JsonValue> {
  if (system === "grafana") return parseJson((await import("../../deploy/grafana/dashboard.json?raw")).default);
  if (system === "alertmanager") return parseJson((await import("../../deploy/alertmanager.json?raw")).default);
  const { createGrafanaRules, createPrometheusRules } = await import("../views/alerts/rules.ts");
  return system === "prometheus" ? createPrometheusRules(options) : createGrafanaRules(options);
}
