import type {
  CreateNotificationRequest,
  Notification,
  UpdateNotificationRequest,
} from "../../contract/resources/notification.ts";
import type { ApiResult } from "../api-result.ts";
import type { ClientContext } from "../client-context.ts";
import { getNamed } from "../find.ts";
import { type ListBounds, type ListPage, listPages } from "../pagination/list-pages.ts";
import { NOTIFICATION } from "../read-back/target.ts";
import { apiRequest, type WriteFacts } from "../request.ts";
import { createNamed, type Gone, remove, write } from "../write.ts";

export interface NotificationsClient {
  list(bounds?: ListBounds): AsyncIterable<ListPage>;
  get(id: string, options?: { byRoute?: boolean }): Promise<ApiResult<Notification>>;
  /** Creates a notification. Without an ID the client generates one, so that a lost response can be settled. */
  create(body: CreateNotificationRequest, facts?: WriteFacts): Promise<ApiResult<Notification>>;
  update(id: string, patch: UpdateNotificationRequest, facts?: WriteFacts): Promise<ApiResult<Notification>>;
  delete(id: string): Promise<Gone>;
}

export function notificationsClient(clientContext: ClientContext): NotificationsClient {
  const on = (id: string) => ({ notification_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("notifications.list"), bounds, clientContext),
    get: (id, options) => getNamed(NOTIFICATION, id, clientContext, options),
    create: (body, facts) => createNamed("notifications.create", body, clientContext, facts),
    update: (id, patch, facts) => write(apiRequest("notifications.update", on(id), patch), clientContext, facts),
    delete: (id) => remove(apiRequest("notifications.delete", on(id)), clientContext),
  };
}
