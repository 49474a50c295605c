import type { Client } from "../client/client.ts";
import type { ApiRequest } from "../client/request.ts";
import type { Gone } from "../client/write.ts";
import type { View } from "../terminal/view.ts";
import type { Call } from "./call.ts";
import { askQuestion, checkConsent } from "./consent/consent.ts";
import { consentQuestion, effectWords } from "./consent/write-consent.ts";
import { receiptOf, withHint } from "./receipt.ts";
import type { Session } from "./session/session.ts";
import { shownInstead } from "./shown.ts";

/** A deletion that is ready: everything typed was judged, nothing was sent. */
export interface Removal {
  request: ApiRequest;
  /** What is deleted, as `notification`. */
  what: string;
  id: string;
  /**
   * Lines under the title of the question, from a look at the service.
   * @throws RelayctlError conflict, when it is seen that the service would refuse
   */
  readFirst(session: Session): Promise<readonly string[]>;
  send(client: Client): Promise<Gone>;
  /** The command that looks whether the thing is still there, for an outcome that is not known. */
  readAgain(session: Session): string;
}

/** Reads, asks, deletes, and reports: every deletion asks, since none can be undone (promises 5). */
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
  const gone = await withHint(removal.send(session.client), removal.readAgain(session));
  return {
    kind: "facts",
    lines: [{ label: "deleted", value: { text: id } }],
    value: { id, deleted: true },
    body: gone.body,
    receipt: receiptOf({ ...gone, unconfirmed: [] }, [
      `deleted in ${session.name}: ${what} ${id}`,
      ...(consent === "to ask" ? [] : effectWords(request)),
    ]),
  };
}
