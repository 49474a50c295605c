import type { CommandGroup } from "../command.ts";

export const server: CommandGroup = {
  health: async () => (await import("./health.ts")).serverHealth,
  ready: async () => (await import("./ready.ts")).serverReady,
  metrics: async () => (await import("./metrics.ts")).serverMetrics,
};
