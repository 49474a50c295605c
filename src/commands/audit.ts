import { showIfDryRun } from "../command-support/shown.ts";
import { SINCE } from "../config/since.ts";
import { operations } from "../contract/operations.ts";
import { EXIT_CODES } from "../errors.ts";
import { auditView } from "../views/audit/audit.ts";
import { defineAuditSpan, readAuditSpan } from "./audit/span.ts";
import { createCommand, refuseRaw } from "./command.ts";
import { defineChoosingFlags } from "./list-flags.ts";
import { relayerArgument } from "./resource-arguments.ts";

const DAY = 86_400_000;

export const audit = createCommand({
  summary: "Account for every nonce of relayers, no matter who sent",
  sends: "read",
  ends: {
    unmet: "a nonce is foreign, doubled, missing, or of a version that no record shows (--check)",
    partial: "some nonces or relayers could not be read",
  },
  variables: ["RELAYCTL_JOURNAL"],
  examples: [
    "relayctl audit base-hot",
    "relayctl audit base-hot --nonces 40..60 -o json",
    "relayctl audit base-hot --since 7d --where 'kind!=recorded'",
  ],
  resource: auditView,
  args: [{ ...relayerArgument, name: "[relayer-ids...]", description: "Relayer IDs (default: all)" }],
  paginates: true,
  contexts: {},
  description:
    "Account for every nonce that EVM relayers used: relayctl reads the transaction and its receipt from the chain, and compares them with the service's record and the journal. A nonce is foreign if neither knows its transaction: the key is used elsewhere, the record was deleted, or the key leaked. A nonce is doubled if the journal shows two transactions for one intent, and a gap if later nonces wait for it. A nonce is maybe doubled if another one did the same within an hour; --check ignores those. relayctl caches final blocks, so that the next run only reads what is new. On Solana and Stellar, it lists the transactions that the node still has, and says where that history begins.",
  define: (command) =>
    command
      .optionsGroup("Nonces")
      .option(...SINCE)
      .option("--nonces <range>", "Only these nonces of one EVM relayer, first and last, e.g. 40..60")
      .option(
        "--check",
        `Exit with code ${EXIT_CODES.unmet} if a nonce is foreign, doubled, missing, or of a version that no record shows`,
      )
      .include(defineAuditSpan)
      .optionsGroup("List")
      .include(defineChoosingFlags, "kind=foreign,doubled, value>0.1eth, to=0x8617…"),
  async prepare(call, problems) {
    refuseRaw(call, problems);
    const typed = await readAuditSpan(call, problems, DAY);
    if ("since" in typed.span && typed.span.since >= call.app.clock.now())
      problems.add("--since", "lies in the future", call.flags.since);
    return typed;
  },
  run: async (call, typed) => {
    const shown = await showIfDryRun(call, { operation: operations["relayers.list"] });
    return shown ?? (await (await import("./audit/run-audit.ts")).runAudit(call, typed, call.flags.check === true));
  },
});
