import { runAll } from "../../command-support/bulk/run.ts";
import type { Among, Call } from "../../command-support/call.ts";
import { shellOf } from "../../command-support/shell/shell-of.ts";
import { RelayctlError } from "../../errors.ts";
import type { FactsView, ListView, OneView, View } from "../../terminal/view.ts";
import { nextCommand } from "../next-command.ts";
import { sendsWrites } from "../request-flags.ts";
import { createConsent } from "./consent.ts";
import { countTogether } from "./counts.ts";
import { createEndings } from "./endings.ts";
import { factsOfContexts } from "./facts.ts";
import type { InContext, Run } from "./in-context.ts";
import { listOfContexts } from "./list.ts";
import { textsOfContexts } from "./texts.ts";

/** The services that are read at the same time. */
const AT_ONCE = 4;

/** Runs a command in several contexts side by side, and returns what it came to in each as one view. */
export async function runInContexts(run: Omit<Run, "atOnce">): Promise<View> {
  const { call, names, file, prepared, explain } = run;
  if (file.contexts?.itself) return await file.run({ ...call, contexts: names }, prepared);
  const { interrupt } = call.app;
  const writes = sendsWrites(file.sends);
  const atOnce = writes ? names.length : AT_ONCE;
  const consent = writes ? createConsent(call, names) : undefined;
  const among: Among = { said: new Set(), ...(consent && { agree: consent.agree }) };
  const counting = countTogether(call);
  const calls = new Map(names.map((name) => [name, { ...callIn(call, name, among, writes), count: counting() }]));
  if (writes) await openInTurn(calls);
  const jobs = [...calls].map(([name, own]) => ({
    id: name,
    run: async () => {
      const ended = await viewOrError(() => file.run(own, prepared));
      consent?.ended(name, "error" in ended ? ended.error : undefined);
      return ended;
    },
  }));
  const completed = await runAll(jobs, { concurrency: atOnce, interrupt }).done;
  const errors = completed.flatMap(({ value }) => (value && "error" in value ? [value.error] : []));
  // Ctrl-C at the question ends the command, not the signal.
  const refusals = interrupt.aborted ? ["declined"] : ["declined", "interrupted"];
  const refusal = errors.find(({ failure }) => refusals.includes(failure));
  if (refusal) throw refusal;
  const views = completed.flatMap(({ id, value }) =>
    value && "view" in value ? [{ name: id, view: value.view }] : [],
  );
  const explained = async (name: string, error: RelayctlError) => {
    const own = calls.get(name) ?? call;
    const known = await explain(own, error);
    return known.with({ hint: await nextCommand(known, own.argv, own.common, shellOf(own.app.env)) });
  };
  const endings = createEndings({ names, views, interrupt, writes, explain: explained });
  for (const { id, value } of completed) if (value && "error" in value) endings.failed(id, value.error);
  return await joined(views, { ...run, atOnce }, endings);
}

/** Opens the sessions of writes one after the other, since each may prompt for a reason. */
async function openInTurn(calls: ReadonlyMap<string, Call>): Promise<void> {
  for (const call of calls.values()) {
    const ended = await viewOrError(async () => {
      await call.session();
      return { kind: "nothing" };
    });
    if ("error" in ended && ["usage", "declined", "interrupted"].includes(ended.error.failure)) throw ended.error;
  }
}

type Ended = { view: View } | { error: RelayctlError };

async function viewOrError(act: () => Promise<View>): Promise<Ended> {
  try {
    return { view: await act() };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return { error };
  }
}

/** Returns the call in one context. What is selected by the context is selected once all are read. */
function callIn(call: Call, name: string, among: Among, writes: boolean): Call {
  const own = call.inContext(name, among);
  if (writes) return own;
  const { where, fields, sort, ...output } = own.output;
  const others = fields?.split(",").filter((field) => field.trim() !== "context");
  return {
    ...own,
    output: {
      ...output,
      where: where?.filter((condition) => !/^\s*!?\s*context(?![\w.-])/.test(condition)),
      fields: others?.join(",") || undefined,
      sort: sort?.replace(/^-/, "") === "context" ? undefined : sort,
    },
  };
}

type Views = readonly InContext<View>[];

/** Returns the views of several contexts as one. A command has views of one form, whatever the context. */
async function joined(views: Views, run: Run, endings: ReturnType<typeof createEndings>): Promise<View> {
  const lists = views.filter((each): each is InContext<ListView | OneView> => ["list", "one"].includes(each.view.kind));
  const [first, ...more] = lists;
  if (first) return listOfContexts([first, ...more], run, endings);
  const facts = views.filter((each): each is InContext<FactsView> => each.view.kind === "facts");
  const ending = await endings.all();
  if (facts.length > 0) return factsOfContexts(facts, ending);
  if (views.length === 0 && ending.failure) throw ending.failure;
  return textsOfContexts(views, run, ending);
}
