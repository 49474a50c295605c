import type { App } from "../app.ts";
import { type FoundProject, projectLines } from "../config/project/project.ts";
import { RelayctlError } from "../errors.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { CommonFlags } from "./common-flags.ts";
import { messageWriter } from "./printing.ts";
import { canPrompt } from "./prompting/prompts.ts";

/** Returns the app with the project file that the user trusts, which is read at most once; without it in `--demo`. */
export function withProject(app: App, common: CommonFlags): App {
  const { projectFile } = app;
  if (common.demo || !projectFile) return Object.create(app, { projectFile: { value: undefined } });
  let found: Promise<FoundProject | undefined> | undefined;
  let trusted: Promise<FoundProject | undefined> | undefined;
  const find = () => (found ??= projectFile.find());
  const project = () => (trusted ??= find().then((each) => trustedProject(each, app, common)));
  return Object.create(app, {
    projectFile: { value: { find, forget: () => projectFile.forget() } },
    project: { value: project },
  });
}

async function trustedProject(found: FoundProject | undefined, app: App, common: CommonFlags) {
  if (!found || found.trust === "trusted") return found;
  const { path } = found;
  const why = found.trust === "changed" ? "changed since it was trusted" : "is not trusted yet";
  if (!canPrompt(app, common)) {
    const command = commandLine("context", "trust");
    await messageWriter(app, common)(`note: ${path} ${why}, and is not used; to use it, run ${command}`);
    return undefined;
  }
  const say = messageWriter(app, { color: common.color });
  await say(`${path} ${why}. It sets:`);
  for (const line of projectLines(found)) await say(`  ${line}`);
  const prompts = await app.prompts({ color: common.color });
  if (!(await prompts.confirm("Use this file, until it changes?")))
    throw new RelayctlError("declined", `${path} is not trusted; nothing was sent`, {
      hint: "run the command in another folder",
    });
  await found.remember();
  return found;
}
