import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Signer } from "../../contract/resources/signer.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { sendCreation } from "../send-creation.ts";
import { signerView } from "./view.ts";

export async function createSigner(call: Call, body: JsonObject): Promise<View> {
  return await sendCreation<Signer>(call, {
    noun: "signer",
    get: (client, id) => client.signers.get(id),
    operation: operations["signers.create"],
    resource: signerView,
    body,
    create: (client) => client.signers.create(body),
  });
}
