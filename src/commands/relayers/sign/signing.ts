import type { ApiResult } from "../../../client/api-result.ts";
import type { Client } from "../../../client/client.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { operations } from "../../../contract/operations.ts";
import type { ResourceView, View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";
import { getView } from "../../get-view.ts";

/** Validated data for a relayer to sign. */
export interface Signing {
  /** The relayer's ID. */
  id: string;
  body: JsonObject;
}

/** How one kind of data is signed. */
export interface SigningKind {
  operation: "relayers.sign" | "relayers.sign-typed-data" | "relayers.sign-transaction";
  resource: ResourceView;
  /** The field that `-o name` prints. */
  name: string;
  sign(client: Client, id: string, body: JsonObject): Promise<ApiResult>;
}

/** Signs. Nothing is sent to a chain, so it is a read without a prompt (promises 7.1). */
export async function signedView(call: Call, { id, body }: Signing, kind: SigningKind): Promise<View> {
  return await getView(call, {
    resource: kind.resource,
    request: { operation: operations[kind.operation], parameters: { relayer_id: id }, body },
    get: (client) => kind.sign(client, id, body),
    nameOf: (signed) => textOf(signed[kind.name]),
  });
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
