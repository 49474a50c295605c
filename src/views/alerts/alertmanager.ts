import type { JsonObject } from "../../contract/json.ts";

export const ALERTMANAGER: JsonObject = {
  route: {
    receiver: "relayctl",
    group_by: ["alertname", "context"],
    group_wait: "30s",
    group_interval: "5m",
    repeat_interval: "4h",
    routes: [{ matchers: ['severity="critical"'], receiver: "relayctl", repeat_interval: "1h" }],
  },
  receivers: [{ name: "relayctl", webhook_configs: [{ url: "http://127.0.0.1:9095/alerts", send_resolved: true }] }],
  inhibit_rules: [
    {
      source_matchers: ['alertname="RelayctlBlind"'],
      target_matchers: ['alertname=~"Relayer.+|RelayctlPartlyBlind"'],
      equal: ["context"],
    },
    {
      source_matchers: ['alertname="RelayerStopped"'],
      target_matchers: ['alertname="RelayerJammed"'],
      equal: ["context", "relayer"],
    },
    {
      source_matchers: ['severity="critical"'],
      target_matchers: ['severity="warning"', 'alertname=~"Relayer.+"'],
      equal: ["alertname", "context", "relayer"],
    },
  ],
};
