import { Buffer } from "node:buffer";
import { solanaInstructions, solanaInstructionText } from "../../contract/transaction/solana-transaction.ts";
import { escapeText } from "../../terminal/escape.ts";

export function describeBuilt(transaction: string): string[] {
  return (solanaInstructions(transaction) ?? []).map((instruction) => {
    const { programId, accounts, data } = instruction;
    const bytes = Buffer.from(data).toString("hex");
    const whole = `call ${programId} with accounts ${accounts.join(", ")} and data 0x${bytes}`;
    return escapeText(solanaInstructionText(instruction) ?? whole);
  });
}
