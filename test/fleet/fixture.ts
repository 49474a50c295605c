import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { memorySources } from "./fleet-files.ts";

const FOLDER = "config";
const FILES = ["config.json", "networks/evm.json", "networks/others.json", "networks/README.md"];

/** The variables of the fixture's file, except the keystore's, which only the service needs. */
export const FIXTURE_ENV: Readonly<Record<string, string>> = {
  WEBHOOK_SIGNING_KEY: "webhook-signing-key-of-40-characters-0000",
  AZURE_TENANT_ID: "tenant-1",
  AZURE_CLIENT_SECRET: "azure-client-secret",
  TURNKEY_API_PRIVATE_KEY: "turnkey-api-private-key",
  VAULT_ROLE_ID: "vault-role-id",
  VAULT_SECRET_ID: "vault-secret-id",
  GOOGLE_PRIVATE_KEY_ID: "google-private-key-id",
  GOOGLE_PRIVATE_KEY: "-----BEGIN PRIVATE KEY-----",
  GOOGLE_CLIENT_EMAIL: "signer@example.com",
};

/** Returns the files of a service with every shape of facts 14, in `config/config.json` and `config/networks`. */
export function fixtureFiles(): Record<string, string> {
  return Object.fromEntries(
    FILES.map((name) => {
      const path = fileURLToPath(new URL(`../fixtures/fleet/config/${name}`, import.meta.url));
      return [`${FOLDER}/${name}`, readFileSync(path, "utf8")];
    }),
  );
}

export function fixtureSources(more: Record<string, string> = {}) {
  return memorySources({ ...fixtureFiles(), ...more }, FIXTURE_ENV);
}
