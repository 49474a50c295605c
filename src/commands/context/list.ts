import { storedList } from "../../command-support/printing.ts";
import type { Approvers, Context } from "../../config/config.ts";
import { shownOrigin } from "../../config/connection/origin.ts";
import { approverNames } from "../../proposals/approvers.ts";
import { type ResourceView, toColumn, viewPlainFields } from "../../terminal/view.ts";
import type { CommandFile } from "../command.ts";

/** Returns a context for display, with the source of its token. Amounts are digits in the smallest unit, by coin. */
function storedContext(name: string, context: Context, current: boolean) {
  return {
    name,
    current,
    server: shownOrigin(context.server),
    token: tokenWord(context),
    token_command: context.token_command ?? null,
    protected: context.protected ?? false,
    ca_file: context.ca_file ?? null,
    allow_http: context.allow_http ?? false,
    require_reason: context.require_reason ?? false,
    journal: context.journal ?? null,
    max_value: context.max_value ?? null,
    max_per_day: context.max_per_day ?? null,
    allow_to: context.allow_to ?? null,
    /** As for the token; never their names or values. */
    headers: headersWord(context),
    read_only: context.read_only ?? false,
    ...approverMembers(context.approvers),
    erc20: context.erc20 ?? null,
  };
}

export function approverMembers(approvers: Approvers | undefined) {
  return { approvers: approvers ? approverNames(approvers) : null, approvals: approvers?.needed ?? null };
}

function headersWord({ headers = {}, header_command: command }: Context): string {
  const values = Object.values(headers);
  if (command || values.includes(null)) return "command";
  return values.length > 0 ? "stored" : "none";
}

function tokenWord({ token, token_command }: Context): string {
  if (token_command) return "command";
  return token === undefined ? "none" : "stored";
}

/** Returns what a write needs, or that all are refused. */
function writesWord(context: Pick<ReturnType<typeof storedContext>, "protected" | "read_only" | "approvers">): string {
  const { protected: asks, read_only, approvers } = context;
  return [read_only ? "read-only" : [], asks ? "protected" : [], approvers ? "signed" : []].flat().join(", ");
}

const FIELDS = Object.keys(storedContext("", { server: "" }, false));

const contextView: ResourceView<ReturnType<typeof storedContext>> = {
  one: "context",
  many: "contexts",
  table: [
    toColumn("name", "name"),
    { header: "current", cell: ({ current }) => ({ text: current ? "current" : "" }) },
    toColumn("server", "server"),
    toColumn("token", "token"),
    { header: "writes", cell: (context) => ({ text: writesWord(context) }) },
  ],
  ...viewPlainFields(FIELDS),
};

export const contextList: CommandFile = {
  summary: "List the stored contexts",
  sends: "nothing",
  examples: ["relayctl context list", "relayctl context list -o json", "relayctl context list --fields name,server"],
  resource: contextView,
  description:
    "List the stored contexts with their servers and how each gets its token, and show which context is current.",
  async run({ app }) {
    const { contexts, current } = await app.config.read();
    const items = Object.entries(contexts).map(([name, context]) => storedContext(name, context, name === current));
    items.sort((left, right) => (left.name < right.name ? -1 : 1));
    return storedList(contextView, items, app.config.path);
  },
};
