import { inputName, readBytes } from "../../command-support/input-file.ts";
import type { Problems } from "../../command-support/problems.ts";
import { isShown } from "../../command-support/shown.ts";
import { parseCondition } from "../../terminal/select/condition.ts";
import type { View } from "../../terminal/view.ts";
import { MAX_RECORD_BYTES } from "../../webhooks/record.ts";
import type { Call, CommandFile } from "../command.ts";
import { numberFlag } from "../flags/options.ts";
import { chooseDeliveries } from "./replay/choose-deliveries.ts";
import { type Replay, replayed } from "./replay/replay-in-order.ts";
import { replayView } from "./replay/view.ts";
import { defineKeyFlag, readKeyToSign } from "./signing-keys.ts";
import { openTarget } from "./target.ts";

interface Flags {
  to?: string;
  resign?: true;
  signingKeyFile?: string;
  where?: string[];
  limit?: string;
}

/** `relayctl webhooks replay FILE --to URL`: sends recorded deliveries again, byte for byte. */
export const webhooksReplay: CommandFile<Flags, Replay | undefined> = {
  summary: "Send recorded deliveries to a receiver again",
  sends: "deliveries",
  paginates: true,
  ends: {
    ok: "all accepted",
    partial: "some lines could not be read, or some deliveries were not sent",
    unmet: "a delivery was refused",
    pending: "not finished when the time ran out",
  },
  examples: [
    "relayctl webhooks replay deliveries.ndjson --to http://127.0.0.1:8080/hook",
    "relayctl webhooks replay deliveries.ndjson --to http://127.0.0.1:8080/hook --where status=failed --limit 10",
    "relayctl webhooks replay deliveries.ndjson --to http://127.0.0.1:8080/hook --resign --signing-key-file signing.key",
  ],
  args: [{ name: "<file>", description: "File of `webhooks listen --record`, `-` for stdin" }],
  resource: replayView,
  define(command) {
    const described = command
      .description(
        "Send the deliveries of a record to a receiver again, in order, one at a time, and each once, with the recorded bytes and signature. Deliveries that were refused when they were recorded are sent too; --where delivery.accepted leaves them out. Lines that cannot be read are reported and skipped. Follows no redirect, and contacts only the URL that you type.",
      )
      .optionsGroup("Delivery")
      .option("--to <url>", "URL of the receiver (required)")
      .option("--resign", "Replace the recorded signatures, e.g. for a receiver with another key");
    defineKeyFlag(described, "Sign with the key in this file, with --resign")
      .optionsGroup("Selection")
      .option(
        "--where <condition>",
        "Send only matching deliveries, e.g. status=failed, relayer_id=eth-main-1, event=transaction_update (repeatable; all must match)",
        "values",
      )
      .option("--limit <n>", "Send only the first n matching deliveries");
  },
  prepare,
  run,
};

async function prepare(call: Call<Flags>, problems: Problems): Promise<Replay | undefined> {
  const { app, flags, output } = call;
  const [path = ""] = call.args;
  if (flags.resign && flags.signingKeyFile === undefined)
    problems.add("--resign", "requires --signing-key-file: the key to sign with");
  if (!flags.resign && flags.signingKeyFile !== undefined)
    problems.add("--signing-key-file", "requires --resign: recorded signatures are sent as they are");
  if (output.format === "raw") problems.add("-o", "raw is the response to one request, and this command sends many");
  const limit = numberFlag(problems, "--limit", flags.limit, 1);
  const conditions = problems.has("--where") ? [] : (output.where ?? []);
  const where = conditions.map((text) => parseCondition(text, replayView, app.clock.now()));
  const target = await openTarget(call, flags.to, problems);
  const key = await readKeyToSign(call, flags.signingKeyFile, problems);
  const bytes = await problems.gather(() => readBytes(app, path, MAX_RECORD_BYTES));
  if (problems.found.length > 0 || bytes === undefined || !target) return undefined;
  const chosen = chooseDeliveries(
    new TextDecoder().decode(bytes),
    { file: inputName(path), where, limit, key },
    problems,
  );
  return { target, ...chosen };
}

async function run(call: Call<Flags>, replay: Replay | undefined): Promise<View> {
  if (!replay) return { kind: "nothing" };
  const { target, deliveries, isCut, damaged } = replay;
  if (isCut) await call.say("note: the last line is cut off; skipped");
  for (const { where, rule } of damaged) await call.say(`warning: ${where} ${rule}; skipped`);
  if (isShown(call)) {
    const { showDeliveries } = await import("./shown-delivery.ts");
    return await showDeliveries(call, target, deliveries);
  }
  if (deliveries.length > 0)
    await call.say(
      "note: the events keep their IDs, so a receiver that removes duplicates ignores events that it has seen",
    );
  return replayed(call, replay);
}
