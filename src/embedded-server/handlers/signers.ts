import { isJsonObject } from "../../contract/json.ts";
import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { listReply } from "../paging.ts";
import { malformed, Refusal, signerUnknown, stillUsed } from "../refusal.ts";

/** Lists signers. Not in the interface; facts 8.1. Their secrets are not even kept. */
export const listSigners: Handler = async ({ query, store }) =>
  store.read(({ signers }) => listReply(signers, query, (signer) => signer));

export const getSigner: Handler = async ({ ids: [id = ""], store }) =>
  store.read(({ signers }) => {
    const signer = signers.get(id);
    if (!signer) throw signerUnknown(id);
    return { data: signer };
  });

/** Refuses every update, of unknown signers too (facts 8.1). */
export const updateSigner: Handler = async ({ request }) => {
  const body = jsonBody(request);
  const [key] = isJsonObject(body) ? Object.keys(body) : [];
  if (key !== undefined) throw malformed(`Json deserialize error: unknown field \`${key}\`, there are no fields`);
  throw new Refusal(
    400,
    "Signer updates are not allowed for security reasons. Please delete the existing signer and create a new one with the desired configuration.",
  );
};

/** Deletes a signer, unless relayers use it; the message lists them by name (facts 8.1). */
export const deleteSigner: Handler = async ({ ids: [id = ""], store }) =>
  store.change(({ signers, relayers }) => {
    if (!signers.get(id)) throw signerUnknown(id);
    const users = relayers.all().filter((relayer) => relayer.signer_id === id);
    if (users.length > 0) throw stillUsed("signer", id, users);
    signers.remove(id);
    return { data: "Signer deleted successfully" };
  });
