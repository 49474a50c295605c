import type { ApiRequest } from "../../client/request.ts";
import { effectWords } from "../../command-support/consent/consent.ts";
import { bodyText } from "../../command-support/request-body/request-text.ts";
import { counted } from "../../contract/decimal.ts";
import { parseJson } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { API_PREFIX, type Method } from "../../contract/wire.ts";
import { changesContext, type Proposal, proposalId } from "../../proposals/proposal.ts";
import { buildOperation } from "../api.ts";

/** Returns the request of a proposal, which is only sent in its own spellings. */
export function proposedRequest({ method, target, body, respelled }: Proposal): ApiRequest {
  const { pathname, searchParams } = new URL(target, "http://localhost");
  const found = buildOperation(method as Method, pathname.slice(API_PREFIX.length));
  const query = [...searchParams].length === 0 ? {} : { query: Object.fromEntries(searchParams) };
  return {
    ...{ ...found, ...query },
    ...(body !== undefined && { body: parseJson(body) }),
    ...(respelled === undefined && { isExact: true }),
  };
}

export async function proposalCard(proposal: Proposal, now: number): Promise<string[]> {
  const { body, command, context, expires, host, method, respelled, server, target, user } = proposal;
  const left = Math.ceil((receivedTime(expires) - now) / 60_000);
  return [
    `proposal ${proposalId(proposal)} by ${user} on ${host}: ${left > 0 ? `expires in ${counted(left, "minute")}` : "expired"}`,
    `  ${method} ${target}`,
    ...(body === undefined ? [] : [`  ${bodyText(parseJson(body))}`]),
    ...(respelled === undefined
      ? []
      : [`  or, if the service rejects that spelling: ${bodyText(parseJson(respelled))}`]),
    `  to ${context === server ? server : `${context} (${server})`}`,
    `  proposed as: ${command}`,
    ...(changesContext(proposal)
      ? [`these become all rules of ${context}; a rule that is not named ends`]
      : effectWords(proposedRequest(proposal))
    ).map((line) => `  ${line}`),
  ];
}
