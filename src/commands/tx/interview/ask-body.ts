import { isNetworkKind, NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Call } from "../../command.ts";
import type { BodyFlags, TypedBody } from "../body/body-flags.ts";
import { kindsOf } from "../body/body-kind.ts";
import { isNamedCall } from "../call/call-flags.ts";
import { type BodyPrompts, createBodyPrompts, type Known } from "./body-prompts.ts";
import { askEvm } from "./evm.ts";
import { askSolana } from "./solana.ts";
import { askStellar } from "./stellar.ts";

const PROMPTS: Record<NetworkKind, (bodyPrompts: BodyPrompts) => Promise<void>> = {
  evm: askEvm,
  solana: askSolana,
  stellar: askStellar,
};

/** Prompts for the body by its kind of network. */
export async function askBody(call: Call<BodyFlags>, known: Known): Promise<void> {
  await PROMPTS[known.kind](createBodyPrompts(call, await call.app.prompts(), known));
}

/** Returns the call after prompts for what is missing of a call by name. */
export async function withCallEntered(call: Call<BodyFlags>): Promise<Call<BodyFlags>> {
  if (!isNamedCall(call.flags)) return call;
  const { askCall } = await import("../call/ask-call.ts");
  return { ...call, flags: await askCall(call) };
}

export function typedKinds({ flags }: Call<BodyFlags>, { named }: TypedBody): NetworkKind[] {
  const { kind } = flags;
  return [...new Set([...(isNetworkKind(kind) ? [kind] : []), ...kindsOf(named)])];
}

/** Returns the kind of the relayer's network, or prompts for it if it is unknown. */
export async function askKind(call: Call, relayer: Relayer | undefined): Promise<NetworkKind> {
  const known = relayer?.network_type;
  if (isNetworkKind(known)) return known;
  const prompts = await call.app.prompts();
  const kind = await prompts.select(
    "Kind of network:",
    NETWORK_KINDS.map((kind) => ({ value: kind, name: kind })),
  );
  call.entered.add(["--kind", kind]);
  return kind;
}
