import type { Target } from "../../../chain/follow/followed.ts";
import { readId, readTargets, validateId } from "../../../command-support/ids.ts";
import type { Problems } from "../../../contract/problems.ts";
import { readText } from "../../../session/input-file.ts";
import type { Call } from "../../command.ts";

/** The typed transactions, or the relayer all of whose pending ones are meant. */
export type Named = { targets: readonly Target[] } | { pendingOf: string };

export async function namedTransactions(
  { app, args, flags }: Pick<Call<{ pending?: true }>, "app" | "args" | "flags">,
  problems: Problems,
): Promise<Named> {
  const [relayer, ...ids] = args;
  if (relayer === "-" && ids.length === 0) {
    if (flags.pending) problems.add("--pending", "needs the ID of a relayer");
    return { targets: await pairs(app, problems) };
  }
  const relayerId = await readId({ app }, problems, "relayer-id", relayer);
  if (flags.pending) {
    if (ids.length > 0) problems.add("--pending", "cannot be combined with transaction IDs");
    return { pendingOf: relayerId };
  }
  const typed = (await readTargets({ app, args: ids }, problems, "tx-id")) ?? [];
  if (typed.length === 0 && !problems.has("-")) problems.add("-", "stdin contains no transaction IDs");
  return { targets: typed.map((id) => ({ relayerId, id })) };
}

async function pairs(app: Call["app"], problems: Problems): Promise<Target[]> {
  const text = (await problems.gather(() => readText(app, "-"), "-")) ?? "";
  const first = new Map<string, string>();
  const found = text.split(/\r?\n/).flatMap((line, index): Target[] => {
    if (line === "") return [];
    const where = `stdin line ${index + 1}`;
    const at = line.indexOf("/");
    const [relayerId, id] = [line.slice(0, at), line.slice(at + 1)];
    const before = first.get(line);
    if (at < 0) problems.add(where, "must be a relayer ID, a slash, and a transaction ID", line);
    else if (before !== undefined) problems.add(where, `specified twice, first as ${before}`, line);
    else for (const part of [relayerId, id]) validateId(problems, where, part);
    first.set(line, before ?? where);
    return at < 0 ? [] : [{ relayerId, id }];
  });
  if (found.length === 0 && problems.found.length === 0)
    problems.add("-", "stdin is closed or contains no transactions (one per line, as relayer/tx)");
  return found;
}
