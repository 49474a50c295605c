import type { Resource } from "../state/collection.ts";

const OFF = { emit_logs: false, emit_traces: false, raw_response: false, allow_get_invocation: false };

/** The plugins of the demo seed: a working plugin, a plugin that refuses small amounts, and a slow plugin. */
export const demoPlugins: readonly Resource[] = [
  seedPlugin("rebalance", 300, { emit_logs: true, allow_get_invocation: true, config: { network: "base" } }),
  seedPlugin("report", 1, {}),
  seedPlugin("sweep", 300, { emit_logs: true, emit_traces: true }),
];

function seedPlugin(id: string, secs: number, { config = null, ...switches }: Partial<Resource>): Resource {
  const timeout = { secs, nanos: 0 };
  return { id, path: `plugins/${id}/index.ts`, timeout, ...OFF, ...switches, config, forward_logs: false };
}

/** The demo seed's signers: one per relayer, and two unused ones. None contains a secret. */
export const demoSigners: readonly Resource[] = [
  localSigner("old-key"),
  localSigner("signer-1"),
  localSigner("signer-2"),
  {
    id: "signer-base",
    type: "vault",
    config: { key_name: "base-hot", address: "https://vault.example.org", namespace: null, mount_point: "secret" },
  },
  {
    id: "signer-bulk",
    type: "aws_kms",
    config: { region: "eu-central-1", key_id: "0f1e2d3c-4b5a-4697-8877-665544332211" },
  },
  localSigner("signer-sol"),
  localSigner("signer-test"),
  {
    id: "signer-xlm",
    type: "turnkey",
    config: {
      api_public_key: "02a7c1d3",
      organization_id: "demo-organization",
      private_key_id: "xlm-treasury",
      public_key: "03b8d2e4",
    },
  },
  localSigner("signer-xlm-test"),
  {
    id: "treasury-kms",
    type: "aws_kms",
    config: { region: "eu-west-1", key_id: "1234abcd-12ab-34cd-56ef-1234567890ab" },
  },
];

/** A signer with a key in the service's storage, which is never returned (facts 8.1). */
function localSigner(id: string): Resource {
  return { id, type: "local", config: {} };
}
