import type { ApiResult } from "../../../client/api-result.ts";
import { failureOfMany } from "../../../command-support/bulk/failure.ts";
import { type Run, runAll } from "../../../command-support/bulk/run.ts";
import type { Call } from "../../../command-support/call.ts";
import type { Balance } from "../../../contract/resources/relayer.ts";
import type { Page, View } from "../../../terminal/view.ts";
import { drawnSymbol } from "../../coins/symbol-for.ts";
import { balancesViewIn, isInCoin } from "./view.ts";

/** The maximum of concurrent requests; more could exhaust a node's own rate limit. */
const AT_ONCE = 8;

/** Returns the balances of several relayers, in typed order. A balance that cannot be read does not hide the others. */
export async function severalBalances(call: Call, ids: readonly string[]): Promise<View> {
  const { client, name, flags } = await call.session();
  const { interrupt } = call.app;
  const symbols = new Map<string, string | undefined>();
  const read = async (id: string) => {
    const balance = await client.relayers.balance(id);
    if (isInCoin(balance.data)) symbols.set(id, await drawnSymbol(call, id));
    return balance;
  };
  const jobs = ids.map((id) => ({ id, run: () => read(id) }));
  const run = runAll(jobs, { concurrency: AT_ONCE, interrupt });
  return {
    kind: "list",
    resource: balancesViewIn((id) => symbols.get(id)),
    pages: pagesOf(run),
    where: name,
    flags,
    inOrder: true,
    // If none could be read, the failure says so.
    nothing: null,
    async ending() {
      const failure = failureOfMany(await run.done, "relayers", interrupt, false);
      return failure ? { failure } : {};
    },
  };
}

async function* pagesOf({ results }: Run<ApiResult<Balance>>): AsyncGenerator<Page> {
  for await (const { id, value } of results) {
    if (value) yield { items: [{ relayer_id: id, ...value.data }], total: undefined, body: value.body };
  }
}
