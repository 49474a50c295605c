import { keptIds, keptText } from "../completion/kept-ids.ts";
import { LIVE_KINDS, type LiveKind } from "../completion/words.ts";
import type { Settings } from "../config/settings.ts";
import type { Problems } from "../contract/problems.ts";
import { readSettings } from "../session/read-settings.ts";
import type { View } from "../terminal/view.ts";
import type { Call, CommandFile } from "./command.ts";
import { readLiveIds } from "./live-ids.ts";

interface Asked {
  kind: LiveKind;
  name: string;
  relayer: string;
}

/**
 * `relayctl __ids <kind> <name> [relayer]`: started by completion in the background. It requests the IDs from the
 * selected service and caches them; its output is not read, and it must not prompt or run a program.
 */
export const completionIds: CommandFile<object, Asked> = {
  summary: "Store the service's IDs for completion",
  examples: [],
  sends: "read",
  args: [
    { name: "<kind>", description: LIVE_KINDS.join(", ") },
    { name: "<name>", description: "Name of the file to store them in" },
    { name: "[relayer]", description: "Relayer whose transactions are stored" },
  ],
  define: () => {},
  prepare,
  run,
};

async function prepare({ args }: Call, problems: Problems): Promise<Asked> {
  const [typed, name = "", relayer = ""] = args;
  const kind = LIVE_KINDS.find((kind) => kind === typed);
  if (!kind) problems.add("<kind>", `one of ${LIVE_KINDS.join(", ")}`, typed);
  if (!/^[0-9a-f]{16}$/.test(name)) problems.add("<name>", "16 hex digits", name);
  return { kind: kind ?? "relayer", name, relayer };
}

async function run(call: Call, { kind, name, relayer }: Asked): Promise<View> {
  const { app, common } = call;
  const settings = await readSettings(app, common);
  await app.keepForCompletion(name, async (text) => {
    const keeping = { now: app.clock.now(), token: app.env.RELAYCTL_TOKEN };
    // Another process may have read the IDs since this one started.
    if (text !== undefined && (await keptIds(text, keeping))) return app.secrets.redact(text);
    const ids = runsProgram(settings) ? [] : await readLiveIds((await call.session()).client, kind, relayer);
    return app.secrets.redact(await keptText(ids, app.random.uuid(), keeping));
  });
  return { kind: "nothing" };
}

/** Returns whether a program prints credentials: it may prompt, and completion never runs one (promises 6). */
function runsProgram(settings: Settings): boolean {
  return !settings.demo && [settings.token, ...settings.headers].some(({ kind }) => kind === "command");
}
