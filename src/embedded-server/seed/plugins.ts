import type { Resource } from "../state/collection.ts";

const OFF = { emit_logs: false, emit_traces: false, raw_response: false, allow_get_invocation: false };

/** The plugins of the demo seed: one that works, one that refuses small amounts, and one that is too slow. */
export const demoPlugins: readonly Resource[] = [
  plugin("rebalance", 300, { emit_logs: true, allow_get_invocation: true, config: { network: "base" } }),
  plugin("report", 1, {}),
  plugin("sweep", 300, { emit_logs: true, emit_traces: true }),
];

function plugin(id: string, secs: number, { config = null, ...switches }: Partial<Resource>): Resource {
  const timeout = { secs, nanos: 0 };
  return { id, path: `plugins/${id}/index.ts`, timeout, ...OFF, ...switches, config, forward_logs: false };
}
