import type { Command } from "commander";
import { parseDuration } from "../../config/duration.ts";
import { RuleError } from "../../config/rule-error.ts";
import { judged } from "../../config/sourced.ts";
import { operations } from "../../contract/operations.ts";
import { readIds } from "../../flow/ids.ts";
import type { Problems } from "../../flow/problems.ts";
import { shownInstead } from "../../flow/shown.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { type ChoosingFlags, defineChoosingFlags, firstQuery } from "../list-flags.ts";
import { failedCheck } from "./status/check.ts";
import { look, refuseMissing, statusList } from "./status/read.ts";
import { statusView } from "./status/view.ts";

interface StatusFlags extends ChoosingFlags {
  check?: true;
  watch?: string;
}

interface Typed {
  /** All relayers without it. */
  ids: readonly string[] | undefined;
  /** Milliseconds between two looks. */
  every: number | undefined;
}

/** `relayctl relayers status [ids...]`: on one screen, from the list alone. */
export const relayersStatus: CommandFile<StatusFlags, Typed> = {
  summary: "show who is disabled or paused, why, and what happens next",
  examples: [
    "relayctl relayers status",
    "relayctl relayers status eth-main-1 base-hot -o json",
    "relayctl relayers status --where relayer.network=base --check",
  ],
  sends: "read",
  ends: { unmet: "not all are well (--check)" },
  resource: statusView,
  operands: [
    { name: "[ids...]", description: "these relayers only; - reads ids from stdin, one on a line", noun: "relayer" },
  ],
  walks: true,
  define,
  prepare,
  run,
};

function define(command: Command): void {
  command
    .description(
      "Show the state of every relayer, worst first: disabled with the reason and what the service does by itself, " +
        "paused with the command that resumes, and the others by name.",
    )
    .optionsGroup("Status")
    .option("--check", "exit 13 when any that is shown is disabled or paused")
    .option(
      "--watch <time>",
      "look again and again, for example every 5s: repaint, or one JSON event a line to a pipe",
    );
  defineChoosingFlags(command, "repeat, all must hold: health.state!=active, relayer.network=base, health.reasons~rpc");
}

async function prepare(call: Call<StatusFlags>, problems: Problems): Promise<Typed> {
  const { watch } = call.flags;
  const every = watch === undefined ? undefined : judged({ value: watch, from: "--watch" }, parsePace, problems.found);
  for (const clash of watch === undefined ? [] : besideWatch(call)) {
    problems.add("--watch", `cannot be given together with ${clash}`);
  }
  return { ids: await readIds(call, problems, "id"), every: every?.value };
}

/** What a watch has no meaning for: it shows the screen, or tells of changes in events. */
function besideWatch({ flags, output: { format = "table", fields, query, sort } }: Call<StatusFlags>): string[] {
  const typed = { "--check, which looks once": flags.check, "--fields": fields, "--query": query, "--sort": sort };
  const clashes = Object.entries(typed).flatMap(([flag, value]) => (value === undefined ? [] : flag));
  return ["table", "ndjson"].includes(format) ? clashes : [...clashes, `-o ${format}; only table and ndjson`];
}

/** More often would use up a rate limit that is shared with the service's own users. */
function parsePace(text: string): number {
  const every = parseDuration(text);
  if (every < 1_000) throw new RuleError("at least 1s", text);
  return every;
}

async function run(call: Call<StatusFlags>, { ids, every }: Typed): Promise<View> {
  const shown = await shownInstead(call, { operation: operations["relayers.list"], query: firstQuery({}) });
  if (shown) return shown;
  const session = await call.session();
  if (every !== undefined) {
    const { watchStatus } = await import("./status/watch.ts");
    return await watchStatus(call, { session, ids, every });
  }
  const seen = await look(session, ids);
  refuseMissing(seen, session);
  const failure = call.flags.check ? await failedCheck(call, seen.found) : undefined;
  return { ...statusList(seen, session), ...(failure && { ending: async () => ({ failure }) }) };
}
