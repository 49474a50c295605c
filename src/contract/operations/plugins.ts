import type { Operation } from "../operation.ts";
import { anything } from "../reply/shape.ts";
import { pluginShape } from "../resources/plugin.ts";

/** facts 8.3. */
export const pluginsList = {
  id: "plugins.list",
  kind: "read",
  method: "GET",
  path: "/plugins",
  data: pluginShape,
  list: true,
  since: "1.1",
} as const satisfies Operation;

/** facts 8.3. */
export const pluginsGet = {
  id: "plugins.get",
  kind: "read",
  method: "GET",
  path: "/plugins/{plugin_id}",
  data: pluginShape,
  answers: "id",
  since: "1.4",
} as const satisfies Operation;

/** facts 8.3; `timeout` is in seconds here and an object in the response. */
export const pluginsUpdate = {
  id: "plugins.update",
  kind: "patch",
  method: "PATCH",
  path: "/plugins/{plugin_id}",
  data: pluginShape,
  answers: "id",
  since: "1.4",
} as const satisfies Operation;

/** facts 8.3: the plugin determines the effects and the result. */
export const pluginsCall = {
  id: "plugins.call",
  kind: "once",
  method: "POST",
  path: "/plugins/{plugin_id}/call",
  data: anything,
  bare: true,
  ownFailures: true,
} as const satisfies Operation;

/** facts 8.3: the same, with a route for the plugin. */
export const pluginsCallRoute = {
  id: "plugins.call-route",
  kind: "once",
  method: "POST",
  path: "/plugins/{plugin_id}/call/{route...}",
  data: anything,
  bare: true,
  ownFailures: true,
  since: "1.4",
} as const satisfies Operation;

/** facts 8.3: the plugin determines whether GET is allowed. */
export const pluginsCallGet = {
  id: "plugins.call-get",
  kind: "once",
  method: "GET",
  path: "/plugins/{plugin_id}/call",
  data: anything,
  bare: true,
  ownFailures: true,
  since: "1.4",
} as const satisfies Operation;

/** facts 8.3. */
export const pluginsCallGetRoute = {
  id: "plugins.call-get-route",
  kind: "once",
  method: "GET",
  path: "/plugins/{plugin_id}/call/{route...}",
  data: anything,
  bare: true,
  ownFailures: true,
  since: "1.4",
} as const satisfies Operation;
