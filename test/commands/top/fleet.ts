import type { Source, TopState } from "../../../src/commands/top/state.ts";
import type { Relayer } from "../../../src/contract/resources/relayer.ts";
import { statusOf } from "../../../src/relayer-state/health.ts";

export const NOW = Date.parse("2026-11-21T03:12:07Z");

export function relayer(id: string, more: object = {}): Relayer {
  return {
    id,
    name: id,
    network: "mainnet",
    network_type: "evm",
    paused: false,
    system_disabled: false,
    ...more,
  } as Relayer;
}

export function source(relayers: readonly Relayer[], more: Partial<Source> = {}): Source {
  const seen = { found: relayers.map(statusOf), missing: [], body: new Uint8Array() };
  return {
    ...{ name: "prod", flags: ["-c", "prod"], isProtected: false, seen, readAt: NOW },
    ...{ hours: new Map(), jams: new Map(), fees: new Map() },
    ...more,
  };
}

export function screen(sources: readonly Source[], more: Partial<TopState> = {}): TopState {
  return {
    ...{ columns: 100, rows: 24, now: NOW, sources, sorts: [undefined, "relayer.id"], sort: 0 },
    ...{ filter: "", pages: [], events: [] },
    ...more,
  };
}
