import type { Client } from "../client/client.ts";
import type { ApiRequest } from "../client/request.ts";
import type { Gone } from "../client/write.ts";
import { receiptWords } from "../session/receipt-words.ts";
import type { Session } from "../session/session.ts";
import type { View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import { askQuestion, checkConsent, consentQuestion, effectWords } from "./consent/consent.ts";
import { receiptOf, withHint } from "./receipt.ts";
import { shownInstead } from "./shown.ts";

export interface Removal {
  request: ApiRequest;
  /** The kind of resource, e.g. `notification`. */
  what: string;
  id: string;
  /** Reads the service and returns lines for the prompt. @throws RelayctlError conflict if it would refuse */
  readFirst(session: Session): Promise<readonly string[]>;
  send(client: Client): Promise<Gone>;
  readAgain(session: Session): string;
}

/** Reads, prompts, deletes, and reports: every deletion prompts, since none can be undone (promises 5). */
export async function performRemoval(call: Call, removal: Removal): Promise<View> {
  const { request, what, id } = removal;
  const shown = await shownInstead(call, request);
  if (shown) return shown;
  const session = await call.session();
  const title = `delete ${what} ${id}`;
  const question = consentQuestion(session, { request, act: `deleting a ${what}`, id, title });
  const consent = question && checkConsent(call, question);
  const seen = await removal.readFirst(session);
  const lines = [`${title} in ${session.name}`, ...seen, ...effectWords(request)];
  if (question && consent === "to ask") await askQuestion(call, question, lines);
  const deleted = await withHint(removal.send(session.client), removal.readAgain(session));
  return {
    kind: "facts",
    lines: [{ label: "deleted", value: { text: id } }],
    value: { id, deleted: true },
    body: deleted.body,
    isChange: true,
    receipt: receiptOf({ ...deleted, unconfirmed: [] }, [
      receiptWords.deleted(session.name, `${what} ${id}`),
      ...(consent === "to ask" ? [] : effectWords(request)),
    ]),
  };
}
