import type { Call } from "../command-support/call.ts";
import { commonTargetFlags } from "../command-support/common-flags.ts";
import { canPrompt } from "../command-support/prompting/prompts.ts";
import { isDryRun } from "../command-support/shown.ts";
import { isUuid } from "../contract/id.ts";
import type { Problems } from "../contract/problems.ts";
import { RelayctlError } from "../errors.ts";
import { type FoundTransactions, searchServiceForTransactions } from "../find/search-service.ts";
import { commandLine } from "../shell/shell-words.ts";
import { helpOf } from "./help/help-of.ts";
import { type ParsedCommand, parseArgv } from "./parse.ts";
import { requestMaySendWrites } from "./request-flags.ts";

interface Sought {
  call: Call;
  parsed: ParsedCommand;
  words: readonly string[];
}

/** Completes transactions without a relayer or a whole ID, once all else is valid. @throws usage; not_found */
export async function lookUpTypedIds(sought: Sought, problems: Problems): Promise<Pick<Sought, "call" | "parsed">> {
  const { call, parsed, words } = sought;
  const { file, command } = parsed.chosen;
  const prefixes = words.filter((word) => !isUuid(word));
  refusePrefixes(sought, prefixes, problems);
  const isAlone = call.args.length === 1;
  if (!isAlone && !canPrompt(call.app, call.common)) return { call, parsed };
  if (!isAlone && isDryRun(call)) return { call, parsed };
  // The relayer is unknown: any ID stands in until the rest is validated.
  const standIn = isAlone ? { ...call, args: [...call.args, ...call.args] } : call;
  await problems.gather(() => file.prepare?.(standIn, problems));
  problems.throwIfAny(helpOf(command));
  const relayer = isAlone ? undefined : call.args[0];
  const whole = new Map<string, string>();
  let owner = relayer;
  for (const word of words) {
    const { interrupt } = call.app;
    const found = await searchServiceForTransactions(await call.session(), word, { relayer, interrupt });
    const [only] = chooseOne(found, word, sought, relayer);
    owner ??= only?.relayer;
    if (only) whole.set(word, only.transaction);
  }
  if (owner !== undefined && whole.size > 0) return await retypeWithId(sought, owner, whole);
  const alone = isAlone ? words.find(isUuid) : undefined;
  if (alone === undefined) return { call, parsed };
  const message = `"${alone}" is a relayer; specify its transaction too`;
  return { call, parsed: { ...parsed, missing: new RelayctlError("usage", message, { hint: helpOf(command) }) } };
}

function refusePrefixes({ call, parsed }: Sought, prefixes: readonly string[], problems: Problems): void {
  if (!requestMaySendWrites(parsed.chosen.file)) return;
  const isAsked = canPrompt(call.app, call.common) && !call.common.yes;
  if (isAsked || isDryRun(call)) return;
  for (const word of prefixes)
    problems.add("<tx-id>", "must be a whole ID, unless a question shows which transaction it is", word);
}

function chooseOne(
  { found, isRelayer, missed }: FoundTransactions,
  word: string,
  { call, parsed }: Sought,
  relayer: string | undefined,
): FoundTransactions["found"] {
  const known = found.map((each) => `transaction ${each.transaction} of ${each.relayer}`);
  const because = [...(isRelayer ? [`relayer ${word}`] : []), ...known];
  const hint = helpOf(parsed.chosen.command);
  if (because.length > 1) throw new RelayctlError("usage", `"${word}" has more than one meaning`, { because, hint });
  const isOver = isUuid(word) && found.length > 0;
  const stopped = missed.find(({ failure }) => failure !== "partial") ?? missed[0];
  if (stopped && !isOver && stopped.failure !== "partial") throw stopped;
  if (stopped && !isOver) {
    const needed = isUuid(word) ? "specify its relayer too" : "specify the whole ID";
    throw new RelayctlError("usage", `"${word}" cannot be looked up: ${needed}`, { because: [stopped.message], hint });
  }
  if (found.length > 0 || relayer !== undefined || isRelayer) return found;
  throw new RelayctlError("not_found", `no transaction found for "${word}"`, {
    hint: commandLine(...commonTargetFlags(call.common), "find", word),
  });
}

async function retypeWithId({ call, parsed: { chosen } }: Sought, relayer: string, whole: ReadonlyMap<string, string>) {
  const { argv, args } = call;
  const full = (word: string) => whole.get(word) ?? word;
  const expected = args.length === 1 ? [relayer, ...args.map(full)] : args.map(full);
  for (const [index, word] of argv.entries()) {
    if (!whole.has(word)) continue;
    const line =
      args.length === 1
        ? [...argv.slice(0, index), relayer, full(word), ...argv.slice(index + 1)]
        : argv.map((each, at) => (at < index ? each : full(each)));
    const parsed = await parseArgv(line);
    if (parsed.kind !== "command" || parsed.missing || parsed.chosen.args.join(" ") !== expected.join(" ")) continue;
    return { call: { ...call, argv: line, args: parsed.chosen.args, flags: parsed.chosen.flags }, parsed };
  }
  throw new RelayctlError("usage", "the transaction and the flags cannot be distinguished; specify its relayer too", {
    hint: helpOf(chosen.command),
  });
}
