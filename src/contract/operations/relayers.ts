import type { Operation } from "../operation.ts";
import { relayerSchema, updateRelayerSchema } from "../relayer.ts";

/** interface.md, List relayers. */
export const relayersList = {
  id: "relayers.list",
  kind: "read",
  method: "GET",
  path: "/relayers",
  data: relayerSchema,
  list: true,
} as const satisfies Operation;

/** Not in interface.md; service-facts 3.0, since v1.0. */
export const relayersGet = {
  id: "relayers.get",
  kind: "read",
  method: "GET",
  path: "/relayers/{relayer_id}",
  data: relayerSchema,
  answers: "id",
} as const satisfies Operation;

/** interface.md, Update a relayer. A merge patch (service-facts 4.5). */
export const relayersUpdate = {
  id: "relayers.update",
  kind: "patch",
  method: "PATCH",
  path: "/relayers/{relayer_id}",
  request: updateRelayerSchema,
  data: relayerSchema,
  answers: "id",
} as const satisfies Operation;
