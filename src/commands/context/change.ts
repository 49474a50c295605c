import type { Context } from "../../config/config.ts";
import type { ClientCertificateFiles } from "../../config/connection/client-certificate.ts";
import { shownServer } from "../../config/connection/origin.ts";
import { changedLimits, type LimitChange } from "../../limits/limit-change.ts";
import { type ApproverChange, changedApprovers } from "./approver-flags.ts";
import { changedErc20, type Erc20Change } from "./erc20-change.ts";
import { changedHeaders, type HeaderChange } from "./header-flags.ts";
import { changedNodes, type NodeChange } from "./node-flags.ts";

/** The change of a context. Absent keeps a field, null removes it. */
export interface ContextChange {
  server?: string;
  tokenCommand?: string[] | null;
  /** Further headers by their names; null removes one. */
  headers?: HeaderChange;
  headerCommand?: string[] | null;
  protected?: boolean;
  caFile?: string | null;
  certificate?: ClientCertificateFiles | null;
  allowHttp?: boolean;
  nodes?: NodeChange;
  requireReason?: boolean;
  requireJournal?: boolean;
  readOnly?: boolean;
  approvers?: ApproverChange;
  limits?: LimitChange;
  erc20?: Erc20Change;
}

/** Returns a context with a change applied. Trust in one server does not carry over to another. */
export function changedContext(before: Context, change: ContextChange): Context {
  const moves = change.server !== undefined && change.server !== shownServer(before.server);
  const {
    server,
    token,
    allow_http,
    token_command,
    ca_file,
    nodes: stored,
    erc20,
    headers: _headers,
    ...kept
  } = before;
  const { cert, key, key_passphrase_file, ...others } = kept;
  const {
    journal: _journal,
    require_reason: _reason,
    read_only: _readOnly,
    approvers: _approvers,
    max_value: _value,
    max_per_day: _day,
    allow_to: _to,
    header_command: _command,
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
    ...changedSources(before, change, moves),
    ...(change.protected !== undefined && { protected: change.protected }),
    ...(caFile && { ca_file: caFile }),
    ...changedCertificate(moves ? {} : { cert, key, key_passphrase_file }, change.certificate),
    ...(allowHttp !== undefined && { allow_http: allowHttp }),
    ...changedRules(before, change),
    ...changedApprovers(before, change.approvers),
    ...changedLimits(before, change.limits),
    ...(nodes && { nodes }),
    ...changedErc20(erc20, change.erc20),
  };
}

function changedSources(
  { headers: before, header_command, token_command }: Context,
  { headers: change, headerCommand = header_command, tokenCommand = token_command }: ContextChange,
  moves: boolean,
): Pick<Context, "headers" | "header_command"> {
  const isPrinted = tokenCommand !== undefined && tokenCommand === token_command;
  const headers = changedHeaders(moves ? {} : before, change, isPrinted);
  return { ...(headers && { headers }), ...(headerCommand && { header_command: headerCommand }) };
}

type StoredCertificate = Pick<Context, "cert" | "key" | "key_passphrase_file">;

function changedCertificate(
  before: { [name in keyof StoredCertificate]: string | undefined },
  change: ClientCertificateFiles | null | undefined,
): StoredCertificate {
  const { cert, key, passphraseFile } =
    change === undefined ? { ...before, passphraseFile: before.key_passphrase_file } : (change ?? {});
  return { ...(cert && { cert }), ...(key && { key }), ...(passphraseFile && { key_passphrase_file: passphraseFile }) };
}

function changedRules(
  { journal, require_reason: reason, read_only: before }: Context,
  { requireJournal = journal === "required", requireReason = reason, readOnly = before }: ContextChange,
): Pick<Context, "journal" | "require_reason" | "read_only"> {
  return {
    ...(requireJournal && { journal: "required" }),
    ...(requireReason && { require_reason: true }),
    ...(readOnly && { read_only: true }),
  };
}
