import type { Client } from "../../client/client.ts";
import { ONE } from "../../command-support/session/probe.ts";
import { RelayctlError } from "../../errors.ts";
import { lacksRoute } from "../../relayer-state/read-status-routes.ts";

/** Routes of the service that a token may have a permission for. */
export interface Group {
  group: string;
  /** Null if that is not known. */
  readable: boolean | null;
  /** Why not, in the words of the service, which name the missing permission. */
  message: string | null;
}

/** The first page of a list, or why the token may not read it. */
export interface First {
  id?: string;
  total: number | undefined;
  refusal?: RelayctlError;
}

type Pages = AsyncIterable<{ items: readonly { id?: unknown }[]; total?: number | undefined }>;

/** Reads the first page of a list. @throws RelayctlError unless the service refused it by a permission */
export async function readFirst(pages: Pages): Promise<First> {
  try {
    for await (const { items, total } of pages) {
      const id = items[0]?.id;
      return { total, ...(typeof id === "string" && { id }) };
    }
    return { total: undefined };
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return { total: undefined, refusal: error };
  }
}

function isForbidden(error: unknown): error is RelayctlError {
  return error instanceof RelayctlError && error.http?.status === 403 && error.subject?.kind !== "gateway";
}

/**
 * Reads one item of each group of routes.
 * @param relayers the first page of relayers, of which one is needed for transactions
 * @throws RelayctlError the refusal of the relayers, if the token may read nothing
 */
export async function readGroups(client: Client, relayers: First): Promise<Group[]> {
  const { id, refusal } = relayers;
  const groups = await Promise.all([
    groupOf("relayers", async () => relayers),
    id === undefined
      ? { group: "transactions", readable: null, message: "no relayer is listed" }
      : groupOf("transactions", () => readFirst(client.tx.list(id, ONE))),
    groupOf("notifications", () => readFirst(client.notifications.list(ONE))),
    groupOf("signers", () => readFirst(client.signers.list(ONE))),
    groupOf("networks", () => readFirst(client.networks.list(ONE))),
    groupOf("plugins", () => readFirst(client.plugins.list(ONE))),
  ]);
  if (refusal && !groups.some(({ readable }) => readable)) throw refusal;
  return groups;
}

async function groupOf(group: string, read: () => Promise<First>): Promise<Group> {
  try {
    const { refusal } = await read();
    return { group, readable: !refusal, message: refusal?.message ?? null };
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    const message = lacksRoute(error) ? "this version of the service does not have it" : error.message;
    return { group, readable: null, message };
  }
}
