import { readId } from "../../command-support/ids.ts";
import { readSecretFlag } from "../../command-support/prompting/secret-flag.ts";
import type { Problems } from "../../contract/problems.ts";
import { notificationView } from "../../views/notification.ts";
import type { Call, CommandFile } from "../command.ts";
import { newKey, requireKeyOut, validateGenerated } from "../generated-key.ts";
import { notificationArgument } from "../resource-arguments.ts";
import { readSigningKey, warnOfRefusal } from "./flags.ts";
import { defineRotateFlags, keyFileIn, type RotateFlags, type Rotation } from "./rotate-key/flags.ts";
import { rotateKey } from "./rotate-key/rotate.ts";

/** `relayctl notifications rotate-key <id>`: an update of the signing key alone (facts 7.1). */
export const notificationsRotateKey: CommandFile<RotateFlags, Rotation> = {
  summary: "Replace a notification's signing key",
  sends: "patch",
  ends: { ok: "applied", unmet: "not accepted by the receiver" },
  examples: [
    "relayctl notifications rotate-key ops-hook --generate --key-out new.key",
    "relayctl notifications rotate-key ops-hook --signing-key-file new.key --old-key-file old.key --yes",
    "relayctl notifications rotate-key ops-hook --signing-key-file new.key --pre-check --dry-run",
  ],
  resource: notificationView,
  args: [notificationArgument],
  define: defineRotateFlags,
  validateFlags: ({ flags }, problems) => validateGenerated(flags, keyFileIn(flags), problems),
  interview: async (call) => (await import("./rotate-key/interview.ts")).rotateInterview(call),
  prepare,
  run: rotateKey,
};

async function prepare(call: Call<RotateFlags>, problems: Problems): Promise<Rotation> {
  const { generate, keyOut, signingKeyFile, oldKeyFile, preCheck = false } = call.flags;
  const id = await readId(call, problems, "id", call.args[0]);
  validateGenerated(call.flags, keyFileIn(call.flags), problems);
  const isMissing = !generate && signingKeyFile === undefined && !problems.has("--key-out");
  if (isMissing) problems.add("notifications rotate-key", "needs --generate with --key-out, or --signing-key-file");
  requireKeyOut(call.flags, problems);
  const oldKey = await readSecretFlag(call, problems, {
    flag: "--old-key-file",
    file: oldKeyFile,
    question: "Current signing key (hidden):",
    problem: (key) => (key === "" ? "enter the current key" : undefined),
  });
  const key = generate ? newKey(call) : await readSigningKey(call, problems);
  if (key !== undefined && key === oldKey) problems.add("--old-key-file", "is the same key as the new one");
  await warnOfRefusal(call, key === undefined ? {} : { signing_key: key });
  const keyFile = generate ? keyOut : signingKeyFile;
  return { id, key: key ?? "", keyFile, isGenerated: generate === true, oldKey, oldKeyFile, isPreChecked: preCheck };
}
