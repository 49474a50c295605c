import type { Command } from "commander";
import type { Answer } from "../../client/answer.ts";
import type { Client } from "../../client/client.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { operations } from "../../contract/operations.ts";
import type { SponsoredVerb } from "../../contract/relayer-rules.ts";
import { readId } from "../../flow/ids.ts";
import { givenText } from "../../flow/problems.ts";
import type { ResourceView } from "../../terminal/view.ts";
import { choiceOption } from "../choice-option.ts";
import type { CommandFile } from "../command.ts";
import { getView } from "../get-view.ts";
import { type BodyFlags, bodyFromFlags } from "./body-flags.ts";
import { senderOperand } from "./operands.ts";
import { refuseBySponsor, type Sponsored } from "./sponsor-check.ts";

interface Described {
  verb: SponsoredVerb;
  summary: string;
  description: string;
  examples: readonly string[];
  resource: ResourceView;
  /** The members of which `-o name` prints the first that is there. */
  names: readonly string[];
  ask(client: Client, sponsored: Sponsored): Promise<Answer>;
}

/** `tx quote` and `tx build` take the same body and change nothing (service-facts 3.5). */
export function sponsoredCommand(described: Described): CommandFile<BodyFlags, Sponsored> {
  const { verb, summary, examples, resource, names, ask } = described;
  return {
    summary,
    sends: "read",
    ends: { conflict: "the relayer is paused or disabled" },
    examples,
    resource,
    operands: [{ ...senderOperand, description: "the relayer that would send it" }],
    define: (command) => define(command, described.description),
    async prepare(call, problems) {
      const relayerId = await readId(call, problems, "relayer-id", call.operands[0]);
      const { kind: asked } = call.flags;
      const typed = await bodyFromFlags(call, problems, givenText);
      // zod is slow to load, and help does without.
      const { judgeSponsored } = await import("./sponsored-body.ts");
      const kind = judgeSponsored(problems, typed, isNetworkKind(asked) ? asked : undefined, verb);
      return { relayerId, kind, body: typed.body };
    },
    run: (call, sponsored) =>
      getView(call, {
        resource,
        ask: {
          operation: operations[`tx.${verb}`],
          parameters: { relayer_id: sponsored.relayerId },
          body: sponsored.body,
        },
        async get(client) {
          await refuseBySponsor(call, sponsored, verb);
          return await ask(client, sponsored);
        },
        nameOf: (found) => String(names.map((name) => found[name] ?? "").find((value) => value !== "") ?? ""),
      }),
  };
}

function define(command: Command, description: string): void {
  command
    .description(description)
    .optionsGroup("Fee")
    .option("--fee-token <token>", "required: a mint on Solana; native, CODE:ISSUER or a contract on Stellar")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "the encoded serialized transaction")
    .optionsGroup("Stellar")
    .option("--transaction-xdr <base64>", "a built transaction")
    .option("--operations <file>", "a JSON list of operations; - reads stdin; needs --source-account")
    .option("--source-account <account>", "who sends")
    .optionsGroup("Request")
    .addOption(choiceOption("--kind <kind>", "where the flags leave it open", ["solana", "stellar"]))
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin");
}
