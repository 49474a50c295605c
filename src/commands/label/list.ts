import { storedList } from "../../command-support/printing.ts";
import { labelsOf } from "../../config/labels.ts";
import { fieldsView, type ResourceView, toColumn } from "../../terminal/view.ts";
import type { CommandFile } from "../command.ts";
import { defineChoosingFlags } from "../list-flags.ts";

const FIELDS = ["name", "kind", "address"];

const labelView: ResourceView = {
  ...fieldsView("label", FIELDS, () => undefined),
  id: "name",
  table: [
    toColumn("label", "name"),
    toColumn("kind", "kind"),
    { ...toColumn("address", "address"), whole: true, worth: "always" },
  ],
  hasLabels: true,
};

export const labelList: CommandFile = {
  summary: "List the labels and their addresses",
  sends: "nothing",
  examples: ["relayctl label list", "relayctl label list --where kind=evm", "relayctl label list -o json"],
  resource: labelView,
  description:
    "List the labels of addresses on this machine. A label is shown next to its address on a terminal, and is typed with @ in place of an address: --to @treasury.",
  define: (command) => command.optionsGroup("List").include(defineChoosingFlags, "kind=evm, name~pay"),
  async run({ app }) {
    return storedList(labelView, labelsOf(await app.config.read()), app.config.path);
  },
};
