import { wireAmount } from "../../../contract/amount.ts";
import { isNetworkKind, NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/relayer.ts";
import { TELLING_MEMBER } from "../../../contract/replacement.ts";
import { replacementSchemas } from "../../../contract/requests.ts";
import type { Transaction } from "../../../contract/transaction.ts";
import { judgeBody } from "../../../flow/body-problems.ts";
import { readId } from "../../../flow/ids.ts";
import { Problems } from "../../../flow/problems.ts";
import { reachOf } from "../../../flow/shown.ts";
import type { Call } from "../../command.ts";
import { isMissingRoute } from "../../read-before.ts";
import { type BodyFlags, bodyFromFlags, type TypedBody } from "../body-flags.ts";
import { kindsOf } from "../body-kind.ts";
import { judgeMoment } from "../moment.ts";
import { evmWords } from "./evm.ts";
import { solanaWords } from "./solana.ts";
import { stellarWords } from "./stellar.ts";
import { createWalk, type Walk } from "./walk.ts";

const WORDS: Record<NetworkKind, (walk: Walk) => Promise<string[]>> = {
  evm: evmWords,
  solana: solanaWords,
  stellar: stellarWords,
};

/**
 * Walks through the body for the relayer's kind of network, with `-i` or where the member that tells the kind is missing.
 * What was typed is not asked again, and nobody is asked while something of it is wrong.
 */
export async function replaceInterview(call: Call<BodyFlags>): Promise<string[]> {
  const problems = new Problems();
  const ids = {
    relayer: await readId(call, problems, "relayer-id", call.operands[0]),
    transaction: await readId(call, problems, "tx-id", call.operands[1]),
  };
  const typed = await bodyFromFlags(call, problems);
  const { kind: asked, interactive } = call.flags;
  const [typedKind, ...others] = new Set([...(isNetworkKind(asked) ? [asked] : []), ...kindsOf(typed.named)]);
  if (problems.found.length > 0 || others.length > 0) return [];
  if (!interactive && call.flags.inherit) return [];
  if (!interactive && typedKind && typed.named.includes(TELLING_MEMBER[typedKind])) return [];
  const now = await currently(call, ids);
  const kind = typedKind ?? (await kindOf(call, now.relayer));
  if (breaksRule(kind, typed, call.app.clock.now())) return [];
  if (now.before) await call.say(stateLine(now.before, now.relayer));
  const prompts = await call.app.prompts();
  return await WORDS[kind](createWalk(call, prompts, { kind, named: typed.named, ...now }));
}

interface Now {
  relayer: Relayer | undefined;
  before: Transaction | undefined;
}

/** As much as the service can be asked for; a request that is only shown reads nothing. */
async function currently(call: Call, ids: { relayer: string; transaction: string }): Promise<Now> {
  if (reachOf(call) === "nothing") return { relayer: undefined, before: undefined };
  const { client } = await call.session();
  const { data: relayer } = await client.relayers.get(ids.relayer);
  try {
    const { data: before } = await client.tx.get(ids.relayer, ids.transaction);
    return { relayer, before };
  } catch (error) {
    if (!isMissingRoute(error, [ids.relayer, ids.transaction])) throw error;
    return { relayer, before: undefined };
  }
}

function stateLine({ id, status, nonce }: Transaction, relayer: Relayer | undefined): string {
  const place = relayer ? ` of ${relayer.id} (${relayer.network ?? "unknown network"})` : "";
  return `transaction ${id}${place}: ${status ?? "in no known state"}${wireAmount(nonce) === undefined ? "" : `, nonce ${nonce}`}`;
}

async function kindOf(call: Call, relayer: Relayer | undefined): Promise<NetworkKind> {
  const known = relayer?.network_type;
  if (isNetworkKind(known)) return known;
  const prompts = await call.app.prompts();
  return await prompts.select(
    "Kind of network:",
    NETWORK_KINDS.map((kind) => ({ value: kind, name: kind })),
  );
}

/** Each member that was typed is judged alone: what it breaks beside others, the answers may still mend. */
function breaksRule(kind: NetworkKind, { body }: TypedBody, now: number): boolean {
  return Object.entries(body).some(([member, value]) => {
    const problems = new Problems();
    judgeBody(problems, replacementSchemas[kind], { [member]: value }, (path) => path);
    judgeMoment(problems, member, { [member]: value }, { kind, now });
    return problems.found.some(({ where }) => where === "" || where.split(".")[0] === member);
  });
}
