import { dirname } from "node:path";
import { resolveSettings } from "../../../config/resolve-settings.ts";
import type { Settings } from "../../../config/settings.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import type { LocalFacts, OpenFile } from "../facts.ts";

/**
 * Reads what this machine shows of itself. The files of relayctl are made private whenever they are read; those that stay
 * open are in a shared folder, or are the user's own.
 * @param journal the folder of the journal, if one is kept
 */
export async function readLocal({ app, common }: Call, journal: string | undefined): Promise<LocalFacts> {
  const settings = await resolveSettings(common, app.env, () => app.config.read());
  const open = filesOf(settings, app.config, journal).flatMap((file): OpenFile[] => {
    const others = app.othersMay(file.path);
    return others === undefined || (others === "read" && !file.isSecret) ? [] : [{ ...file, others }];
  });
  return { open, nodeVersion: settings.demo ? undefined : app.nodeVersion };
}

/** Returns the files that relayctl uses, and the folders in which others could replace them. */
function filesOf(
  settings: Settings,
  config: Call["app"]["config"],
  journal: string | undefined,
): Omit<OpenFile, "others">[] {
  if (settings.demo) return [];
  const { context, token, caFiles } = settings;
  const secret = (path: string, what: string) => ({ path, what, isSecret: true });
  const shared = (path: string, what: string) => ({ path, what, isSecret: false });
  return [
    ...(context ? [secret(config.path, "the config"), shared(dirname(config.path), "the folder of the config")] : []),
    ...(token.kind === "file" && token.path !== "-" ? [secret(token.path, "the file with the token")] : []),
    ...caFiles.map(({ value }) => shared(value, "a file with certificates to trust")),
    ...(journal === undefined ? [] : [shared(journal, "the folder of the journal")]),
  ];
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
