import { webhookEventView } from "../../views/delivery.ts";
import { createCommand } from "../command.ts";
import { defineListenFlags, listenSettings } from "./listen/settings.ts";

export const webhooksListen = createCommand({
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
  description:
    "Receive webhook deliveries on this machine until Ctrl-C, and print one line for each event, in order of arrival, with its meaning. Repeats of an event are dropped; an event is late if a newer one of the same transaction or relayer came before it. With a signing key, a delivery without a valid signature is refused with 401, and neither printed nor forwarded. Without --public, /metrics has the time of each relayer's last event, for Prometheus.",
  define: defineListenFlags,
  prepare: listenSettings,
  run: async (call, settings) => (await import("./listen/run-listen.ts")).runListen(call, settings),
});
