import { validateBody } from "../../contract/requests/body-problems.ts";
import { signTransactionSchema } from "../../contract/requests.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { signCommand, signedTransactionView, textInput } from "./sign/sign-command.ts";

/** `relayctl relayers sign-transaction <id>` (facts 3.2). */
export const relayersSignTransaction = signCommand({
  verb: "sign-transaction",
  summary: "Sign a Stellar or Solana transaction without sending it",
  description:
    "Sign a transaction of a Stellar or Solana relayer without sending it. Anyone who has the output can send the transaction. EVM relayers sign what they send with `relayctl tx send`.",
  examples: [
    "relayctl relayers sign-transaction xlm-treasury --unsigned-xdr-file payment.xdr",
    "relayctl relayers sign-transaction sol-pay --transaction AQABAg== -o json --query transaction",
    "relayctl relayers sign-transaction sol-pay --transaction AQABAg== --dry-run",
  ],
  resource: signedTransactionView,
  name: "signature",
  define,
  async interview(call, fields) {
    const { file: _, interactive: __, ...others } = call.flags;
    const { transactionInterview } = await import("./sign/interview.ts");
    return await transactionInterview(call, Object.keys({ ...fields, ...others }).length > 0);
  },
  // Base64 is trimmed: whitespace in a file has no meaning.
  async typedFields(call, problems) {
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
  },
  validate(problems, body, sourceOf) {
    if (problems.found.length === 0) validateBody(problems, signTransactionSchema, body, sourceOf);
  },
  sign: (client, id, body) => client.relayers.signTransaction(id, body),
});

function define(command: CommandSyntax) {
  return command
    .optionsGroup("Stellar")
    .option("--unsigned-xdr <base64>", "Transaction envelope")
    .option("--unsigned-xdr-file <file>", "Read the transaction envelope from a file (`-` for stdin)")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "Serialized transaction")
    .option("--transaction-file <file>", "Read the serialized transaction from a file (`-` for stdin)");
}
