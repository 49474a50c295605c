import { showExplorerPage } from "../../../command-support/explorer-page.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call } from "../../command.ts";

export async function txExplorerPage(
  call: Call<{ web?: true }>,
  relayerId: string,
  { id, hash, signature }: Transaction,
): Promise<View> {
  const name = hash ?? signature;
  if (typeof name !== "string" || name === "")
    throw new RelayctlError("unmet", `transaction "${id}" has no hash yet`, {
      hint: "it has a page once it was sent",
      retryable: true,
    });
  const { client } = await call.session();
  return await showExplorerPage(call, (await client.relayers.get(relayerId)).data, { tx: name });
}
