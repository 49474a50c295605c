import { projectLines } from "../../config/project/project.ts";
import { RelayctlError } from "../../errors.ts";
import { createCommand } from "../command.ts";

export const contextTrust = createCommand({
  summary: "Trust the project file of this folder",
  sends: "nothing",
  ends: { ok: "trusted, or forgotten", not_found: "no project file in this folder or above" },
  examples: ["relayctl context trust", "relayctl context trust --forget", "relayctl context trust --quiet"],
  description:
    "Trust the project file of this folder, .relayctl.json, and print what it sets: the context, the files of the fleet, and labels. The file is looked for from the working directory up to the root of the repository or the home folder. Commands use it until its content changes.",
  define: (command) => command.option("--forget", "Forget the file: commands no longer use it"),
  async run({ app, flags, say }) {
    if (flags.forget) {
      const { path, wasTrusted } = (await app.projectFile?.forget()) ?? refuseTrust();
      await say({ done: wasTrusted ? `forgot ${path}` : `${path} was not trusted; nothing was changed` });
      return { kind: "nothing" };
    }
    const found = (await app.projectFile?.find()) ?? refuseTrust();
    await found.remember();
    await say({ done: `trusted ${found.path}, until it changes` });
    for (const line of projectLines(found)) await say(`  ${line}`);
    return { kind: "nothing" };
  },
});

function refuseTrust(): never {
  throw new RelayctlError(
    "not_found",
    "there is no .relayctl.json in this folder, nor above it up to the root of its repository or the home folder",
  );
}
