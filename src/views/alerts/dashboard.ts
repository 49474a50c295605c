import type { JsonObject } from "../../contract/json.ts";

const DATASOURCE = { type: "prometheus", uid: "$datasource" };
const CHOSEN = 'context=~"$context",relayer=~"$relayer"';
const RELAYER = "{{context}} {{relayer}}";

const measured = (metric: string, labels = "") =>
  `max by (context, relayer) (relayctl_relayer_${metric}{${CHOSEN}${labels}})`;

const BALANCE = [
  `${measured("balance", ',unit="wei"')} / 1e18`,
  `${measured("balance", ',unit="lamport"')} / 1e9`,
  `${measured("balance", ',unit="stroop"')} / 1e7`,
].join(" or ");

type Queries = readonly (readonly [expression: string, legend: string])[];

const QUANTILES: Queries = [0.5, 0.95, 0.99].map((share) => [
  `histogram_quantile(${share}, sum by (le) (rate(request_latency_seconds_bucket[$__rate_interval])))`,
  `p${share * 100}`,
]);

const FAILURES = 'transactions_failed_total{relayer_id=~"$relayer"}';

export function createDashboard(): JsonObject {
  return {
    uid: "relayctl",
    title: "Relayers",
    tags: ["relayctl"],
    schemaVersion: 39,
    version: 1,
    editable: true,
    timezone: "browser",
    refresh: "1m",
    time: { from: "now-6h", to: "now" },
    templating: { list: createVariables() },
    annotations: { list: [] },
    panels: [
      statePanel(),
      panel(2, "Balance and runway", [
        [BALANCE, `${RELAYER} balance`],
        [measured("runway_seconds"), `${RELAYER} runway`],
      ]),
      panel(3, "Pending and oldest", [
        [measured("pending"), `${RELAYER} pending`],
        [measured("oldest_pending_seconds"), `${RELAYER} oldest`],
      ]),
      panel(4, "Nonce drift", [[measured("nonce_drift"), RELAYER]]),
      panel(5, "Failures by reason", [
        [`sum by (failure_reason) (increase(${FAILURES}[$__rate_interval]))`, "{{failure_reason}}"],
      ]),
      panel(6, "Latency of the service", QUANTILES, "s"),
    ],
  };
}

function createVariables(): JsonObject[] {
  const variable = (name: string, query: string) => ({
    name,
    type: "query",
    datasource: DATASOURCE,
    query: { query, refId: name },
    definition: query,
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    allValue: ".*",
    current: { text: ["All"], value: ["$__all"] },
  });
  return [
    { name: "datasource", type: "datasource", query: "prometheus", label: "Data source" },
    variable("context", "label_values(relayctl_scrape_success, context)"),
    variable("relayer", 'label_values(relayctl_relayer_state{context=~"$context"}, relayer)'),
  ];
}

const OPTIONS = {
  legend: { displayMode: "list", placement: "bottom", showLegend: true, calcs: [] },
  tooltip: { mode: "multi", sort: "none" },
};

/** Times have a separate axis. */
const TIMES = {
  matcher: { id: "byRegexp", options: "/ (runway|oldest)$/" },
  properties: [
    { id: "unit", value: "s" },
    { id: "custom.axisPlacement", value: "right" },
  ],
};

function panel(id: number, title: string, queries: Queries, unit = "short"): JsonObject {
  return {
    id,
    title,
    type: "timeseries",
    datasource: DATASOURCE,
    gridPos: { x: ((id - 1) % 2) * 12, y: Math.floor((id - 1) / 2) * 8, w: 12, h: 8 },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
    fieldConfig: { defaults: { unit }, overrides: [TIMES] },
    options: OPTIONS,
  };
}

function statePanel(): JsonObject {
  const state = (name: string) => measured("state", `,state="${name}"`);
  const options = {
    0: { text: "active", color: "green", index: 0 },
    1: { text: "paused", color: "yellow", index: 1 },
    2: { text: "disabled", color: "red", index: 2 },
  };
  return {
    ...panel(1, "State", [[`2 * ${state("disabled")} + ${state("paused")}`, RELAYER]]),
    type: "state-timeline",
    fieldConfig: { defaults: { mappings: [{ type: "value", options }] }, overrides: [] },
    options: { ...OPTIONS, showValue: "never", mergeValues: true, rowHeight: 0.9 },
  };
}
