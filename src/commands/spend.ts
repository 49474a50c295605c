import { GROUPINGS, type Grouping } from "../audit/spend-groups.ts";
import { showIfDryRun } from "../command-support/shown.ts";
import { SINCE } from "../config/since.ts";
import { operations } from "../contract/operations.ts";
import type { Problems } from "../contract/problems.ts";
import { fieldsInOutputOptions } from "../terminal/output-options.ts";
import type { ResourceView } from "../terminal/view.ts";
import { spendView, spendViewBy, spentPaymentView } from "../views/audit/spend.ts";
import { costView } from "../views/history/costs.ts";
import { defineAuditSpan, readAuditSpan } from "./audit/span.ts";
import { type Call, type CommandSyntax, createCommand, type ParsedFlags, refuseRaw } from "./command.ts";
import { defineChoosingFlags } from "./list-flags.ts";
import { relayerArgument } from "./resource-arguments.ts";

const MONTH = 30 * 86_400_000;

type Flags = ParsedFlags<typeof defineSpend>;

export const spend = createCommand({
  summary: "Sum what relayers moved and paid in fees, by coin",
  sends: "read",
  ends: { partial: "some transactions or relayers could not be read" },
  variables: ["RELAYCTL_JOURNAL"],
  examples: [
    "relayctl spend base-hot --since 1d",
    "relayctl spend base-hot --by day -o json",
    "relayctl spend --mine --since 30d",
  ],
  resource: spendView,
  args: [{ ...relayerArgument, name: "[relayer-ids...]", description: "Relayer IDs (default: all)" }],
  paginates: true,
  contexts: {},
  description:
    "Sum what relayers moved in value and paid in fees, exactly and by coin, from every nonce that the chain shows, no matter who sent. On Solana and Stellar, relayctl reads the transactions that the node still lists. A reverted transaction does not move value, but its fee counts, like the fee of a transfer to the relayer itself. Failed transactions failed before anything was mined, as the service's records show. -o csv prints one row for each transaction, with the columns that a reimbursement needs. With --mine, relayctl sums only what this machine sent, by its journal.",
  define: defineSpend,
  async prepare(call, problems) {
    refuseRaw(call, problems);
    validateMine(call, problems);
    validateFields(call, problems);
    return await readAuditSpan(call, problems, MONTH);
  },
  async run(call, typed) {
    if (call.flags.mine) {
      const { showCosts } = await import("./history/costs.ts");
      const since = call.flags.since !== undefined && "since" in typed.span ? typed.span.since : undefined;
      return await showCosts(call, since);
    }
    const shown = await showIfDryRun(call, { operation: operations["relayers.list"] });
    return shown ?? (await (await import("./audit/run-spend.ts")).runSpend(call, typed, chosenGrouping(call.flags)));
  },
});

function chosenGrouping({ by }: Flags): Grouping {
  return GROUPINGS.find((each) => each === by) ?? "relayer";
}

function validateMine({ flags, args }: Call<Flags>, problems: Problems): void {
  if (!flags.mine) return;
  const rule = "cannot be combined with --mine, which sums the journal of this machine by relayer";
  if (args.length > 0) problems.add("<relayer-id>", rule, args[0]);
  if (flags.by !== undefined) problems.add("--by", rule);
  if (flags.node !== undefined) problems.add("--node", rule);
  if (flags.state !== undefined) problems.add("--state", rule);
}

export function spendResource({ flags, output }: Pick<Call<Flags>, "flags" | "output">): ResourceView {
  if (flags.mine) return costView;
  return output.format === "csv" ? spentPaymentView : spendViewBy(chosenGrouping(flags));
}

function validateFields(call: Call<Flags>, problems: Problems): void {
  const { fields } = spendResource(call);
  for (const name of fieldsInOutputOptions(call.output))
    if (!fields.includes(name) && spendView.fields.includes(name))
      problems.add("--fields", `has no ${name} in this form; it has ${fields.join(", ")}`, name);
}

function defineSpend(command: CommandSyntax) {
  return command
    .optionsGroup("Transactions")
    .option(...SINCE)
    .choice("--by <grouping>", "Group by this (default: relayer)", GROUPINGS)
    .option("--mine", "Sum only what was sent with relayctl from this machine")
    .include(defineAuditSpan)
    .optionsGroup("List")
    .include(defineChoosingFlags, "coin=ETH, fee>0.1eth, reverted>0");
}
