import { GOALS, type Goal, type Standing, type Target } from "../../../chain/follow/followed.ts";
import { readId, readTargetIds, validateId } from "../../../command-support/ids.ts";
import { integerFlag, type Problems } from "../../../contract/problems.ts";
import { readInputText } from "../../../session/input-file.ts";
import type { Call, CommandSyntax, Ends, ParsedFlags } from "../../command.ts";
import { nodeFlag } from "../node-flag.ts";

type WaitFlags = ParsedFlags<typeof defineWaitFlags>;

export type WriteWaitFlags = ParsedFlags<typeof defineWriteWaitFlags>;

export const WAIT_FLAGS: readonly string[] = ["wait", "for", "confirmations", "chain", "node"];

export const WAIT_ENDS: Ends = {
  mismatch: "result differs from the request, or the chain shows another version (--wait)",
  unmet: "ended otherwise, or will never be sent (--wait)",
  pending: "still in progress when the time ran out (--wait)",
};

export function waitsAfterWrite({ flags }: { flags: WriteWaitFlags }): boolean {
  return flags.wait === true;
}

export interface WaitPlan {
  goal: Goal;
  usesChain: boolean;
  nodeUrl: string | undefined;
}

export function defineWaitFlags(command: CommandSyntax) {
  return command
    .choice("--for <goal>", "What to wait for (default: confirmed)", GOALS)
    .option("--confirmations <n>", "Blocks that have to follow (default: what the network requires)")
    .option("--no-chain", "Trust only the record, and do not ask a node")
    .option("--node <url>", "Node to ask instead of the relayer's; a key in the URL is never printed");
}

export function defineWriteWaitFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Wait")
    .option("--wait", "Wait until the transaction is confirmed, as `relayctl tx wait` does")
    .include(defineWaitFlags);
}

export function waitPlan(call: Pick<Call<WaitFlags>, "app" | "common" | "flags">, problems: Problems): WaitPlan {
  const { for: typed, confirmations: count, chain = true, node } = call.flags;
  const until = GOALS.find((goal) => goal === typed) ?? "confirmed";
  const confirmations = integerFlag(problems, "--confirmations", count, "must be a whole number of 0 or more");
  if (count !== undefined && until !== "confirmed")
    problems.add("--confirmations", `cannot be combined with --for ${until}`);
  if (!chain) for (const flag of needingChain(call.flags)) problems.add(flag, "cannot be combined with --no-chain");
  const nodeUrl = nodeFlag(call, problems, node);
  return { goal: { until, ...(confirmations !== undefined && { confirmations }) }, usesChain: chain, nodeUrl };
}

function needingChain({ for: until, confirmations, node }: WaitFlags): string[] {
  return [
    ...(until === "final" ? ["--for"] : []),
    ...(confirmations === undefined ? [] : ["--confirmations"]),
    ...(node === undefined ? [] : ["--node"]),
  ];
}

export function writeWaitPlan(
  call: Pick<Call<WriteWaitFlags>, "app" | "common" | "flags">,
  problems: Problems,
): WaitPlan | undefined {
  const { wait, for: until, confirmations, chain = true, node } = call.flags;
  if (wait) return waitPlan(call, problems);
  const typed = {
    "--for": until,
    "--confirmations": confirmations,
    "--no-chain": chain ? undefined : "",
    "--node": node,
  };
  for (const [flag, value] of Object.entries(typed)) {
    if (value !== undefined) problems.add(flag, "has no effect without --wait");
  }
  return undefined;
}

/** The typed transactions, or a relayer's pending ones. */
export type NamedTransactions = { targets: readonly Target[] } | { pendingOf: string };

export async function waitedTransactions(
  { app, args, flags }: Pick<Call<{ pending?: true }>, "app" | "args" | "flags">,
  problems: Problems,
): Promise<NamedTransactions> {
  const [relayer, ...ids] = args;
  if (relayer === "-" && ids.length === 0) {
    if (flags.pending) problems.add("--pending", "needs the ID of a relayer");
    return { targets: await readPairs(app, problems) };
  }
  const relayerId = await readId({ app }, problems, "relayer-id", relayer);
  if (flags.pending) {
    if (ids.length > 0) problems.add("--pending", "cannot be combined with transaction IDs");
    return { pendingOf: relayerId };
  }
  const typed = (await readTargetIds({ app, args: ids }, problems, "tx-id")) ?? [];
  if (typed.length === 0 && !problems.has("-")) problems.add("-", "stdin contains no transaction IDs");
  return { targets: typed.map((id) => ({ relayerId, id })) };
}

async function readPairs(app: Call["app"], problems: Problems): Promise<Target[]> {
  const text = (await problems.gather(() => readInputText(app, "-"), "-")) ?? "";
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

export interface Wait {
  targets: readonly Target[];
  plan: WaitPlan;
  /** Set if a write of the same command was applied. */
  wrote: boolean;
  /** This wait's limit in milliseconds, besides the command's. */
  atMost?: number;
}

export interface WaitReporter {
  seen(standings: readonly Standing[]): Promise<void>;
  end(): Promise<void>;
}
