import type { OperationId } from "../contract/operations.ts";
import { withMaskedRpcUrls } from "../contract/rpc-url.ts";
import type { Handler } from "./handler.ts";
import { handlers } from "./handlers.ts";
import type { Refusal } from "./refusal.ts";
import { type BareReply, failureReply, type Memo, type SuccessReply, serverReply, type TextReply } from "./reply.ts";
import type { ShownRecord } from "./webhooks/deliveries.ts";

type Headers = Readonly<Record<string, string>>;

export interface Dialect {
  handlers: Readonly<Record<OperationId, Handler>>;
  pathOf(path: string): string;
  isPublic(path: string): boolean;
  shown: ShownRecord;
  reply(success: SuccessReply | BareReply, headers: Headers, memo: Memo): TextReply;
  refuse(refusal: Refusal, headers: Headers): TextReply;
}

export const interfaceDialect: Dialect = {
  handlers,
  pathOf: (path) => path,
  isPublic: () => false,
  shown: { transaction: (transaction) => transaction, relayer: withMaskedRpcUrls },
  reply: (success, _headers, memo) => serverReply(success, memo),
  refuse: failureReply,
};
