import { isJsonObject, type JsonObject } from "../contract/json.ts";
import type { Signer } from "../contract/resources/signer.ts";
import { type BlockLine, type ResourceView, toCell, toColumn, viewLines } from "../terminal/view.ts";

export const signerView: ResourceView<Signer> = {
  one: "signer",
  many: "signers",
  table: [
    toColumn("id", "id"),
    toColumn("type", "type"),
    { header: "key", cell: (signer) => toCell(signerKey(signer)), whole: true },
  ],
  flat: ["id", "type", "config"],
  fields: ["id", "type", "config"],
  block: (signer) => [
    ...viewLines("id", [toCell(signer.id)]),
    ...viewLines("type", [toCell(signer.type)]),
    ...viewLines("config", [{ text: configLines(signer.config).length === 0 ? "not shown" : "" }]),
    ...configLines(signer.config),
  ],
};

const IDENTIFYING_FIELDS = ["key_id", "key_name", "account_address", "public_key"];

function signerKey({ config }: Signer): string | undefined {
  if (!isJsonObject(config)) return undefined;
  const fields: JsonObject = { ...config, ...(isJsonObject(config.key) ? config.key : {}) };
  const name = IDENTIFYING_FIELDS.find((field) => typeof fields[field] === "string");
  return name === undefined ? undefined : String(fields[name]);
}

function configLines(config: Signer["config"]): BlockLine[] {
  if (!isJsonObject(config)) return [];
  return Object.entries(config).flatMap(([name, value]) =>
    isJsonObject(value)
      ? Object.entries(value).flatMap(([inner, each]) => viewLines(`${name}.${inner}`, [toCell(each)], true))
      : viewLines(name, [toCell(value)], true),
  );
}
