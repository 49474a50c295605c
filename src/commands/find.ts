import { readEnv } from "../config/environment.ts";
import { groupDigits } from "../contract/decimal.ts";
import type { Problems } from "../contract/problems.ts";
import { hitView, MOST_SEARCHED } from "../find/view.ts";
import { type Call, createCommand, refuseRaw } from "./command.ts";

export const find = createCommand({
  summary: "Find a hash, an ID, a nonce, an address, or a name",
  sends: "read",
  ends: { ok: "found", not_found: "not found", partial: "a part could not be searched" },
  variables: ["RELAYCTL_JOURNAL"],
  examples: ["relayctl find eth-main", "relayctl find 0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60", "relayctl find 6 -o json"],
  resource: hitView,
  contexts: { itself: true, oneOnly: ["allContexts"] },
  args: [{ name: "<thing>", description: "Hash, ID, nonce, address, @label, or part of a name" }],
  description: `Search all relayers and their transactions, notifications, signers, networks, plugins, and the journal on this machine. What is searched for depends on the text: digits are a nonce, 0x with 64 hex digits is a hash, 0x with 40 is an address, a UUID is a transaction ID, and any other text is an ID or a name, or a part of one. relayctl finds the earlier hash of a replaced transaction in the journal. An address matches relayers, and receivers in the journal. A hash that the journal does not contain is searched for in the newest ${groupDigits(MOST_SEARCHED)} transactions of each relayer. Nothing is changed, and whatever could not be searched is reported.`,
  define: (command) =>
    command
      .optionsGroup("Search")
      .option("--all-contexts", "Search the services of all stored contexts, with their tokens"),
  async prepare(call, problems) {
    const { args, flags, common, app } = call;
    const typed = (args[0] ?? "").trim();
    if (typed === "") problems.add("<thing>", "is empty");
    const text = typed.startsWith("@") ? await readAddress(typed, call, problems) : typed;
    refuseRaw(call, problems);
    const allContexts = flags.allContexts === true;
    if (allContexts) {
      const connection = {
        "--context": common.context,
        "--server": common.server,
        "--token-file": common.tokenFile,
        "--demo": common.demo,
      };
      for (const [flag, value] of Object.entries(connection))
        if (value !== undefined) problems.add(flag, "cannot be combined with --all-contexts");
      for (const name of ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_CONTEXT"] as const)
        if (readEnv(app.env, name) !== undefined)
          problems.add(name, "cannot be combined with --all-contexts; unset it");
    }
    return { text, allContexts };
  },
  run: async (call, request) => (await import("./find/run-find.ts")).runFind(call, request),
});

async function readAddress(label: string, { app }: Call, problems: Problems): Promise<string> {
  const { addressOfLabel } = await import("../session/labels.ts");
  return await addressOfLabel(app, problems, "<thing>", label);
}
