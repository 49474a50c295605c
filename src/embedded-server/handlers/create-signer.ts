import { type JsonObject, type JsonValue, objectIn } from "../../contract/json.ts";
import { createSignerSchemas } from "../../contract/requests.ts";
import { SIGNER_TYPES, type SignerField, type SignerType, signerFields } from "../../contract/resources/signer.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { type Handler, handlerJsonBody, validForHandler } from "../handler.ts";
import { badRequest, Refusal } from "../refusal.ts";

export interface NewSigner {
  id?: string | undefined;
  type: SignerType;
  config: JsonObject;
}

/** Creates a signer, with a UUID without an ID (facts 8.1). */
export function creatingSignerBy(read: (request: WireRequest) => NewSigner): Handler {
  return async ({ request, store, random }) => {
    const { id = random.uuid(), type, config } = read(request);
    return store.change(({ signers }) => {
      if (signers.get(id)) throw new Refusal(500, "An unknown error occurred");
      const created = {
        id,
        type: type === "plain" ? "local" : type,
        config: withoutSecrets(signerFields[type], config),
      };
      signers.put(created);
      return { status: 201, data: created };
    });
  };
}

export const createSigner = creatingSignerBy((request) => {
  const body = handlerJsonBody(request);
  const type = SIGNER_TYPES.find((each) => objectIn(body).type === each);
  if (type === undefined) throw badRequest();
  return validForHandler(createSignerSchemas[type], body) as NewSigner;
});

/** Returns a config for a response: without secrets, and null for unset fields (facts 8.1). */
function withoutSecrets(fields: readonly SignerField[], config: JsonValue): JsonObject {
  const given = objectIn(config);
  const shown = fields.filter(({ secret }) => secret !== true);
  return Object.fromEntries(
    shown.map(({ name, fields: inner }) => [
      name,
      inner ? withoutSecrets(inner, given[name] ?? null) : (given[name] ?? null),
    ]),
  );
}
