import { setMaxListeners } from "node:events";
import { dirname } from "node:path";
import { resolveSettings } from "../../../config/resolve-settings.ts";
import type { Settings } from "../../../config/settings.ts";
import type { LocalFacts, OpenFile } from "../../../doctor/facts.ts";
import type { Examiner } from "../../../doctor/read/read-facts.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import { readJournal } from "./read-journal.ts";

/**
 * Reads what this machine shows of itself. The files of relayctl are made private whenever they are read; those that stay
 * open are in a shared folder, or are the user's own.
 * @param journal the folder of the journal, if one is kept
 */
async function readLocal({ app, common }: Call, journal: string | undefined): Promise<LocalFacts> {
  const settings = await resolveSettings(common, app.env, () => app.config.read());
  const open = listFiles(settings, app.config, journal).flatMap((file): OpenFile[] => {
    const others = app.othersMay(file.path);
    return others === undefined || (others === "read" && !file.isSecret) ? [] : [{ ...file, others }];
  });
  const { name, version } = app.runtime;
  return { open, nodeVersion: settings.demo || name !== "node" ? undefined : version };
}

/** Returns the files that relayctl uses, and the folders in which others could replace them. */
function listFiles(
  settings: Settings,
  config: Call["app"]["config"],
  journal: string | undefined,
): Omit<OpenFile, "others">[] {
  if (settings.demo) return [];
  const { context, token, headers, caFiles } = settings;
  const secret = (path: string, what: string) => ({ path, what, isSecret: true });
  const shared = (path: string, what: string) => ({ path, what, isSecret: false });
  return [
    ...(context ? [secret(config.path, "the config"), shared(dirname(config.path), "the folder of the config")] : []),
    ...(token.kind === "file" && token.path !== "-" ? [secret(token.path, "the file with the token")] : []),
    ...headers.flatMap((source) =>
      source.kind === "file" && source.path !== "-" ? [secret(source.path, "a file with headers")] : [],
    ),
    ...caFiles.map(({ value }) => shared(value, "a file with certificates to trust")),
    ...(journal === undefined ? [] : [shared(journal, "the folder of the journal")]),
  ];
}

/** Returns what reads with the session of a call, and with the journal and the files of this machine. */
export async function examinerOf(call: Call): Promise<Examiner> {
  const { clock, interrupt, abandon } = call.app;
  // Each request in progress listens to the signals.
  setMaxListeners(0, interrupt, abandon);
  return {
    session: await call.session(),
    ...{ clock, interrupt, isDemo: call.common.demo === true },
    async readHere(relayers) {
      const { journal, folder, pauses } = await readJournal(call, relayers);
      return { journal, pauses, local: { value: await readLocal(call, folder) } };
    },
  };
}

/** Returns why the config cannot be read; undefined if it can. */
export async function configFault({ app, common }: Call): Promise<string | undefined> {
  if (common.demo) return undefined;
  try {
    await app.config.read();
    return undefined;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure !== "usage") throw error;
    return error.message;
  }
}
