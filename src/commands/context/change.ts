import type { Context } from "../../config/config.ts";
import { shownServer } from "../../config/connection/origin.ts";
import { changedLimits, type LimitChange } from "../../limits/limit-change.ts";
import { changedNodes, type NodeChange } from "./node-flags.ts";

/** The change of a context. Absent keeps a field, null removes it. */
export interface ContextChange {
  server?: string;
  tokenCommand?: string[] | null;
  protected?: boolean;
  caFile?: string | null;
  allowHttp?: boolean;
  nodes?: NodeChange;
  requireReason?: boolean;
  requireJournal?: boolean;
  limits?: LimitChange;
}

/** Returns a context with a change applied. Trust in one server does not carry over to another. */
export function changedContext(before: Context, change: ContextChange): Context {
  const moves = change.server !== undefined && change.server !== shownServer(before.server);
  const { server, token, allow_http, token_command, ca_file, nodes: stored, ...others } = before;
  const {
    journal: _journal,
    require_reason: _reason,
    max_value: _value,
    max_per_day: _day,
    allow_to: _to,
    ...rest
  } = others;
  const command = change.tokenCommand === undefined ? token_command : change.tokenCommand;
  const caFile = change.caFile === undefined ? ca_file : change.caFile;
  const nodes = changedNodes(stored, change.nodes);
  const allowHttp = change.allowHttp ?? (moves ? undefined : allow_http);
  return {
    ...rest,
    server: change.server ?? server,
    ...(token !== undefined && !moves && !change.tokenCommand && { token }),
    ...(command && { token_command: command }),
    ...(change.protected !== undefined && { protected: change.protected }),
    ...(caFile && { ca_file: caFile }),
    ...(allowHttp !== undefined && { allow_http: allowHttp }),
    ...changedRules(before, change),
    ...changedLimits(before, change.limits),
    ...(nodes && { nodes }),
  };
}

/** Returns the rules for writes, without those that do not apply. */
function changedRules(
  { journal, require_reason: reason }: Context,
  { requireJournal = journal === "required", requireReason = reason }: ContextChange,
): Pick<Context, "journal" | "require_reason"> {
  return { ...(requireJournal && { journal: "required" }), ...(requireReason && { require_reason: true }) };
}
