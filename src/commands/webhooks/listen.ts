import type { Problems } from "../../contract/problems.ts";
import { webhookEventView } from "../../views/delivery.ts";
import type { Call, CommandFile } from "../command.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { type ListenFlags, type ListenSettings, listenSettings } from "./listen/settings.ts";
import { defineKeyFlags } from "./signing-keys.ts";

/** `relayctl webhooks listen`: receives deliveries of webhooks (facts 7). */
export const webhooksListen: CommandFile<ListenFlags, ListenSettings | undefined> = {
  summary: "Receive webhook deliveries, and print their meaning",
  sends: "nothing",
  takes: ["context", "server", "tokenFile", "caFile", "allowHttp", "deadline"],
  refuses: { query: "needs a whole result, and events have no end; use --where" },
  ends: { ok: "stopped, or every expected event received", pending: "expected event not received in time" },
  paginates: true,
  examples: [
    "relayctl webhooks listen --port 8787 --signing-key-file signing.key --forward http://localhost:3000/hooks",
    "relayctl webhooks listen --signing-key-file new.key --signing-key-file old.key --record deliveries.ndjson",
    "relayctl webhooks listen --port 8787 --expect status=confirmed --deadline 2m -o ndjson",
  ],
  resource: webhookEventView,
  define,
  prepare,
  run: async (call, settings) => (await import("./listen/run-listen.ts")).runListen(call, settings),
};

function define(command: CommandSyntax): void {
  const described = command
    .description(
      "Receive webhook deliveries on this machine until Ctrl-C, and print one line for each event, in order of arrival, with its meaning. Repeats of an event are dropped; an event is late if a newer one of the same transaction or relayer came before it. With a signing key, a delivery without a valid signature is refused with 401, and neither printed nor forwarded.",
    )
    .optionsGroup("Receiver")
    .option("--port <n>", "Port to listen on (default: 0, any free port)")
    .option("--public", "Listen on all interfaces, not only on this machine");
  defineKeyFlags(described)
    .option("--tolerance <time>", "Refuse events that are older, or further in the future, e.g. 5m (default: any age)")
    .optionsGroup("Events")
    .option(
      "--where <condition>",
      "Print only matching events, e.g. status=failed, relayer_id=eth-main-1 (repeatable; all must match)",
      "values",
    )
    .option(
      "--expect <condition>",
      "Stop once an event matches, e.g. status=confirmed (repeatable: each needs an event); exit code 15 at --deadline",
      "values",
    )
    .option("--limit <n>", "Stop after printing this many events")
    .optionsGroup("Deliveries")
    .option("--forward <url>", "Forward each delivery unchanged, and respond with the status of the target")
    .option("--record <file>", "Add each delivery to a private file, byte for byte, for `relayctl webhooks replay`")
    .option("--respond <status>", "Respond with this status, e.g. 500 to see retries (default: 200)")
    .option("--delay <time>", "Wait before each response, e.g. 5s");
}

async function prepare(call: Call<ListenFlags>, problems: Problems): Promise<ListenSettings | undefined> {
  return await listenSettings(call, problems);
}
