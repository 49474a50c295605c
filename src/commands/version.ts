import { viewLines } from "../terminal/view.ts";
import { buildFacts, VERSION } from "../version.ts";
import type { CommandFile } from "./command.ts";

const KINDS: Readonly<Record<string, string>> = { npm: "npm package", executable: "executable", source: "source" };
const RUNTIMES = { node: "Node.js", bun: "Bun" };

export const version: CommandFile = {
  summary: "Print the version, and how and from which commit it was built",
  sends: "nothing",
  examples: ["relayctl version", "relayctl version -o json", "relayctl version -o json --query commit"],
  description:
    "Print the version, how relayctl was built (npm package, executable, or source), what runs it, the platform, and the commit that it was built from. `relayctl --version` prints only the version. Sends nothing: relayctl never checks for updates.",
  async run({ app: { runtime } }) {
    const { kind, commit, isClean } = buildFacts();
    return {
      kind: "facts",
      lines: [
        ...viewLines("version", [{ text: VERSION }]),
        ...viewLines("build", [{ text: KINDS[kind] ?? kind }]),
        ...viewLines("runtime", [{ text: `${RUNTIMES[runtime.name]} ${runtime.version}` }]),
        ...viewLines("platform", [{ text: runtime.platform }]),
        ...viewLines("commit", [
          { text: `${commit ?? "unknown"}${isClean === false ? ", with uncommitted changes" : ""}` },
        ]),
      ],
      name: VERSION,
      value: {
        version: VERSION,
        build: kind,
        runtime: runtime.name,
        runtime_version: runtime.version,
        platform: runtime.platform,
        commit: commit ?? null,
        clean: isClean ?? null,
      },
    };
  },
};
