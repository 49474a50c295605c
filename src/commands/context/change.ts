import type { Call } from "../../command-support/call.ts";
import { askConsent, type ConsentQuestion } from "../../command-support/consent/consent.ts";
import type { Context } from "../../config/config.ts";
import { shownServer } from "../../config/connection/origin.ts";
import { RelayctlError } from "../../errors.ts";
import { changedNodes, type NodeChange } from "./node-flags.ts";

/** The change of a context. Absent keeps a field, null removes it. */
export interface ContextChange {
  /** An origin. */
  server?: string;
  tokenCommand?: string[] | null;
  protected?: boolean;
  caFile?: string | null;
  allowHttp?: boolean;
  nodes?: NodeChange;
}

/** Returns a context with a change applied. Trust in one server does not carry over to another. */
export function changedContext(before: Context, change: ContextChange): Context {
  const moves = change.server !== undefined && change.server !== shownServer(before.server);
  const { server, token, allow_http, token_command, ca_file, nodes: stored, ...rest } = before;
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
    ...(nodes && { nodes }),
  };
}

/**
 * Prompts before a change that leaves a protected context's server unguarded, as before its deletion: the protection
 * ends, or the context moves to another server.
 * @returns a function that refuses the change if, when it is written, it needs consent that was not requested
 * @throws RelayctlError declined
 */
export async function agreeToWeaken(
  call: Call,
  name: string,
  before: Context | undefined,
  after: Context,
): Promise<(before: Context | undefined, after: Context) => void> {
  const fallback = weakening(name, before, after);
  if (fallback) await askConsent(call, fallback);
  return (now, then) => {
    const needed = weakening(name, now, then)?.question;
    if (needed === undefined || needed === fallback?.question) return;
    throw new RelayctlError("conflict", `context ${name} was changed by another program; nothing was changed`);
  };
}

function weakening(name: string, before: Context | undefined, after: Context): ConsentQuestion | undefined {
  if (!before?.protected) return undefined;
  const [from, to] = [shownServer(before.server), shownServer(after.server)];
  if (!after.protected)
    return {
      question: `Remove the protection of context ${name} (${from})?`,
      act: "removing a protection",
      sort: "yes",
    };
  if (from === to) return undefined;
  const question = `Move protected context ${name} from ${from} to ${to} and forget its token?`;
  return { question, act: "moving a protected context", sort: "yes" };
}
