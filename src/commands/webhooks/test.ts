import { isShown } from "../../command-support/shown.ts";
import { writeJson } from "../../contract/json.ts";
import { NETWORK_KINDS } from "../../contract/network-kind.ts";
import type { Problems } from "../../contract/problems.ts";
import { EVENT_WORDS } from "../../contract/webhook/catalog.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import type { CommandSyntax, ParsedFlags } from "../flags/syntax.ts";
import { type ChosenEvent, chosenEvent } from "./chosen-event.ts";
import { defineKeyFlag, readKeyToSign } from "./signing-keys.ts";
import { type DeliveryTarget, openTarget } from "./target.ts";
import { type Check, checksOf, checksView, checkTarget, signed } from "./test/checks.ts";
import { testEvent } from "./test-event.ts";

type Flags = ParsedFlags<typeof define>;

interface Typed {
  chosen: ChosenEvent;
  key: string | undefined;
  target: DeliveryTarget;
}

/** `relayctl webhooks test --to URL`: sends an example as the service would send it (facts 7.1). */
export const webhooksTest: CommandFile<Flags, Typed | undefined> = {
  summary: "Send an example event to a receiver",
  sends: "deliveries",
  ends: { ok: "accepted", unmet: "not accepted, or a wrong signature was accepted" },
  examples: [
    "relayctl webhooks test --to http://127.0.0.1:8080/hook --signing-key-file signing.key",
    "relayctl webhooks test --to http://127.0.0.1:8080/hook --signing-key-file signing.key --check-refusal",
    "relayctl webhooks test --event relayer_disabled --network-type stellar --to http://127.0.0.1:8080/hook --curl",
  ],
  define,
  prepare,
  run,
};

function define(command: CommandSyntax) {
  return command
    .description(
      "Send an example event to a receiver, with the headers and the compact body of the service, and report whether the receiver accepts it with a status from 200 to 299. A transaction in it does not exist, and is not confirmed. Sends each request once, follows no redirect, and contacts only the URL that you type, which may be in a private network.",
    )
    .optionsGroup("Delivery")
    .option("--to <url>", "URL of the receiver (required)")
    .choice("--event <event>", "Event to send (default: transaction_update)", EVENT_WORDS)
    .choice("--network-type <type>", "Network type of the event (default: evm if it sends the event)", NETWORK_KINDS)
    .include(defineKeyFlag, "Sign with the key in this file")
    .option("--check-refusal", "Also send a wrong signature and no signature, which the receiver must refuse");
}

async function prepare(call: Call<Flags>, problems: Problems): Promise<Typed | undefined> {
  const { event = "transaction_update", networkType: kind, to, signingKeyFile, checkRefusal } = call.flags;
  const chosen = problems.has("--event") ? undefined : chosenEvent(event, kind, problems, "--event");
  if (checkRefusal && signingKeyFile === undefined)
    problems.add("--check-refusal", "requires --signing-key-file: the receiver must accept a valid signature");
  const target = await openTarget(call, to, problems);
  const key = await readKeyToSign(call, signingKeyFile, problems);
  return chosen && target && { chosen, target, key };
}

async function run(call: Call<Flags>, typed: Typed | undefined): Promise<View> {
  if (!typed) return { kind: "nothing" };
  const { chosen, target, key } = typed;
  const { app, flags } = call;
  const checks: Check[] = checksOf(key, flags.checkRefusal === true).map((signature) => {
    const event = testEvent(app, chosen);
    return { signature, id: event.id, body: new TextEncoder().encode(writeJson({ ...event })) };
  });
  if (isShown(call)) {
    const { showDeliveries } = await import("./shown-delivery.ts");
    return await showDeliveries(
      call,
      target,
      checks.map((check) => signed(check, key)),
    );
  }
  return checksView(chosen.entry, target, await checkTarget(target, checks, key));
}
