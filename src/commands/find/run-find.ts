import { bulkFailure, type Completed, runAll } from "../../client/bulk/run-all.ts";
import { showIfDryRun } from "../../command-support/shown.ts";
import { operations } from "../../contract/operations.ts";
import { RelayctlError, usageError } from "../../errors.ts";
import { parseSearchTerm } from "../../find/search.ts";
import { searchService } from "../../find/search-service.ts";
import { type Hit, hitsView } from "../../find/view.ts";
import { listFrom, onePageView, type View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";

const AT_ONCE = 4;
const DELETED =
  "the service deletes records of ended transactions, so it may still have been sent; `relayctl audit` reads the chain";
const MOST_SHOWN = 10;

interface Found {
  hits: readonly Hit[];
  parts: readonly Completed<true>[];
  name: string;
}

export async function runFind(
  call: Call,
  { text, allContexts }: { text: string; allContexts: boolean },
): Promise<View> {
  const shown = await showIfDryRun(call, { operation: operations["relayers.list"] });
  if (shown) return shown;
  const names = allContexts ? await allNames(call) : call.contexts;
  const { hits, parts, name } = names ? await searchContexts(call, names, text) : await searchContext(call, text);
  const { app } = call;
  const missed = bulkFailure(parts, "searches", app.interrupt, { writes: false });
  const because = ["word", "address"].includes(parseSearchTerm(text).form) ? [] : [DELETED];
  const failure =
    missed ??
    (hits.length === 0 ? new RelayctlError("not_found", `"${text}" not found in ${name}`, { because }) : undefined);
  return listFrom({ name }, hitsView(names !== undefined), onePageView(hits), {
    nothing: null,
    ending: async () => ({ next: app.stdout.isTerminal ? commandsFor(hits) : [], failure }),
  });
}

async function searchContext(call: Call, text: string): Promise<Found> {
  const session = await call.session();
  const { hits, parts } = await searchService(session, parseSearchTerm(text), call.app);
  return { hits, parts, name: session.name };
}

/** Searches several services in parallel. If one fails, the others still count. @throws RelayctlError interrupted */
async function searchContexts(call: Call, names: readonly string[], text: string): Promise<Found> {
  const { interrupt } = call.app;
  const among = { said: new Set<string>() };
  const search = async (name: string): Promise<Pick<Found, "hits" | "parts">> => {
    try {
      const session = await call.inContext(name, among).session();
      const { hits, parts } = await searchService(session, parseSearchTerm(text), call.app);
      return { hits, parts: parts.map((part) => ({ ...part, id: `${name}: ${part.id}` })) };
    } catch (error) {
      if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
      return { hits: [], parts: [{ id: name, error }] };
    }
  };
  const jobs = names.map((name) => ({ id: name, run: () => search(name) }));
  const completed = await runAll(jobs, { concurrency: AT_ONCE, interrupt }).done;
  const stopped = completed.find(({ error }) => error)?.error;
  if (stopped) throw stopped;
  return {
    hits: completed.flatMap(({ value }) => value?.hits ?? []),
    parts: completed.flatMap(({ id, value }) => value?.parts ?? [{ id }]),
    name: call.contexts?.join(", ") ?? "all contexts",
  };
}

async function allNames({ app }: Call): Promise<string[]> {
  const names = Object.keys((await app.config.read()).contexts).sort();
  if (names.length > 0) return names;
  throw usageError([{ where: "--all-contexts", rule: "no context is stored; run relayctl auth login" }]);
}

function commandsFor(hits: readonly Hit[]): string[] {
  return [...new Set(hits.map(({ command }) => command))].slice(0, MOST_SHOWN);
}
