import type { JsonObject } from "../contract/json.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { type Proposal, proposalId, type Use } from "../proposals/proposal.ts";
import { fieldsView, type ResourceView, toColumn } from "../terminal/view.ts";

const FIELDS = ["id", "state", "context", "command", "method", "target", "user", "host", "proposed_at", "expires_at"];

export const proposalView: ResourceView = {
  ...fieldsView("proposal", [...FIELDS, "signatures", "used_at", "used_by", "approved_by"], () => undefined),
  table: [
    { ...toColumn("proposal", "id"), whole: true },
    toColumn("state", "state"),
    toColumn("context", "context"),
    toColumn("by", "user"),
    toColumn("expires", "expires_at"),
    { ...toColumn("command", "command"), isBelow: true },
  ],
};

export function proposalItem(
  proposal: Proposal,
  { signatures, used, now }: { signatures: number; used: Use | undefined; now: number },
): JsonObject {
  const { context, command, method, target, user, host, time, expires } = proposal;
  const isExpired = !(now < receivedTime(expires));
  return {
    id: proposalId(proposal),
    state: used ? "used" : isExpired ? "expired" : "open",
    ...{ context, command, method, target, user, host },
    proposed_at: time,
    expires_at: expires,
    signatures,
    used_at: used?.time ?? null,
    used_by: used?.user ?? null,
    approved_by: used ? [...used.approved] : [],
  };
}
