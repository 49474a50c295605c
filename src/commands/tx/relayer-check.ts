import type { Answer } from "../../client/answer.ts";
import type { JsonObject } from "../../contract/json.ts";
import { isNetworkKind, type NetworkKind } from "../../contract/network-kind.ts";
import type { Relayer } from "../../contract/relayer.ts";
import { relayerRules } from "../../contract/relayer-rules.ts";
import { RelayctlError } from "../../errors.ts";
import { Problems } from "../../flow/problems.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { Call } from "../command.ts";
import { ONE_OF_KIND } from "./body-kind.ts";

/** A transaction that is to be held against its relayer. */
export interface Checked {
  relayerId: string;
  kind: NetworkKind;
  body: JsonObject;
  /** Where a member was typed. */
  placeOf(path: string): string;
}

/**
 * Reads the relayer, and refuses here what it would refuse there: a body of another kind, a pause, a receiver that is not
 * on its list. Nothing was sent then.
 * @throws RelayctlError usage or conflict
 */
export async function relayerFor(call: Call, checked: Checked): Promise<Answer<Relayer>> {
  const { client, flags } = await call.session();
  const answer = await client.relayers.get(checked.relayerId);
  judgeKind(answer.data, checked);
  refuseIdle(answer.data, flags);
  const problems = new Problems();
  for (const { path, rule } of relayerRules[checked.kind](checked.body, answer.data)) {
    problems.add(checked.placeOf(path), rule);
  }
  problems.throwIfAny();
  return answer;
}

function judgeKind({ network_type: known }: Relayer, { relayerId, kind }: Checked): void {
  if (!isNetworkKind(known) || known === kind) return;
  const problems = new Problems();
  problems.add(
    "<relayer-id>",
    `is ${ONE_OF_KIND[known]} relayer, and this is ${ONE_OF_KIND[kind]} transaction`,
    relayerId,
  );
  problems.throwIfAny();
}

/** In the service's order: a pause is told before a disabling (service-facts 4.2). */
function refuseIdle({ id, paused, system_disabled: disabled }: Relayer, flags: readonly string[]): void {
  if (!paused && !disabled) return;
  throw new RelayctlError("conflict", paused ? "Relayer paused" : "Relayer disabled", {
    because: ["nothing was sent: it takes no transaction until that is over"],
    retryable: true,
    hint: paused ? commandLine(...flags, "relayers", "resume", id) : commandLine(...flags, "relayers", "status", id),
  });
}
