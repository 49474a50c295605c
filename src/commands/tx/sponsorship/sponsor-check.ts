import { Problems } from "../../../command-support/problems.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { type SponsoredVerb, sponsorProblem } from "../../../contract/relayer-rules.ts";
import type { SponsoredKind } from "../../../contract/requests.ts";
import type { Call } from "../../command.ts";
import { refuseIdle } from "../relayer-check.ts";

/** A transaction whose fee is paid in a token, judged. */
export interface Sponsored {
  relayerId: string;
  /** Absent where it was not clear; then nothing is sent. */
  kind: SponsoredKind | undefined;
  body: JsonObject;
}

/**
 * Reads the relayer and rejects what the service would: a network of another kind, a pause, and a fee that its users
 * cannot pay (facts 3.5).
 * @throws RelayctlError usage or conflict
 */
export async function refuseBySponsor(call: Call, { relayerId, kind }: Sponsored, verb: SponsoredVerb): Promise<void> {
  const { client, flags } = await call.session();
  const { data: relayer } = await client.relayers.get(relayerId);
  const problem = kind && sponsorProblem(relayer, kind, verb);
  const problems = new Problems();
  if (problem) problems.add("<relayer-id>", problem, relayerId);
  problems.throwIfAny(commandLine(...flags, "relayers", "get", relayerId));
  refuseIdle(relayer, flags);
}
