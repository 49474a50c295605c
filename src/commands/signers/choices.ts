import type { Signer } from "../../contract/signer.ts";
import type { Call } from "../../flow/call.ts";
import type { Choice } from "../../terminal/prompts.ts";
import { choiceRows } from "../choice-rows.ts";
import { listed } from "../listed.ts";

/** Every signer, with its type. */
export async function signerChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const signers = await listed<Signer>(client.signers.list());
  return choiceRows(signers.map(({ id, type }) => ({ value: id, about: [type] })));
}
