import { isJsonObject } from "../../contract/json.ts";
import { jsonRpcErrorOf } from "../../contract/json-rpc.ts";
import { operations } from "../../contract/operations.ts";
import type { WireReply } from "../../contract/wire.ts";
import { LINGER } from "../../timing.ts";
import type { ClientContext } from "../client-context.ts";
import { wireRequest } from "../request.ts";
import type { Confirmation } from "../transport/transport.ts";
import { memoryBudgetFor } from "./memory-budget.ts";
import { type Outcome, outcomeOfReply } from "./outcome.ts";

/** A read whose response cannot be mistaken for a write's: the shortest possible list. */
const QUESTION = { operation: operations["relayers.list"], query: { page: "1", per_page: "1" } };

/** Returns how the refusal of a write over this connection is confirmed. */
export function confirmationOver(
  clientContext: ClientContext,
  classify: (response: WireReply) => Outcome,
): Confirmation {
  const { clock, throttle, heapLimit } = clientContext;
  return {
    isNeeded: (response) => saysNothingApplied(classify(response)),
    linger: (signal) => clock.sleep(LINGER, signal),
    // This read skips the throttle: the service may close an idle connection before a rate-limited turn comes.
    question: () => wireRequest(QUESTION, clientContext),
    isResponse(response) {
      const { values } = memoryBudgetFor(response.body.length, heapLimit);
      const { fault } = outcomeOfReply(QUESTION.operation, response, values);
      if (fault !== "limited") throttle.passed();
      return fault === "none" || fault === "refused" || fault === "limited";
    },
  };
}

function saysNothingApplied(outcome: Outcome): boolean {
  if (outcome.fault !== "none") return outcome.fault === "refused" || outcome.fault === "limited";
  return isJsonObject(outcome.data) && jsonRpcErrorOf(outcome.data) !== undefined;
}
