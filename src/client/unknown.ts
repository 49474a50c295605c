import type { JsonObject } from "../contract/json.ts";
import { RelayctlError } from "../errors.ts";
import type { Answer } from "./answer.ts";
import type { Difference } from "./compare.ts";
import { httpFacts, timeOf } from "./failed.ts";
import { idInBody, wrongIdentity } from "./identity.ts";
import { judgeAnswer } from "./judge.ts";
import type { Link } from "./link.ts";
import { look } from "./look.ts";
import { differenceText } from "./mismatch.ts";
import type { Outcome } from "./outcome.ts";
import type { Ask } from "./request.ts";
import type { WriteFacts } from "./write-facts.ts";

type Lost = Outcome & { fault: "lost" | "unreadable" };

/** What a look at the service showed after the answer to a write was lost, and when. */
interface Sight {
  at: number;
  seen?: Answer;
  /** Why nothing was seen. */
  problem?: string;
  /** The service said that there is no such thing. */
  gone?: true;
}

/**
 * Reads the thing that a write was about. It can prove that the write was applied and nothing else: a write that does not
 * show may still be on its way (design 7).
 * @throws RelayctlError unknown
 */
export async function readBack(ask: Ask, outcome: Outcome, link: Link, facts: WriteFacts): Promise<Answer> {
  const sight = await lookNow(ask, link);
  const proof =
    ask.operation.kind === "remove" ? removalProvenBy(ask, sight) : sight.seen && provenBy(ask, sight.seen, facts);
  if (!proof) throw unknownError(ask, outcome as Lost, sight, facts);
  return { ...proof, lost: (outcome as Lost).why };
}

/** The error for a write that must not be settled by reading: its sight is told and proves nothing. */
export async function unknown(ask: Ask, outcome: Outcome, link: Link): Promise<RelayctlError> {
  return unknownError(ask, outcome as Lost, await lookNow(ask, link));
}

/**
 * Gone is removed; a transaction is cancelled when it is canceled, or says that it will be (design 7). One that is gone may
 * have ended in any way: the service forgets it (service-facts 5.1).
 */
function removalProvenBy({ operation }: Ask, { seen, gone }: Sight): Answer | undefined {
  if (gone && operation.id !== "tx.cancel") return { data: {}, body: new Uint8Array(), unconfirmed: [] };
  return seen?.data.status === "canceled" || seen?.data.is_canceled === true ? seen : undefined;
}

function provenBy(ask: Ask, seen: Answer, facts: WriteFacts): Answer | undefined {
  if (wrongIdentity(ask, seen.data)) return undefined;
  const { different, unconfirmed } = judgeAnswer(ask, seen.data);
  if (facts.ownId && different.length > 0) throw appliedOtherwise(different);
  if (facts.ownId) return { ...seen, unconfirmed };
  if (ask.operation.kind === "create" || different.length > 0 || unconfirmed.length > 0) return undefined;
  return seen;
}

/** The id was made for this request alone: finding it proves that the request was applied, if not as it was asked. */
function appliedOtherwise(different: readonly Difference[]): RelayctlError {
  const because = ["the answer was lost; a look at the service showed this", ...different.map(differenceText)];
  return new RelayctlError("mismatch", "applied, but not as it was asked", { applied: "yes", because });
}

async function lookNow(ask: Ask, link: Link): Promise<Sight> {
  try {
    const seen = await look(ask, link);
    return { at: link.clock.now(), seen };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const problem = { not_found: "it is not there", interrupted: "interrupted" }[error.failure as string];
    const gone = error.failure === "not_found" && { gone: true as const };
    return { at: link.clock.now(), problem: problem ?? error.message, ...gone };
  }
}

function unknownError(ask: Ask, outcome: Lost, sight: Sight, { ownId }: WriteFacts = {}): RelayctlError {
  const interrupted = outcome.failure?.reason === "interrupted";
  const accepted =
    outcome.fault === "unreadable" ? `the service accepted it (status ${outcome.status}), details are unknown` : "";
  return new RelayctlError(interrupted ? "interrupted" : "unknown", `unknown whether it was applied: ${outcome.why}`, {
    applied: "unknown",
    because: [
      ...(accepted ? [accepted] : []),
      ...(ownId ? [`it was sent with the id ${idInBody(ask)}`] : []),
      ...sightLines(ask, sight),
      "do not send it again before looking",
    ],
    cause: outcome.failure,
    ...(outcome.reply && { http: httpFacts(ask, outcome.reply.status) }),
  });
}

function sightLines(ask: Ask, { at, seen, problem }: Sight): string[] {
  const when = `at ${timeOf(at)}`;
  if (!seen) return [`${when} it could not be looked up: ${problem}`];
  if (ask.operation.kind === "remove") return [`${when} the service still shows it; the request may still arrive`];
  const { different, unconfirmed } = judgeAnswer(ask, seen.data as JsonObject);
  if (ask.operation.id === "tx.send") return [`${when} ${newestText(seen.data, different.length === 0)}`];
  const lines = different.map(
    (difference) => `${when} the service shows ${differenceText(difference)}; it may still arrive`,
  );
  const hidden = unconfirmed.map((path) => `${path} cannot be read back`);
  return lines.length + hidden.length === 0
    ? [`${when} the service shows what was asked, which proves nothing here`]
    : [...lines, ...hidden];
}

function newestText({ id, status, created_at: created }: JsonObject, isAsAsked: boolean): string {
  const which = isAsAsked
    ? "it is as was asked and may be this one"
    : "it is another one, and this one may still arrive";
  return `the newest transaction of the relayer is ${id}, ${status}, of ${created}: ${which}`;
}
