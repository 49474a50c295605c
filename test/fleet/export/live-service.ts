import type { Transport } from "../../../src/client/transport/transport.ts";
import type { FleetNoun } from "../../../src/fleet/desired-fleet.ts";
import type { LiveFleet } from "../../../src/fleet/live.ts";
import { refusal, wholeList } from "../../helpers/service/reply.ts";

export function serviceOf({ resources, unavailable }: LiveFleet): Transport {
  return async ({ method, target }) => {
    const noun = /^\/api\/v1\/(\w+)\?/.exec(target)?.[1] as FleetNoun | undefined;
    const items = noun && !unavailable.includes(noun) ? resources[noun] : undefined;
    return method === "GET" && items ? wholeList([...items.values()]) : refusal(404, "Not found");
  };
}
