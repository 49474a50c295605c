import type { JsonObject } from "../../../src/contract/json.ts";
import { CANARY_KEY } from "../../helpers/scan.ts";
import { realDialect } from "../server/service/dialect.ts";
import { createService, type Service } from "../server/service/service.ts";

/** One write that an apply of the file sends, in its order. */
export interface ExpectedWrite {
  key: string;
  method: "POST" | "PATCH";
  path: string;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const url = (id: string) => `https://hooks.example.org/${id}`;
const rpc = (id: string, key: string) => [{ url: `https://rpc.example.org/${id}/${key}`, weight: 100 }];

const NEW_HOOKS = numbers(3).map((number) => `hook-new-${number}`);
const HOOKS = numbers(4).map((number) => `hook-${number}`);
const NEW_SIGNERS = numbers(4).map((number) => `signer-new-${number}`);
const SIGNERS = numbers(7).map((number) => `signer-${number}`);
const NETWORKS = numbers(4).map((number) => `net-${number}`);
const PLUGINS = numbers(4).map((number) => `plugin-${number}`);
const NEW_RELAYERS = numbers(4).map((number) => `relayer-new-${number}`);
const RELAYERS = numbers(7).map((number) => `relayer-${number}`);

function signer(id: string): JsonObject {
  return { id, type: "aws_kms", config: { region: "eu-west-1", key_id: id } };
}

/** A relayer of a file; each has its signer, and a new relayer has a new signer. */
function relayer(id: string, more: JsonObject): JsonObject {
  const signer_id = id.replace("relayer", "signer");
  return { id, name: id, network: "net-1", network_type: "evm", paused: false, signer_id, ...more };
}

/** A file that differs from the service in thirty resources: each noun, created and updated. */
export const THIRTY_CHANGES = JSON.stringify({
  notifications: [
    ...NEW_HOOKS.map((id) => ({ id, type: "webhook", url: url(id) })),
    ...HOOKS.map((id) => ({
      ...{ id, type: "webhook", url: url(`${id}-changed`) },
      ...(id === "hook-1" && { signing_key: { type: "plain", value: CANARY_KEY } }),
    })),
  ],
  signers: [...NEW_SIGNERS, ...SIGNERS].map(signer),
  networks: NETWORKS.map((network) => ({ type: "evm", network, rpc_urls: rpc(network, "key-after-0000001") })),
  plugins: PLUGINS.map((id) => ({ id, path: `${id}.ts`, timeout: 30 })),
  relayers: [
    ...NEW_RELAYERS.map((id) => relayer(id, { notification_id: id.replace("relayer", "hook").replace("4", "3") })),
    ...RELAYERS.map((id, index) => relayer(id, { policies: { gas_price_cap: 80_000_000_000 + index } })),
  ],
});

/** The writes of the file, in the order in which they are sent with `--concurrency 1`. */
export const EXPECTED_WRITES: readonly ExpectedWrite[] = [
  ...HOOKS.map((id) => patch("notifications", id)),
  ...NEW_HOOKS.map((id) => post("notifications", id)),
  ...NEW_SIGNERS.map((id) => post("signers", id)),
  ...NETWORKS.map((name) => patch("networks", `evm:${name}`)),
  ...PLUGINS.map((id) => patch("plugins", id)),
  ...RELAYERS.map((id) => patch("relayers", id)),
  ...NEW_RELAYERS.map((id) => post("relayers", id)),
];

function post(noun: string, id: string): ExpectedWrite {
  return { key: `${noun}/${id}`, method: "POST", path: `/api/v1/${noun}` };
}

function patch(noun: string, id: string): ExpectedWrite {
  return { key: `${noun}/${id}`, method: "PATCH", path: `/api/v1/${noun}/${encodeURIComponent(id)}` };
}

export function serviceBefore(): Service {
  const service = createService({ dialect: realDialect, routes: true });
  const { state } = service;
  for (const things of [state.notifications, state.signers, state.networks, state.plugins, state.relayers])
    things.clear();
  for (const id of HOOKS) state.notifications.set(id, { id, type: "webhook", url: url(id), has_signing_key: false });
  for (const id of SIGNERS) state.signers.set(id, signer(id));
  for (const name of NETWORKS) {
    const id = `evm:${name}`;
    state.networks.set(id, { id, name, network_type: "evm", rpc_urls: rpc(name, "key-before-000001") });
  }
  for (const id of PLUGINS) {
    const timeout = { secs: 300, nanos: 0 };
    state.plugins.set(id, { id, path: `${id}.ts`, timeout, emit_logs: false, emit_traces: false, raw_response: false });
  }
  for (const id of RELAYERS)
    state.relayers.set(id, { ...relayer(id, { policies: { gas_price_cap: 1 } }), system_disabled: false });
  return service;
}
