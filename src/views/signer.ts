import { isJsonObject, type JsonObject } from "../contract/json.ts";
import type { Signer } from "../contract/resources/signer.ts";
import { type BlockLine, cell, column, type ResourceView, viewLines } from "../terminal/view.ts";

export const signerView: ResourceView<Signer> = {
  one: "signer",
  many: "signers",
  table: [
    column("id", "id"),
    column("type", "type"),
    { header: "key", cell: (signer) => cell(getKey(signer)), whole: true },
  ],
  flat: ["id", "type", "config"],
  fields: ["id", "type", "config"],
  block: (signer) => [
    ...viewLines("id", [cell(signer.id)]),
    ...viewLines("type", [cell(signer.type)]),
    ...viewLines("config", [{ text: configLines(signer.config).length === 0 ? "not shown" : "" }]),
    ...configLines(signer.config),
  ],
};

const IDENTIFYING_FIELDS = ["key_id", "key_name", "account_address", "public_key"];

function getKey({ config }: Signer): string | undefined {
  if (!isJsonObject(config)) return undefined;
  const fields: JsonObject = { ...config, ...(isJsonObject(config.key) ? config.key : {}) };
  const name = IDENTIFYING_FIELDS.find((field) => typeof fields[field] === "string");
  return name === undefined ? undefined : String(fields[name]);
}

function configLines(config: Signer["config"]): BlockLine[] {
  if (!isJsonObject(config)) return [];
  return Object.entries(config).flatMap(([name, value]) =>
    isJsonObject(value)
      ? Object.entries(value).flatMap(([inner, each]) => viewLines(`${name}.${inner}`, [cell(each)], true))
      : viewLines(name, [cell(value)], true),
  );
}
