import { type Label, labelName } from "../../config/labels.ts";
import type { Problems } from "../../contract/problems.ts";
import type { CommandFile } from "../command.ts";
import { storeLabelChange, validLabelChange } from "./change.ts";
import { newLabelArgument } from "./delete.ts";

export const labelSet: CommandFile<object, Label> = {
  summary: "Set a label for an address",
  sends: "nothing",
  ends: { ok: "created or changed", declined: "another address not confirmed", conflict: "changed by another program" },
  examples: [
    "relayctl label set treasury 0x52908400098527886E0F7030069857D2E4169EE7",
    "relayctl label set payouts GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ",
    "relayctl label set treasury 0x8617E340B3D01FA5F11F306F4090FD50E238070D --yes",
  ],
  args: [newLabelArgument, { name: "<address>", description: "Address on EVM (0x…), Solana, or Stellar (G…, M…, C…)" }],
  description:
    "Set a label for an address. It is shown next to the address on a terminal, and is typed with @ in place of it: --to @treasury. Labels are stored in the config on this machine, for each kind of network; changing the address of a label requires confirmation.",
  async prepare({ args: [typed = "", address = ""] }, problems: Problems) {
    const [label] = await validLabelChange([{ where: "label set", name: labelName(typed), address }], problems);
    return label;
  },
  async run(call, label) {
    const { created, changed } = await storeLabelChange(call, [label]);
    const [before] = changed.map((each) => each.before);
    const now = `@${label.name}: ${label.address}`;
    if (before !== undefined) await call.say({ done: `changed ${now}, was ${before}` });
    else await call.say({ done: created.length > 0 ? `created ${now}` : `already set: ${now}` });
    return { kind: "nothing" };
  },
};
