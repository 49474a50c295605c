import type { Label } from "../../config/labels.ts";
import type { Problems } from "../../contract/problems.ts";
import type { CommandFile } from "../command.ts";
import { storeLabelChange } from "./change.ts";

export const labelImport: CommandFile<object, readonly Label[]> = {
  summary: "Set labels from a file",
  sends: "nothing",
  ends: { ok: "created or changed", declined: "other addresses not confirmed", conflict: "changed by another program" },
  examples: [
    "relayctl label import labels.json",
    "relayctl label import labels.csv --yes",
    "relayctl label import - --quiet < labels.json",
  ],
  args: [{ name: "<file>", description: "JSON or CSV file (`-` for stdin)", isFile: true }],
  description:
    "Set labels from a file: a JSON object of addresses by label, the JSON that `label list -o json` prints, or CSV with the columns name and address. All of them are set, or none. Labels that the file does not contain are kept; changing the address of a label requires confirmation.",
  async prepare({ app, args: [path = ""] }, problems: Problems) {
    const { readLabels } = await import("./read-labels.ts");
    return await readLabels(app, path, problems);
  },
  async run(call, labels) {
    const { created, changed } = await storeLabelChange(call, labels);
    const same = labels.length - created.length - changed.length;
    await call.say({
      done: `imported ${labels.length === 1 ? "1 label" : `${labels.length} labels`}: ${created.length} created, ${changed.length} changed, ${same} already set`,
    });
    return { kind: "nothing" };
  },
};
