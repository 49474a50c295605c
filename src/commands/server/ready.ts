import { showIfDryRun } from "../../command-support/shown.ts";
import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { serviceParts, unhealthyServiceParts } from "../../contract/service-parts.ts";
import { RelayctlError } from "../../errors.ts";
import { type BlockLine, type Tone, toCell, viewLines, viewTimeCell } from "../../terminal/view.ts";
import type { CommandFile } from "../command.ts";

export const serverReady: CommandFile = {
  summary: "Check whether the service is ready, and which part is not",
  sends: "read",
  ends: { ok: "ready", unmet: "not ready" },
  isPublic: true,
  contexts: {},
  examples: [
    "relayctl server ready",
    "relayctl server ready -o json --query components",
    "relayctl server ready --quiet --timeout 10s",
  ],
  description:
    "Check whether the service is ready for work: its queue, its storage, and its plugins. The response is printed even if the service is not ready. No token is needed. The service updates its own result about every 10 seconds.",
  async run(call) {
    const shown = await showIfDryRun(call, { operation: operations["server.ready"] });
    if (shown) return shown;
    const { client } = await call.session();
    const { data, body } = await client.server.ready();
    const failure = data.ready === true ? undefined : notReady(data);
    return { kind: "facts", lines: readyLines(data), value: data, body, failure };
  },
};

function notReady({ reason, status, components }: JsonObject): RelayctlError {
  const why = [reason, status].find((word) => typeof word === "string" && word !== "");
  return new RelayctlError("unmet", `the service is not ready${why ? `: ${why}` : ""}`, {
    because: unhealthyServiceParts(components),
  });
}

const TONES: Partial<Record<string, Tone>> = { healthy: "good", degraded: "warn", unhealthy: "bad" };

function readyLines({ ready, status, reason, components, timestamp }: JsonObject): BlockLine[] {
  return [
    ...viewLines("ready", [{ ...toCell(ready), tone: ready === true ? "good" : "bad" }]),
    ...viewLines("status", [toneState(String(status ?? "unknown"))]),
    ...(typeof reason === "string" ? viewLines("reason", [toCell(reason)]) : []),
    ...serviceParts(components).flatMap(({ name, state, error }) =>
      viewLines(name, [toneState(state), ...(error ? [toCell(error)] : [])], true),
    ),
    ...viewLines("as of", [viewTimeCell(timestamp)]),
  ];
}

function toneState(state: string) {
  const tone = TONES[state];
  return { text: state, ...(tone && { tone }) };
}
