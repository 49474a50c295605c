import type { JsonObject } from "../../contract/json.ts";
import type { DesiredFleet, FleetNoun } from "../desired-fleet.ts";
import type { LiveFleet } from "../live.ts";

/** Whether a relayer's reference will exist when it is needed; `impossible` if it should and can't be created. */
export type Presence = "live" | "planned" | "impossible" | "missing" | "unknown";

export class Existence {
  private readonly planned = new Map<string, JsonObject>();
  private readonly desired: ReadonlySet<string>;
  private readonly live: LiveFleet;

  constructor(desired: DesiredFleet, live: LiveFleet) {
    this.desired = new Set(desired.resources.map(({ noun, id }) => existenceKey(noun, id)));
    this.live = live;
  }

  plan(noun: FleetNoun, id: string, fields: JsonObject): void {
    this.planned.set(existenceKey(noun, id), fields);
  }

  get plannedRelayers(): JsonObject[] {
    return [...this.planned.values()].filter(({ signer_id: signer }) => signer !== undefined);
  }

  of(noun: FleetNoun, id: string): Presence {
    if (this.live.resources[noun].has(id)) return "live";
    if (this.planned.has(existenceKey(noun, id))) return "planned";
    if (!this.live.nouns.has(noun) || this.live.unavailable.includes(noun)) return "unknown";
    return this.desired.has(existenceKey(noun, id)) ? "impossible" : "missing";
  }
}

export function existenceKey(noun: FleetNoun, id: string): string {
  return `${noun}/${id}`;
}
