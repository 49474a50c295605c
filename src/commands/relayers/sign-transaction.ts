import type { Command } from "commander";
import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../command-support/problems.ts";
import { readBodyFile, sourcesOf } from "../../command-support/request-body/body-file.ts";
import { validateBody } from "../../command-support/request-body/body-problems.ts";
import type { JsonObject } from "../../contract/json.ts";
import { signTransactionSchema } from "../../contract/requests.ts";
import { BODY_FILE } from "../body-options.ts";
import type { Call, CommandFile } from "../command.ts";
import { relayerArgument } from "./arguments.ts";
import { type Signing, signedView } from "./sign/signing.ts";
import { textInput } from "./sign/text-input.ts";
import { signedTransactionView } from "./sign/view.ts";

interface TransactionFlags {
  unsignedXdr?: string;
  unsignedXdrFile?: string;
  transaction?: string;
  transactionFile?: string;
  file?: string;
  interactive?: true;
}

/** `relayctl relayers sign-transaction <id>` (facts 3.2). */
export const relayersSignTransaction: CommandFile<TransactionFlags, Signing> = {
  summary: "Sign a Stellar or Solana transaction without sending it",
  sends: "read",
  ends: { conflict: "paused or disabled" },
  examples: [
    "relayctl relayers sign-transaction xlm-treasury --unsigned-xdr-file payment.xdr",
    "relayctl relayers sign-transaction sol-pay --transaction AQABAg== -o json --query transaction",
    "relayctl relayers sign-transaction sol-pay --transaction AQABAg== --dry-run",
  ],
  resource: signedTransactionView,
  args: [relayerArgument],
  define,
  interview,
  prepare,
  run: (call, signing) =>
    signedView(call, signing, {
      operation: "relayers.sign-transaction",
      resource: signedTransactionView,
      name: "signature",
      sign: (client, id, body) => client.relayers.signTransaction(id, body),
    }),
};

function define(command: Command): void {
  command
    .description(
      "Sign a transaction of a Stellar or Solana relayer without sending it. Anyone who has the output can send the transaction. EVM relayers sign what they send with `relayctl tx send`.",
    )
    .optionsGroup("Stellar")
    .option("--unsigned-xdr <base64>", "Transaction envelope")
    .option("--unsigned-xdr-file <file>", "Read the transaction envelope from a file (`-` for stdin)")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .option("--transaction-file <file>", "Read the serialized transaction from a file (`-` for stdin)")
    .optionsGroup("Request")
    .option(...BODY_FILE);
}

async function interview(call: Call<TransactionFlags>): Promise<string[]> {
  const { file, interactive: _, ...others } = call.flags;
  const { fields } = await readBodyFile(call.app, file);
  const { transactionInterview } = await import("./sign/interview.ts");
  return await transactionInterview(call, Object.keys({ ...fields, ...others }).length > 0);
}

async function prepare(call: Call<TransactionFlags>, problems: Problems): Promise<Signing> {
  const id = await readId(call, problems, "id", call.args[0]);
  const fromFile = await readBodyFile(call.app, call.flags.file);
  const typed = await typedFields(call, problems);
  const body: JsonObject = { ...fromFile.fields, ...typed };
  if (problems.found.length === 0) validateBody(problems, signTransactionSchema, body, sourcesOf(typed, fromFile));
  return { id, body };
}

/** Returns the typed fields, with base64 trimmed: whitespace in a file has no meaning. */
async function typedFields(call: Call<TransactionFlags>, problems: Problems): Promise<JsonObject> {
  const { unsignedXdr, unsignedXdrFile, transaction, transactionFile } = call.flags;
  const xdr = await textInput(call, problems, { flag: "--unsigned-xdr", text: unsignedXdr, file: unsignedXdrFile });
  const encoded = await textInput(call, problems, {
    flag: "--transaction",
    text: transaction,
    file: transactionFile,
  });
  return {
    ...(xdr !== undefined && { unsigned_xdr: xdr.trim() }),
    ...(encoded !== undefined && { transaction: encoded.trim() }),
  };
}
