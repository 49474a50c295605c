import type { Resource } from "../state/collection.ts";

/** The notifications of the demo seed; two of them sign their webhooks. */
export const demoNotifications: readonly Resource[] = [
  {
    id: "audit-log",
    type: "webhook",
    url: "https://audit.example.org/relayer-events",
  },
  {
    id: "ops-hook",
    type: "webhook",
    url: "https://hooks.example.org/relayers/ops",
    signing_key: "demo-signing-key-of-the-ops-hook-0001",
  },
  {
    id: "treasury-hook",
    type: "webhook",
    url: "https://hooks.example.org/relayers/treasury",
    signing_key: "demo-signing-key-of-the-treasury-0001",
  },
];
