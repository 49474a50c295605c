import { parse } from "yaml";
import { cli } from "../../helpers/cli.ts";

export interface AlertRule {
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

export async function rulesOf(line: string): Promise<AlertRule[]> {
  const { stdout } = await cli(line);
  return parse(stdout).groups.flatMap(({ rules }: { rules: AlertRule[] }) => rules);
}

export async function grafanaRulesOf(flags = ""): Promise<GrafanaRule[]> {
  const { stdout } = await cli(`alerts --for grafana-alerts${flags}`);
  return parse(stdout).groups.flatMap(({ rules }: { rules: GrafanaRule[] }) => rules);
}

export async function dashboardOf(): Promise<Dashboard> {
  return JSON.parse((await cli("alerts --for grafana")).stdout);
}

/** Returns the metrics that an expression reads: the words with an underscore outside of quotes that call nothing. */
export function metricsOf(expression: string): string[] {
  const words = expression.replaceAll(/"[^"]*"/g, "").replaceAll(/\bby \([^)]*\)/g, "");
  return [...words.matchAll(/\b[a-z]+_\w+\b(?!\s*(?:\(|=|!))/g)]
    .map(([name]) => name)
    .filter((n) => !n.startsWith("__"));
}
