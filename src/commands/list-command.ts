import type { Client } from "../client/client.ts";
import { firstPageQuery, type ListBounds } from "../client/pagination/list-pages.ts";
import { PaginationEnd } from "../client/pagination/pagination-error.ts";
import type { ApiRequest } from "../client/request.ts";
import type { Call } from "../command-support/call.ts";
import { showIfDryRun } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import { RelayctlError } from "../errors.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { Page, ResourceView, View } from "../terminal/view.ts";
import type { CommandFile, Described } from "./command.ts";
import { defineListFlags, type ListFlags, listBounds } from "./list-flags.ts";

interface ListCommand extends Described {
  noun: keyof typeof CONDITIONS;
  resource: ResourceView;
}

const CONDITIONS = {
  relayers: "paused, !paused, network=base,mainnet, policies.gas_price_cap>80gwei",
  networks: "is_testnet, network_type=evm,solana, chain_id>1",
  notifications: "!has_signing_key, url~example.org",
  plugins: "emit_logs, id~report",
  signers: "type=vault,aws_kms",
};

export function createListCommand({ noun, ...described }: ListCommand): CommandFile<ListFlags, ListBounds> {
  return {
    ...described,
    sends: "read",
    paginates: true,
    contexts: {},
    define: (command) => void defineListFlags(command, CONDITIONS[noun]),
    prepare: async ({ flags }, problems) => listBounds(flags, problems),
    run: (call, bounds) =>
      listView(call, bounds, {
        resource: described.resource,
        request: { operation: operations[`${noun}.list`] },
        pages: (client) => client[noun].list(bounds),
      }),
  };
}

export interface Listed<T extends JsonObject> {
  resource: ResourceView<T>;
  /** Without page parameters. */
  request: ApiRequest;
  /** Set if the service's order is meaningful and kept. */
  inOrder?: true;
  pages(client: Client): AsyncIterable<Page>;
}

/** Returns the view of a list, whose pages are requested as they are printed. */
export async function listView<T extends JsonObject>(call: Call, bounds: ListBounds, listed: Listed<T>): Promise<View> {
  const { resource, request, inOrder } = listed;
  const shown = await showIfDryRun(call, { ...request, query: { ...request.query, ...firstPageQuery(bounds) } });
  if (shown) return shown;
  if (bounds.page === 0) await call.say({ note: "pages start at 1; page 0 is sent as requested" });
  if (bounds.perPage === 0) await call.say({ note: "a page has at least 1 item; --per-page 0 is sent as requested" });
  const { client, name, flags, recentJournal } = await call.session();
  const recent = await recentJournal();
  const [noun = ""] = request.operation.id.split(".");
  const plain = withListHints(listed.pages(client), flags);
  const pages = recent ? (await ownChanges()).pagesWithOwnChanges(call, recent, noun, plain) : plain;
  return { kind: "list", resource, pages, where: name, flags, ...(inOrder && { inOrder }) };
}

const ownChanges = () => import("../command-support/own-changes.ts");

export async function* withListHints(pages: AsyncIterable<Page>, flags: readonly string[]): AsyncGenerator<Page> {
  try {
    yield* pages;
  } catch (error) {
    if (!(error instanceof RelayctlError) || !(error.cause instanceof PaginationEnd)) throw error;
    const { reason, command } = error.cause;
    if (reason === "moving") throw error;
    const { because, added } = ADVICE[reason];
    throw error.with({ because, hint: commandLine(...flags, ...command, ...added) });
  }
}

const NARROW = "narrow the list with --limit or --page";
const FEWER = ["--limit", "1000"];
const ADVICE = {
  items: { because: [`raise --max-items, or ${NARROW}`], added: FEWER },
  pages: { because: [`raise --max-items or --per-page, or ${NARROW}`], added: FEWER },
  memory: { because: [`print the items as they arrive with -o ndjson, or ${NARROW}`], added: ["--output", "ndjson"] },
  past_end: { because: [], added: [] },
};
