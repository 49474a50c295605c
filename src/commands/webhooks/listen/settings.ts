import { boundsOf } from "../../../config/bounds.ts";
import { parseDuration } from "../../../config/duration.ts";
import { MAX_PORT } from "../../../config/port.ts";
import { parsedSourcedFlag, RuleError } from "../../../config/sourced.ts";
import { type Problems, validateFileFlag } from "../../../contract/problems.ts";
import type { OutputFormat } from "../../../terminal/output-options.ts";
import { parseCondition } from "../../../terminal/select/condition.ts";
import { webhookEventView } from "../../../views/delivery.ts";
import { isForwardToSelf } from "../../../webhooks/forward.ts";
import { type Call, type CommandSyntax, commandNumberFlag, type ParsedFlags } from "../../command.ts";
import { defineSigningKeyFlags, readListeningKeys } from "../signing-keys.ts";

export type ListenFlags = ParsedFlags<typeof defineListenFlags>;

export function defineListenFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Receiver")
    .option("--port <n>", "Port to listen on (default: 0, any free port)")
    .option("--public", "Listen on all interfaces, not only on this machine")
    .include(defineSigningKeyFlags)
    .option("--tolerance <time>", "Refuse events that are older, or further in the future, e.g. 5m (default: any age)")
    .optionsGroup("Events")
    .option(
      "--where <condition>",
      "Print only matching events, e.g. status=failed, relayer_id=eth-main-1 (repeatable; all must match)",
      "values",
    )
    .option(
      "--expect <condition>",
      "Stop once an event matches, e.g. status=confirmed (repeatable: each needs an event); exit code 15 at --deadline",
      "values",
    )
    .option("--limit <n>", "Stop after printing this many events")
    .optionsGroup("Deliveries")
    .option("--forward <url>", "Forward each delivery unchanged, and respond with the status of the target")
    .option("--record <file>", "Add each delivery to a private file, byte for byte, for `relayctl webhooks replay`")
    .option("--respond <status>", "Respond with this status, e.g. 500 to see retries (default: 200)")
    .option("--delay <time>", "Wait before each response, e.g. 5s");
}

export type ListenSettings = NonNullable<Awaited<ReturnType<typeof listenSettings>>>;

const FORMATS: readonly OutputFormat[] = ["table", "tsv", "csv", "ndjson", "name"];

export async function listenSettings(call: Call<ListenFlags>, problems: Problems) {
  const { app, flags, output, common } = call;
  const time = (flag: string, value: string | undefined, zero = false) =>
    parsedSourcedFlag(flag, value, (text) => parseDuration(text, { zero }), problems.found);
  const port = commandNumberFlag(problems, "--port", flags.port, 0, MAX_PORT) ?? 0;
  const format = output.format ?? (app.stdout.isTerminal ? "table" : "tsv");
  if (!FORMATS.includes(format))
    problems.add("-o", `an endless stream of events needs one of ${FORMATS.join(", ")}`, format);
  validateFileFlag(problems, "--record", flags.record);
  const forward = parsedSourcedFlag("--forward", flags.forward, (text) => targetUrl(text, port), problems.found);
  const conditions = problems.has("--where") ? [] : (output.where ?? []);
  const where = conditions.map((text) => parseCondition(text, webhookEventView, app.clock.now()));
  const expected = await readExpected(call, problems);
  const settings = {
    port,
    isPublic: flags.public === true,
    tolerance: time("--tolerance", flags.tolerance),
    where,
    expected,
    limit: commandNumberFlag(problems, "--limit", flags.limit, 1) ?? Number.POSITIVE_INFINITY,
    forward,
    record: flags.record,
    respond: commandNumberFlag(problems, "--respond", flags.respond, 200, 599),
    delay: time("--delay", flags.delay, true) ?? 0,
    deadline: boundsOf(common, app.env, []).deadline?.value,
    format,
  };
  // Last, since a key may be prompted for.
  const keys = await readListeningKeys(call, flags.signingKeyFile, problems);
  return problems.found.length > 0 ? undefined : { ...settings, keys };
}

async function readExpected({ app, flags: { expect = [] } }: Call<ListenFlags>, problems: Problems) {
  const parsed = expect.map((text) =>
    problems.gather(() => ({ text, condition: parseCondition(text, webhookEventView, app.clock.now(), "--expect") })),
  );
  return (await Promise.all(parsed)).filter((each) => each !== undefined);
}

function targetUrl(text: string, port: number): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RuleError("must be an HTTP URL, e.g. http://localhost:3000/hooks", text);
  if (url.username !== "" || url.password !== "") throw new RuleError("cannot contain a user name or password");
  if (port !== 0 && isForwardToSelf(url, port)) throw new RuleError(ITSELF, text);
  return url;
}

export const ITSELF = "is the address that this command listens on; specify another port";
