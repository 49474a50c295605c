import { examine } from "../chain/examine.ts";
import { openChain } from "../chain/open-chain.ts";
import { EXPIRED_RECORD } from "../chain/verdict/verdict-of.ts";
import { networkKind } from "../contract/network-kind.ts";
import { recallIn } from "../recovery/recall.ts";
import { type Search, searchPart } from "./search.ts";
import { hitOf } from "./view.ts";

export async function searchChain(
  search: Search,
  { relayerId, id, now }: { relayerId: string; id: string; now: () => number },
): Promise<void> {
  const { session, client, hits } = search;
  await searchPart(search, `${relayerId}/${id}`, async () => {
    const recalled = (await recallIn(session, now)(relayerId, [id])).get(id);
    const [first, ...more] = recalled?.records ?? [];
    if (!first) return;
    const chain = await openChain({ client, relayerId, ownNode: (network) => session.ownNode(network) });
    const records = [first, ...more] as const;
    const question = { relayerId, records, now: now(), isGone: true };
    const isEvm = networkKind(chain.relayer) === "evm";
    const { verdict, fault } = isEvm
      ? await examine(chain, client, question)
      : { verdict: undefined, fault: undefined };
    const shown = fault || !verdict || verdict.verdict === "gone" ? "not known" : verdict.verdict.replaceAll("_", " ");
    const what = `${shown} by the chain, ${EXPIRED_RECORD}`;
    hits.push(hitOf(session, { kind: "transaction", relayer: relayerId, id, what }, ["tx", "wait", relayerId, id]));
  });
}
