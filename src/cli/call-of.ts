import type { App } from "../app.ts";
import type { Call, Say } from "../command-support/call.ts";
import type { CommonFlags } from "../command-support/common-flags.ts";
import { inContextText, messageWriter } from "../command-support/printing.ts";
import type { Progress } from "../command-support/progress.ts";
import { promptsWithin } from "../command-support/prompting/prompts.ts";
import { openSession, type SessionRequest } from "../command-support/session/open-session.ts";
import { type DiffFlag, reachOf } from "../command-support/shown.ts";
import { type AnyCommand, isSo, soughtIn } from "../commands/command.ts";
import type { OnceFlags } from "../session/journaling/session-journal.ts";
import type { Session } from "../session/session.ts";
import type { PromptLook } from "../terminal/prompts.ts";
import { DEFAULT_DEADLINE, FOLLOW_DEADLINE } from "../timing.ts";
import type { Chosen } from "./program.ts";
import { maySendWrites } from "./request-flags.ts";

/** Returns the call of the chosen command. Its session opens on first use. */
export function callOf(
  app: App,
  chosen: Chosen,
  typed: Pick<Call, "common" | "output" | "argv" | "entered" | "perform" | "among">,
  progress: Pick<Progress, "count" | "idle"> & { hear: SessionRequest["hear"] },
): Call {
  const { file, args } = chosen;
  const { hear, count, idle } = progress;
  const { common, among } = typed;
  let opened: Promise<Session> | undefined;
  let protectedContext: string | undefined;
  const write = messageWriter(app, common, () => protectedContext);
  const say = among ? sayingIn(common.context ?? "", write, among.said) : write;
  const flags: DiffFlag & OnceFlags = chosen.flags;
  const limit = getLimit(file, { args, flags });
  const reach = reachOf(
    { app, common, flags },
    isSo(file.readsFirst, { args, flags }) || isAlone(file, { args, flags }),
  );
  const sends = among && !among.agree && reach === "all" ? "reads" : reach;
  const isPublic = file.isPublic === true;
  const writes = !file.mayOnlyAsk && maySendWrites(file);
  const request = {
    app,
    common,
    say,
    hear,
    limit,
    sends,
    isPublic,
    writes,
    showsUrls: typed.output.format === "raw" || isSo(file.showsUrls, { args, flags }),
    argv: typed.argv,
    entered: typed.entered,
    once: flags,
  };
  const session = () => (opened ??= open());
  const open = async () => {
    const found = await openSession(request);
    if (found.protected) protectedContext = found.name;
    return found;
  };
  const appWithoutTimer = withoutTimer(app, common, () => opened);
  const inContext: Call["inContext"] = (context, among) =>
    callOf(app, chosen, { ...typed, common: { ...common, context }, ...(among && { among }) }, progress);
  return { ...typed, app: appWithoutTimer, args, flags, say, session, count, idle, inContext };
}

/** Returns whether the relayer of a transaction has to be read. */
function isAlone(file: AnyCommand, typed: Pick<Call, "args"> & { flags: object }): boolean {
  return typed.args.length === 1 && soughtIn(file, { ...typed, flags: { ...typed.flags } }).length > 0;
}

function sayingIn(name: string, say: Say, said: Set<string>): Say {
  return async (line, role) => {
    const isOfAll = line.startsWith("note: RELAYCTL_");
    const shown = isOfAll ? line : inContextText(line, name);
    if (said.has(shown)) return;
    said.add(shown);
    await say(shown, role);
  };
}

/** Returns the default time limit of a command (promises 2.2). */
function getLimit({ paginates, waits }: AnyCommand, typed: Pick<Call, "args" | "flags">): number | undefined {
  if (isSo(waits, typed)) return FOLLOW_DEADLINE;
  return isSo(paginates, typed) ? undefined : DEFAULT_DEADLINE;
}

/** Returns the same app, but with the command's time limit paused while a prompt is open. */
function withoutTimer(app: App, { color }: CommonFlags, opened: () => Promise<Session> | undefined): App {
  const pausing = async <T>(ask: () => Promise<T>) => {
    const session = await opened();
    return session ? await session.pausing(ask()) : await ask();
  };
  const prompts = async (look?: PromptLook) => promptsWithin(await app.prompts({ color, ...look }), pausing);
  return Object.create(app, { prompts: { value: prompts } });
}
