import type { Operation } from "../operation.ts";
import { networkShape } from "../resources/network.ts";

/** facts 8.2. */
export const networksList = {
  id: "networks.list",
  kind: "read",
  method: "GET",
  path: "/networks",
  data: networkShape,
  list: true,
  since: "1.4",
} as const satisfies Operation;

/** facts 8.2: RPC URLs come unmasked. */
export const networksGet = {
  id: "networks.get",
  kind: "read",
  method: "GET",
  path: "/networks/{network_id}",
  data: networkShape,
  answers: "id",
  since: "1.4",
} as const satisfies Operation;

/** facts 8.2: `rpc_urls` only. */
export const networksUpdate = {
  id: "networks.update",
  kind: "patch",
  method: "PATCH",
  path: "/networks/{network_id}",
  data: networkShape,
  answers: "id",
  since: "1.4",
} as const satisfies Operation;
