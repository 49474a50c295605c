import { openAudit } from "../audit/open-audit.ts";
import { hexAddress } from "../chain/evm/quantity.ts";
import { readNonce } from "../chain/evm/read-evm.ts";
import { examineTx } from "../chain/examine.ts";
import { nodeValue } from "../chain/node/node.ts";
import { openChain } from "../chain/open-chain.ts";
import { EXPIRED_RECORD } from "../chain/verdict/verdict-of.ts";
import { networkKind } from "../contract/network-kind.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import type { Journal } from "../journal/journal.ts";
import { createSessionRecall } from "../recovery/recall.ts";
import { type Search, searchPart } from "./search.ts";
import { createHit } from "./view.ts";

export async function searchChain(
  search: Search,
  { relayerId, id, now }: { relayerId: string; id: string; now: () => number },
): Promise<void> {
  const { session, client } = search;
  await searchPart(search, `${relayerId}/${id}`, async () => {
    const recalled = (await createSessionRecall(session, now)(relayerId, [id])).get(id);
    const [first, ...more] = recalled?.records ?? [];
    if (!first) return;
    const chain = await openChain({ client, relayerId, ownNode: session.ownNode });
    const records = [first, ...more] as const;
    const question = { relayerId, records, now: now(), isGone: true };
    const isEvm = networkKind(chain.relayer) === "evm";
    const { verdict, fault } = isEvm
      ? await examineTx(chain, client, question)
      : { verdict: undefined, fault: undefined };
    const shown = fault || !verdict || verdict.verdict === "gone" ? "not known" : verdict.verdict.replaceAll("_", " ");
    addExpired(search, [relayerId, id], shown);
  });
}

function addExpired({ session, hits }: Search, [relayer, id]: readonly [relayer: string, id: string], shown: string) {
  const what = `${shown} by the chain, ${EXPIRED_RECORD}`;
  hits.push(createHit(session, { kind: "transaction", relayer, id, what }, ["tx", "wait", relayer, id]));
}

/** Searches the chain for a nonce of relayers that this journal sent with: the journal may not show the nonces of its sends. */
export async function searchChainForNonce(search: Search, relayers: readonly Relayer[], now: number): Promise<void> {
  const { session, thing } = search;
  const journal = await session.journal();
  const senders = new Set<string | undefined>();
  await searchPart(search, "journal", async () => {
    for await (const entry of journal?.newestFirst() ?? [])
      if (entry.type === "intent" && entry.operation === "tx.send" && entry.server === session.origin)
        senders.add(entry.ids.relayer_id);
  });
  for (const relayer of relayers.filter(({ id }) => senders.has(id)))
    await searchPart(search, `${relayer.id}/${thing.text}`, () => searchSends(search, { relayer, journal, now }));
}

async function searchSends(
  search: Search,
  { relayer, ...known }: { relayer: Relayer; journal: Journal | undefined; now: number },
): Promise<void> {
  const { session, client, thing } = search;
  const { id: relayerId } = relayer;
  const [account, nonce] = [hexAddress(relayer.address), BigInt(thing.text)];
  if (account === undefined) return;
  const { node, network } = await openChain({ client, relayerId, relayer, ownNode: session.ownNode });
  if (nodeValue(await readNonce(node, account, "latest")) <= nonce) return;
  const of = { relayerId, account, server: session.origin, client, node, network, store: undefined };
  const { rows } = nodeValue(await openAudit({ ...of, ...known, span: { first: nonce, last: nonce } }));
  for await (const found of rows())
    for (const { mined, claim } of found) {
      const id = claim?.send?.id;
      if (mined && id !== undefined) addExpired(search, [relayerId, id], mined.reverted ? "reverted" : "mined");
    }
}
