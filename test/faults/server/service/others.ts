import { isJsonObject, type JsonObject } from "../../../../src/contract/json.ts";
import type { Dialect } from "./dialect.ts";
import { refused, saving } from "./outcome.ts";
import type { Considered } from "./service.ts";
import type { State } from "./state.ts";

/** facts 8.1: a plain signer comes back as a local one, without its key. */
export function createSigner(body: JsonObject, state: State, dialect: Dialect): Considered {
  const id = typeof body.id === "string" ? body.id : "made-by-the-service";
  if (state.signers.has(id)) return refused(id, dialect.failure(500, "An unknown error occurred"));
  const { key: _, ...config } = isJsonObject(body.config) ? body.config : {};
  const type = body.type === "plain" ? "local" : (body.type ?? "");
  return saving(state.signers, id, () => ({ id, type, config }), dialect, 201);
}

/** facts 8.2. */
export function updateNetwork(id: string, body: JsonObject, state: State, dialect: Dialect): Considered {
  const network = state.networks.get(id);
  if (!network) return refused(id, dialect.failure(404, `Network with ID '${id}' not found`));
  const urls = Array.isArray(body.rpc_urls) ? body.rpc_urls : [];
  const rpc_urls = urls.map((entry) => ({ weight: 100, ...(entry as JsonObject) }));
  return saving(state.networks, id, () => ({ ...network, rpc_urls }), dialect);
}

/** facts 8.3: the timeout is in seconds here, and an object in the response. */
export function updatePlugin(id: string, body: JsonObject, state: State, dialect: Dialect): Considered {
  const plugin = state.plugins.get(id);
  if (!plugin) return refused(id, dialect.failure(404, `Plugin with id ${id} not found`));
  const { timeout, ...rest } = body;
  const changed = { ...plugin, ...rest, ...(timeout !== undefined && { timeout: { secs: timeout, nanos: 0 } }) };
  return saving(state.plugins, id, () => changed, dialect);
}

/** What a plugin did is in the ledger. */
export function callPlugin(id: string, dialect: Dialect): Considered {
  const reply = () => dialect.success({ moved: 7 });
  return { id, apply: () => {}, reply, current: reply };
}
