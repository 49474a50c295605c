import type { ApiRequest } from "../../client/request.ts";
import { validateId } from "../../command-support/ids.ts";
import { showIfDryRun } from "../../command-support/shown.ts";
import type { JsonValue } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { toCell, type View, viewLines } from "../../terminal/view.ts";
import { type Call, createCommand } from "../command.ts";

type Wanted = { kind: "names" } | { kind: "one"; name: string } | { kind: "all" };

export const serverMetrics = createCommand({
  summary: "List the service's metrics, or print their values",
  sends: "read",
  ends: { not_found: "metric not found" },
  examples: ["relayctl server metrics", "relayctl server metrics requests_total", "relayctl server metrics --all"],
  args: [{ name: "[name]", description: "Metric to print (default: list the names)" }],
  description: "List the names of the metrics, or print one or all of them in the Prometheus format.",
  define: (command) => command.optionsGroup("Request").option("--all", "Print the values of all metrics"),
  async prepare({ args: [name], flags }, problems): Promise<Wanted> {
    if (flags.all && name !== undefined) problems.add("--all", "cannot be combined with a metric name");
    if (name !== undefined) validateId(problems, "[name]", name);
    if (flags.all) return { kind: "all" };
    return name === undefined ? { kind: "names" } : { kind: "one", name };
  },
  async run(call, wanted) {
    const shown = await showIfDryRun(call, buildApiRequest(wanted));
    if (shown) return shown;
    const { client } = await call.session();
    if (wanted.kind === "all") return textView(call, "metrics", (await client.server.scrape()).body);
    if (wanted.kind === "one") return textView(call, wanted.name, (await client.server.metric(wanted.name)).body);
    const { data, body } = await client.server.metrics();
    const names = data as JsonValue as string[];
    return { kind: "facts", lines: viewLines("metrics", names.map(toCell)), value: names, body };
  },
});

function textView({ output }: Pick<Call, "output">, label: string, body: Uint8Array): View {
  if (output.format === undefined || output.format === "table") return { kind: "body", body };
  const text = new TextDecoder().decode(body);
  return { kind: "facts", lines: [{ label, value: toCell(text) }], value: text, body };
}

function buildApiRequest(wanted: Wanted): ApiRequest {
  if (wanted.kind === "one") return { operation: operations["server.metric"], parameters: { metric: wanted.name } };
  return { operation: operations[wanted.kind === "all" ? "server.metrics-scrape" : "server.metrics"] };
}
