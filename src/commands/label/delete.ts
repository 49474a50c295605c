import type { Call } from "../../command-support/call.ts";
import { type Label, labelName, labelProblem, labelsOf, withLabels } from "../../config/labels.ts";
import { NETWORK_KINDS, type NetworkKind } from "../../contract/network-kind.ts";
import { RelayctlError } from "../../errors.ts";
import { didYouMean } from "../../nearest.ts";
import { commandLine } from "../../shell/shell-words.ts";
import type { Choice } from "../../terminal/prompts.ts";
import { type Argument, createCommand } from "../command.ts";
import { resourceChoices } from "../resource-arguments.ts";

export const newLabelArgument: Argument = {
  name: "<label>",
  description: "Label, with or without @",
  problem: (answer) => labelProblem(labelName(answer)),
};

export const labelsArgument: Argument = {
  ...newLabelArgument,
  name: "<labels...>",
  noun: "label",
  description: "Labels, with or without @",
  choices: labelChoices,
};

async function labelChoices({ app }: Call): Promise<readonly Choice<string>[]> {
  const labels = labelsOf(await app.config.read());
  if (labels.length === 0)
    throw new RelayctlError("not_found", "there are no labels yet", { hint: "relayctl label set --help" });
  return resourceChoices(labels.map(({ name, kind, address }) => ({ value: name, about: [kind, address] })));
}

export const labelDelete = createCommand({
  summary: "Delete labels",
  sends: "nothing",
  examples: [
    "relayctl label delete treasury",
    "relayctl label delete treasury --network-type evm",
    "relayctl label delete treasury --quiet",
  ],
  args: [labelsArgument],
  description: "Delete labels, and print the commands that set them again. Addresses are not affected.",
  define: (command) =>
    command.choice("--network-type <type>", "Delete only the label of this network type", NETWORK_KINDS),
  async run(call) {
    const { app, args, flags, say } = call;
    const names = args.map(labelName);
    const isOfKind = ({ kind }: Label) => (flags.networkType ?? kind) === kind;
    const isMeant = (label: Label) => names.includes(label.name) && isOfKind(label);
    let deleted: readonly Label[] = [];
    await app.config.change((config) => {
      const all = labelsOf(config);
      deleted = all.filter(isMeant);
      const missing = names.filter((name) => !deleted.some((label) => label.name === name));
      if (missing.length > 0) throw notFound(missing, all.filter(isOfKind), flags.networkType);
      return withLabels(
        config,
        all.filter((label) => !isMeant(label)),
      );
    });
    for (const { name, address } of deleted) await say({ done: `deleted @${name}: ${address}` });
    for (const { name, address } of deleted) await say({ undo: commandLine("label", "set", name, address) });
    return { kind: "nothing" };
  },
});

function notFound(missing: readonly string[], known: readonly Label[], kind: NetworkKind | undefined): RelayctlError {
  const typed = missing.map((name) => `@${name}`);
  const meant = didYouMean(
    typed,
    known.map(({ name }) => `@${name}`),
  );
  const labels = `${missing.length === 1 ? "label" : "labels"} ${typed.map((name) => `"${name}"`).join(", ")}`;
  const of = kind === undefined ? "" : ` of kind ${kind}`;
  return new RelayctlError("not_found", `unknown ${labels}${of}${meant}`, { hint: "relayctl label list" });
}
