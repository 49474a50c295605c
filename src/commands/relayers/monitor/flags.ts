import type { Problems } from "../../../command-support/problems.ts";
import type { Call } from "../../command.ts";
import type { CommandSyntax } from "../../flags/syntax.ts";
import type { StatusFlags } from "../status/status-reads.ts";
import type { Threshold } from "./thresholds.ts";

export function defineThresholds(command: CommandSyntax): CommandSyntax {
  return command
    .option(
      "--warn <threshold>",
      "With --check, also exit 13 if a threshold is crossed, e.g. 'runway<3d', 'pending>50', 'oldest>1h', 'nonce_drift>5' (repeatable)",
      "values",
    )
    .option("--crit <threshold>", "The same for a critical threshold, e.g. 'balance<0.05eth' (repeatable)", "values");
}

const ADDRESS = /^(?:(?:127\.0\.0\.1|localhost):)?([0-9]{1,5})$/;
const MAX_PORT = 65_535;

/** Returns the port to serve metrics on; undefined without `--listen`. */
export function listenPort(call: Call<StatusFlags>, problems: Problems): number | undefined {
  const { listen, check, brief, watch } = call.flags;
  if (listen === undefined) return undefined;
  const { format, fields, query, sort } = call.output;
  const other = format === undefined || format === "prom" ? undefined : format;
  const { deadline } = call.common;
  const typed = { check, brief, watch, fields, query, sort, output: other, deadline };
  for (const [name, value] of Object.entries(typed))
    if (value !== undefined) problems.add(`--${name}`, "cannot be combined with --listen");
  const port = Number(ADDRESS.exec(listen)?.[1] ?? Number.NaN);
  if (port <= MAX_PORT) return port;
  problems.add("--listen", "needs an address of this machine with a port, e.g. 127.0.0.1:9464", listen);
  return undefined;
}

/** Returns the thresholds to check, and adds problems for flags that cannot be combined. */
export async function thresholdsOf(call: Call<StatusFlags>, problems: Problems): Promise<readonly Threshold[]> {
  const { flags, output } = call;
  const { warn, crit, check, brief, watch } = flags;
  if (output.format === "prom") {
    const { fields, query, sort } = output;
    const typed = { "--check": check, "--brief": brief, "--fields": fields, "--query": query, "--sort": sort };
    for (const [flag, value] of Object.entries(typed))
      if (value !== undefined) problems.add(flag, "cannot be combined with -o prom, whose metrics are fixed");
  }
  if (!warn && !crit) return [];
  const flag = warn ? "--warn" : "--crit";
  if (!check) problems.add(flag, "needs --check");
  if (brief) problems.add(flag, "cannot be combined with --brief, which reads only the list");
  if (watch !== undefined) return [];
  const { readThresholds } = await import("./thresholds.ts");
  return [...readThresholds("--crit", crit, problems), ...readThresholds("--warn", warn, problems)];
}
