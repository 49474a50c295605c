import { repeatedCommand } from "../../../command-support/repeated-command.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { typedRpcUrl } from "../../flags/rpc-url-flag.ts";
import { withIds } from "../../undo-line.ts";
import { changesOf } from "../change/changes.ts";
import { consentFlags, undoOf } from "../change/undo.ts";

/**
 * The command that makes the same change without questions; nothing where no flags can say it. An RPC URL that holds a
 * key is left to a shell variable.
 */
export function equalCommand(
  patch: JsonObject,
  before: Relayer,
  { session: { flags }, symbol }: { session: Session; symbol: string | undefined },
): string | undefined {
  const { custom_rpc_urls: urls, ...rest } = patch;
  // What undoes a change is what makes it: a change whose old value is the one that is asked for.
  const asked = changesOf(Array.isArray(urls) ? rest : patch, before);
  const words = undoOf(
    asked.map((change) => ({ ...change, was: change.asked })),
    before,
    symbol,
  );
  if ("because" in words) return undefined;
  const change = withIds([...words.flags, ...urlWords(urls), ...consentFlags(asked)], [before.id]);
  return repeatedCommand([...flags, "relayers", "update", ...change], []);
}

function urlWords(urls: JsonValue | undefined): string[] {
  if (!Array.isArray(urls)) return [];
  if (urls.length === 0) return ["--no-rpc-urls"];
  return urls.flatMap((entry) =>
    isJsonObject(entry) && typeof entry.url === "string" ? ["--rpc-url", typedRpcUrl(entry.url, entry.weight)] : [],
  );
}
