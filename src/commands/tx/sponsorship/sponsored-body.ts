import type { NetworkKind } from "../../../contract/network-kind.ts";
import { Problems } from "../../../contract/problems.ts";
import { type SponsoredVerb, sponsorProblem } from "../../../contract/relayer-rules.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { type SponsoredKind, sponsoredSchemas } from "../../../contract/requests.ts";
import { bodyKind } from "../../../contract/transaction/body-kind.ts";
import { refuseDisabledOrPaused } from "../../../relayer-state/disabled.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";
import type { TypedBody } from "../body/body-flags.ts";

const REQUIRED = { solana: "fee_token", stellar: "fee_token" };

/** Validates the body of a quote or build (facts 3.5). @returns its network type without problems */
export function validateSponsoredBody(
  problems: Problems,
  { body, named, sourceOf }: TypedBody,
  asked: NetworkKind | undefined,
  verb: string,
): SponsoredKind | undefined {
  const needs = "needs --transaction (Solana), or --transaction-xdr or --operations (Stellar)";
  const kind = bodyKind(problems, named, asked === "evm" ? undefined : asked, {
    command: `tx ${verb}`,
    noun: verb,
    needs,
    required: REQUIRED,
  });
  if (kind === "evm") problems.add(`tx ${verb}`, "Gas abstraction not supported for EVM relayers");
  if (!kind || kind === "evm") return undefined;
  validateBody(problems, sponsoredSchemas[kind], body, sourceOf);
  return kind;
}

/** Refuses a wrong kind of network, a pause, or an unpayable fee (facts 3.5). @throws RelayctlError usage; conflict */
export async function refuseSponsoredBody(
  call: Call,
  { relayerId, kind }: { relayerId: string; kind: SponsoredKind | undefined },
  verb: SponsoredVerb,
): Promise<void> {
  const { client, flags } = await call.session();
  const { data: relayer } = await client.relayers.get(relayerId);
  const problem = kind && sponsorProblem(relayer, kind, verb);
  const problems = new Problems();
  if (problem) problems.add("<relayer-id>", problem, relayerId);
  problems.throwIfAny(commandLine(...flags, "relayers", "get", relayerId));
  refuseDisabledOrPaused(relayer, flags);
}
